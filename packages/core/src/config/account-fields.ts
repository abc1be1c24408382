/** Which fields of a sign-in by password say who signs in. */
import type { CredentialInput, CredentialsConfig } from "../types/provider.js"
import { type FieldKind, isOfDigits, kindOf } from "./field-kinds.js"
import { madeOf } from "./name-words.js"
import type { Report } from "./report.js"
import type { ResolvedProvider } from "./settings.js"

/** Fields that say who signs in. */
export interface AccountFields {
  readonly names: readonly string[]
  /** They say it together, such as a tenant and a name; otherwise each says it by itself. */
  readonly areTogether: boolean
  /** The first that is listed beside them: it says who signs in where they are all empty. */
  readonly other?: string | undefined
  /** Those that say among whom to look for that name. They are no part of it, because an application may not look at them. */
  readonly places: readonly string[]
  /** What stands there is somebody, and no secret, and no other field says who signs in, as far as names tell. */
  readonly areSure: boolean
  /** Those of which applications take the digits. */
  readonly ofDigits: ReadonlySet<string>
}

type Given = Partial<Pick<CredentialsConfig, "accountField" | "credentials">>

/**
 * Those that `accountField` names. Otherwise all that are an address, a user name or a phone, as far as their names say, because
 * an application may look people up by any of them; where there is none, the only one that may say who signs in.
 */
export function accountFieldsOf({ accountField, credentials }: Given): AccountFields {
  const ofDigits = new Set(
    [accountField ?? Object.keys(credentials ?? {})].flat().filter((name) => isOfDigits(name, credentials?.[name])),
  )
  if (accountField) {
    return { names: [accountField].flat(), areTogether: true, places: [], areSure: true, ofDigits }
  }
  const fields = kindsOf(credentials)
  const of = (...kinds: readonly FieldKind[]): readonly string[] =>
    fields.filter(([, kind]) => kinds.includes(kind)).map(([name]) => name)
  const known = of("person")
  const unsure = of("perhaps", "unknown")
  const [only = ""] = of("perhaps").length > 0 ? of("perhaps") : theOnly(unsure.length > 0 ? unsure : of("detail"))
  const names = known.length > 0 ? known : [only]
  if (names[0] === "") return { names: usual, areTogether: false, places: [], areSure: false, ofDigits: usualDigits }
  // Beside a name that several people have, what one says of oneself tells them apart, such as the day of birth.
  const details =
    known.length > 0 ? [] : of("detail").filter((name) => isLasting(name) && credentials?.[name]?.type !== "hidden")
  const places = [...of("place", "perhaps"), ...details].filter((name) => !names.includes(name))
  const others = unsure.filter((name) => !names.includes(name))
  const isSecret = known.length === 0 && (unsure.length === 0 || of("perhaps", "password").length === 0)
  const areSure = !isSecret && others.every((name) => known.length > 0 && places.includes(name))
  return { names, areTogether: false, other: others[0], places, areSure, ofDigits }
}

const theOnly = (names: readonly string[]): readonly string[] => (names.length === 1 ? names : [])

/** Does a field that was sent say nothing of who signs in, whether the application has listed it or not? */
export function saysNobody(name: string, credentials: Given["credentials"]): boolean {
  return ["password", "factor", "other"].includes(kindOf(name, credentials?.[name]))
}

/** Does a field that the application has not listed say among whom to look? */
export const isUnlistedPlace = (name: string, credentials: Given["credentials"]): boolean =>
  credentials?.[name] === undefined && !isChanging(name) && kindOf(name, undefined) === "place"

/** Stays as long as the person, on all of their devices. */
const isLasting = madeOf({
  before: "first last middle full given family sur birth date-of",
  words: "name birth birthday dob gender street",
  after: "string",
})

/** What pages send under these names is often another one each time: a random value of their own, or where the device is. */
const isChanging = madeOf({
  before: "user login",
  words: "state location city region network",
  after: "name id code type",
})

/** Where no field is listed, people are counted under these names alone: whoever sends a request chooses what it has. */
const usual = ["email", "username", "phone"]
const usualDigits: ReadonlySet<string> = new Set(["phone"])

const kindsOf = (credentials: Given["credentials"]): readonly (readonly [string, FieldKind])[] =>
  Object.entries<CredentialInput | null | undefined>(credentials ?? {}).map(([name, input]) => [
    name,
    kindOf(name, input),
  ])

/** Nobody is named there: a password alone is for whoever knows it, and a token is not guessed. */
function asksForNobody(kinds: readonly FieldKind[]): boolean {
  const asked = kinds.filter((kind) => kind !== "other")
  if (asked.length === 1 && asked[0] === "password") return true
  return kinds.length > 0 && asked.every((kind) => kind === "place")
}

/** Does the application leave open which field says who signs in? A field alone does not. */
function isOpen(config: Given): boolean {
  const { names, other, areSure } = accountFieldsOf(config)
  if (names === usual) return !asksForNobody(kindsOf(config.credentials).map(([, kind]) => kind))
  const [name = ""] = names
  return !areSure && (other !== undefined || kindOf(name, config.credentials?.[name]) === "detail")
}

/** Warns of credentials providers whose fields do not say for sure who signs in: there only the network may be counted. */
export function checkAccountFields(
  { providers, limits }: { readonly providers: ReadonlyMap<string, ResolvedProvider>; readonly limits: unknown },
  report: Report,
): void {
  if (limits === false) return
  const ids = [...providers.values()].filter(({ type, config }) => type === "credentials" && isOpen(config))
  if (ids.length > 0) report.warn("person-unknown", `Providers: ${ids.map(({ id }) => `"${id}"`).join(", ")}.`)
}
