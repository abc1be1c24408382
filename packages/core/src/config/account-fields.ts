/** Which fields of a sign-in by password say who signs in. */
import type { CredentialInput, CredentialsConfig } from "../types/provider.js"
import type { Report } from "./report.js"
import type { ResolvedProvider } from "./settings.js"

/** Fields by which somebody may be found. */
export interface AccountFields {
  /** They say it together, or each by itself. */
  readonly names: readonly string[]
  readonly areTogether: boolean
  /** The first that is listed beside them: it names somebody where they are all empty. */
  readonly other?: string | undefined
  readonly areListed: boolean
}

type Given = Partial<Pick<CredentialsConfig, "accountField" | "credentials">>

/**
 * Those that `accountField` names. Otherwise all that are called or typed like an address, a user name or a phone, because an
 * application may look people up by any of them; where there is none, the first that may say it.
 */
export function accountFieldsOf(config: Given): AccountFields {
  const { accountField } = config
  if (accountField) return { names: [accountField].flat(), areTogether: true, areListed: true }
  const listed = listedOf(config)
  if (listed.length === 0) return { names: usual, areTogether: false, areListed: false }
  const all = listed.map(([name]) => name)
  const identities = listed.filter(([name, input]) => isIdentity(name, input)).map(([name]) => name)
  const first = all.find((name) => looseIdentity.test(name)) ?? all[0] ?? ""
  const names = identities.length > 0 ? identities : [first]
  return { names, areTogether: false, other: all.find((name) => !names.includes(name)), areListed: true }
}

/** Where no field is listed, people are counted under these names alone: whoever sends a request chooses what it has. */
const usual = ["email", "username", "phone"]

type Field = readonly [name: string, input: CredentialInput | null | undefined]

const listedOf = ({ credentials }: Given): readonly Field[] =>
  Object.entries<Field[1]>(credentials ?? {}).filter(
    ([name, input]) => !isPassword(name, input?.type) && (isIdentity(name, input) || !namesNobody(name, input?.type)),
  )

/** Applications with a page of their own leave the type out. */
function isPassword(name: string, type: unknown): boolean {
  return type === "password" || (type === undefined && /pass(?!port)|pwd/i.test(name))
}

/** What a page sets by itself or people choose, and codes, which change: whoever tries many of them has as many names. */
function namesNobody(name: string, type: unknown): boolean {
  const isChosen =
    typeof type === "string" && /^(?:hidden|checkbox|radio|submit|button|reset|file|image|color|range)$/i.test(type)
  return (
    isChosen ||
    /^(?:(?:one[-_]?time[-_]?)?code|t?otp|mfa|2fa|pin|captcha|remember(?:[-_]?me)?|mode|action)$/i.test(name)
  )
}

/** What pages call the fields that each belong to one person. */
const identity =
  /^(?:(?:user|login|account|member|customer|work)[-_]?)?(?:e[-_]?mail|mail|phone|telephone|tel|mobile|user[-_]?name|user|login|identifier)(?:[-_]?(?:address|number|no|id|name|or[-_]?(?:e[-_]?mail|phone|user[-_]?name)))*$/i

/** And those that several people may have in common, so that they count only without one of the others. */
const looseIdentity = /^(?:id|name|nick[-_]?name|handle|account|member|customer)(?:[-_]?(?:name|id|number|no))?$/i

function isIdentity(name: string, input: Field[1]): boolean {
  const { type, autocomplete } = input ?? {}
  // Not by `tel`: it brings up the keypad of numbers, also for a PIN.
  const isCompleted = typeof autocomplete === "string" && /(?:^|\s)(?:username|email)(?:\s|$)/i.test(autocomplete)
  return identity.test(name) || type === "email" || isCompleted
}

/** Warns of credentials providers that list no field by which somebody may be known: what else is sent counts against the network alone. */
export function checkAccountFields(
  { providers, limits }: { readonly providers: ReadonlyMap<string, ResolvedProvider>; readonly limits: unknown },
  report: Report,
): void {
  if (limits === false) return
  const ids = [...providers.values()].filter(
    (provider) => provider.type === "credentials" && !accountFieldsOf(provider.config).areListed,
  )
  if (ids.length > 0) report.warn("person-unknown", `Providers: ${ids.map(({ id }) => `"${id}"`).join(", ")}.`)
}
