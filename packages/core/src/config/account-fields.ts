/** Which fields of a sign-in by password say who signs in. */
import type { CredentialInput, CredentialsConfig } from "../types/provider.js"
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
  /** The application has listed them. */
  readonly areListed: boolean
}

type Given = Partial<Pick<CredentialsConfig, "accountField" | "credentials">>

/**
 * Those that `accountField` names. Otherwise all that are an address, a user name or a phone, as far as their names say, because
 * an application may look people up by any of them; where there is none, the first that may say who signs in.
 */
export function accountFieldsOf(config: Given): AccountFields {
  const { accountField } = config
  if (accountField) return { names: [accountField].flat(), areTogether: true, places: [], areListed: true }
  const listed = listedOf(config)
  if (listed.length === 0) return { names: usual, areTogether: false, places: [], areListed: false }
  const all = listed.map(([name]) => name)
  const identities = listed.filter(([name, input]) => isIdentity(name, input)).map(([name]) => name)
  const first = all.find((name) => looseIdentity.test(name)) ?? all[0] ?? ""
  const names = identities.length > 0 ? identities : [first]
  const other = all.find((name) => !names.includes(name))
  const places = Object.keys(config.credentials ?? {}).filter((name) => place.test(name) && !names.includes(name))
  return { names, areTogether: false, other, places, areListed: true }
}

/** Where no field is listed, people are counted under these names alone: whoever sends a request chooses what it has. */
const usual = ["email", "username", "phone"]

type Field = readonly [name: string, input: CredentialInput | null | undefined]

const listedOf = ({ credentials }: Given): readonly Field[] =>
  Object.entries<Field[1]>(credentials ?? {}).filter(
    ([name, input]) =>
      !isPassword(name, input?.type) &&
      !isButton(input?.type) &&
      (isIdentity(name, input) || !namesNobody(name, input?.type)),
  )

/** `pass`, alone or behind other words, and what is made of it: not `passport`, `passengerId` or `passNumber`. */
const passwordName = /pass(?:[-_]?(?:wor[dt]|wd|phrase|code|key)|[-_\d]|$)|pwd/i

/** Applications with a page of their own leave the type out. */
function isPassword(name: string, type: unknown): boolean {
  return type === "password" || (type === undefined && passwordName.test(name))
}

/** Nobody types into these: everybody sends the same few values, whatever the field is called. */
const isButton = (type: unknown): boolean =>
  typeof type === "string" && /^(?:submit|button|reset|image|checkbox|file|color|range)$/i.test(type)

/** What a page sets by itself or people choose, and codes, which change: whoever tries many of them has as many names. */
function namesNobody(name: string, type: unknown): boolean {
  const isChosen = typeof type === "string" && /^(?:hidden|radio)$/i.test(type)
  return (
    isChosen ||
    /^(?:(?:one[-_]?time[-_]?)?code|t?otp|mfa|2fa|pin|captcha|remember(?:[-_]?me)?|mode|action)$/i.test(name)
  )
}

/** Names of fields whose values belong to one person each. */
const identity =
  /^(?:(?:user|login|account|member|customer|work)[-_]?)?(?:e[-_]?mail|mail|phone|telephone|tel|mobile|cell|cell[-_]?phone|user[-_]?name|user|login|handle|identifier|(?:member(?:ship)?|employee|staff|student|patient)[-_]?(?:id|number|no))(?:[-_]?(?:address|number|no|id|name|or[-_]?(?:e[-_]?mail|phone|user[-_]?name)))*$/i

/** Names of fields whose values several people may share, so that they count only where there is none of the others. */
const looseIdentity = /^(?:id|name|nick[-_]?name|account|member|customer)(?:[-_]?(?:name|id|number|no))?$/i

/** Names of fields that choose a tenant, or the table of a kind of people. */
const place =
  /^(?:(?:user|login|account|member)[-_]?)?(?:tenant|org|organization|organisation|company|firm|business|client|customer|account|workspace|realm|team|group|department|shop|store|school|university|club|clinic|hospital|bank|agency|branch|office|region|country|site|host|(?:sub[-_]?)?domain|project|portal|role|kind|type)(?:[-_]?(?:name|id|number|no|slug|code|key|type))*$/i

function isIdentity(name: string, input: Field[1]): boolean {
  const { type, autocomplete } = input ?? {}
  // Not by `tel`: it brings up the keypad of numbers, also for a PIN.
  const isCompleted = typeof autocomplete === "string" && /(?:^|\s)(?:username|email)(?:\s|$)/i.test(autocomplete)
  return identity.test(name) || type === "email" || isCompleted
}

/** A form that asks for a password and nothing else is for whoever knows it, so nobody's name is missing. */
function isOnePassword({ credentials }: Given): boolean {
  const fields = Object.entries<Field[1]>(credentials ?? {})
  return fields.length === 1 && fields.every(([name, input]) => isPassword(name, input?.type))
}

/** Warns of credentials providers that list no field that says who signs in: apart from the usual names, only the network is counted there. */
export function checkAccountFields(
  { providers, limits }: { readonly providers: ReadonlyMap<string, ResolvedProvider>; readonly limits: unknown },
  report: Report,
): void {
  if (limits === false) return
  const ids = [...providers.values()].filter(
    ({ type, config }) => type === "credentials" && !accountFieldsOf(config).areListed && !isOnePassword(config),
  )
  if (ids.length > 0) report.warn("person-unknown", `Providers: ${ids.map(({ id }) => `"${id}"`).join(", ")}.`)
}
