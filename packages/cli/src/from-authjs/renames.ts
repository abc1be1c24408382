/** What each module of Auth.js is called here, and which of its names are missing. */
import { knownIds } from "../catalogue.js"

/** How a project moves: the framework's package is exchanged, or the engine below it. */
export type Way = "packages" | "engine"

/** Packages that have a counterpart. Others that are built on `@auth/core` stay, on another engine. */
const counterparts: Readonly<Record<string, string>> = {
  "@auth/core": "@latchkey/core",
  "@auth/express": "@latchkey/express",
  "@auth/sveltekit": "@latchkey/sveltekit",
  "next-auth": "@latchkey/next",
}

/** The package that a specifier belongs to. */
export const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/")

/** The counterpart of a package of Auth.js. */
export const counterpartOf = (name: string): string | undefined =>
  Object.hasOwn(counterparts, name) ? counterparts[name] : undefined

/** Modules without a counterpart, and what to do. */
const lost: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/^next-auth\/webauthn$/, "Take signInWithPasskey and registerPasskey of @latchkey/react."],
  [/^next-auth\/(?:middleware|next)$/, "It belongs to next-auth 4: export `auth` of your configuration as the proxy."],
  [/^(?:next-auth|@auth\/\w+)\/lib(?:\/|$)/, "It is internal to Auth.js: use what the packages publish."],
  [/^@auth\/core\/providers\/provider-types$/, "Take ProviderId of @latchkey/core/providers."],
]

/** Names that modules of ours do not have, and what to take. */
const missing: readonly (readonly [pattern: RegExp, names: Readonly<Record<string, string>>])[] = [
  [
    /\/providers(?:\/index)?$/,
    {
      BuiltInProviders: "Take ProviderId.",
      AppProvider: "Take Provider.",
      AppProviders: "Take Provider[].",
      CredentialsProviderId: "Take ProviderId.",
      EmailProviderId: "Take ProviderId.",
      OAuthProviderId: "Take ProviderId.",
      EmailProviderType: 'Take "email".',
      OAuthChecks: 'Take OAuthConfig<Profile>["checks"].',
      AuthorizationEndpointHandler: 'Take OAuthConfig<Profile>["authorization"].',
      TokenEndpointHandler: 'Take OAuthConfig<Profile>["token"].',
      UserinfoEndpointHandler: 'Take OAuthConfig<Profile>["userinfo"].',
    },
  ],
  [
    /\/providers\/webauthn$/,
    {
      DEFAULT_WEBAUTHN_TIMEOUT: "Write the number of milliseconds.",
      DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION: "Leave it out: the browser's part is served by the library.",
      RelayingParty: "Write the object: { id, name, origin }.",
    },
  ],
  [/\/types$/, { Awaited: "TypeScript has it.", WebAuthnOptionsResponseBody: "Let it be inferred." }],
  [
    /^next-auth\/react$/,
    {
      UpdateSession: 'Take ReturnType<typeof useSession>["update"].',
      SessionContextValue: "Take ReturnType<typeof useSession>.",
      SessionContext: "Take useSession.",
      GetSessionParams: "On the server, take `auth` of your configuration.",
      __NEXTAUTH: "It is internal to next-auth.",
    },
  ],
]

/** What becomes of a specifier. */
export type Renamed =
  | { readonly to: string }
  /** It stands for nothing here; the sentence says what to do. */
  | { readonly remedy: string }

interface Asked {
  readonly specifier: string
  readonly isAugmentation: boolean
  /** How the file names the browser's part of the application. */
  readonly client: string
}

/** The module that takes the place of one of Auth.js. */
export function renamed({ specifier, isAugmentation, client }: Asked): Renamed | undefined {
  const own = counterpartOf(packageOf(specifier))
  if (own === undefined) return undefined
  const rest = specifier.slice(packageOf(specifier).length)
  const [, remedy] = lost.find(([pattern]) => pattern.test(specifier)) ?? []
  if (remedy !== undefined) return { remedy }
  const [, id] = /^\/providers\/([\w-]+)$/.exec(rest) ?? []
  if (id !== undefined && !knownIds.includes(id))
    return { remedy: `There is no provider "${id}": see docs/providers/README.md.` }
  if (specifier === "next-auth/react") return { to: isAugmentation ? "@latchkey/core/types" : client }
  // Members are added to types where they are declared, or below the path that is made for it.
  return { to: isAugmentation && rest === "" ? `${own}/types` : `${own}${rest}` }
}

/** Names that are imported from a module and that its counterpart lacks, each with what to take. */
export function missingNames(specifier: string, names: readonly string[]): readonly (readonly [string, string])[] {
  const tables = missing.filter(([pattern]) => pattern.test(specifier)).map(([, table]) => table)
  return names.flatMap((name) =>
    tables.flatMap((table) => (Object.hasOwn(table, name) ? [[name, table[name] ?? ""] as const] : [])),
  )
}
