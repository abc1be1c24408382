/** Which fields of a sign-in by password say who signs in. */
import type { CredentialInput, CredentialsConfig } from "../types/provider.js"
import type { Report } from "./report.js"
import type { ResolvedProvider } from "./settings.js"

/** Fields that say together who signs in, or of which each says it by itself. */
export interface AccountFields {
  readonly names: readonly string[]
  readonly areTogether: boolean
  /** The first may be the same for many people, such as a tenant. */
  readonly isFirstShared: boolean
}

type Given = Partial<Pick<CredentialsConfig, "accountField" | "credentials">>

/**
 * Those that `accountField` names. Otherwise the first that may say it, and each that says by its name or kind that it does: an
 * application may look people up by any of them. `sent`: what came, where no such field is listed.
 */
export function accountFieldsOf(config: Given, sent: readonly string[] = []): AccountFields {
  const { accountField } = config
  if (accountField) return { names: [accountField].flat(), areTogether: true, isFirstShared: false }
  const listed = listedOf(config)
  const identities = listed.filter(([name, input]) => isIdentity(name, input)).map(([name]) => name)
  const [first] = listed
  if (!first) return { names: sent.filter((name) => isIdentity(name)), areTogether: false, isFirstShared: false }
  const isShared = !identities.includes(first[0])
  // Wrong passwords at one person of a tenant are none at the others.
  const isLeftOut = identities.length > 0 && tenant.test(first[0])
  const names = isLeftOut ? identities : [...new Set([first[0], ...identities])]
  return { names, areTogether: false, isFirstShared: isShared && !isLeftOut }
}

/** The names that sign-in pages give to what many people have in common. */
const tenant =
  /^(?:tenant|company|organization|organisation|org|workspace|team|domain|realm|site|region|country|language|lang|locale)(?:[-_]?(?:name|id|code))?$/i

type Field = readonly [name: string, input: CredentialInput | null | undefined]

const listedOf = ({ credentials }: Given): readonly Field[] =>
  Object.entries<Field[1]>(credentials ?? {}).filter(
    ([name, input]) => !isPassword(name, input?.type) && !namesNobody(name, input?.type),
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

/** The names that sign-in pages give to what people are found by. */
const identity =
  /^(?:e[-_]?mail(?:[-_]?address)?|mail|id|name|nick[-_]?name|handle|identifier|(?:user|login|account|member)(?:[-_]?(?:name|id))?|(?:phone|telephone)(?:[-_]?number)?|tel|mobile)$/i

function isIdentity(name: string, input?: Field[1]): boolean {
  const { type, autocomplete } = input ?? {}
  return (
    identity.test(name) ||
    type === "email" ||
    type === "tel" ||
    (typeof autocomplete === "string" && /\b(?:username|email|tel)\b/i.test(autocomplete))
  )
}

/** Warns of credentials providers that list no field by which somebody may be known: what else is sent counts against the network alone. */
export function checkAccountFields(
  { providers, limits }: { readonly providers: ReadonlyMap<string, ResolvedProvider>; readonly limits: unknown },
  report: Report,
): void {
  if (limits === false) return
  const ids = [...providers.values()].filter(
    (provider) => provider.type === "credentials" && accountFieldsOf(provider.config).names.length === 0,
  )
  if (ids.length > 0) report.warn("person-unknown", `Providers: ${ids.map(({ id }) => `"${id}"`).join(", ")}.`)
}
