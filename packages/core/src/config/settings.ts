/** Settings: what the developer wrote with every default filled, checked and frozen, and the ports inside. */
import type { Keyring } from "../crypto/keyring.js"
import type { AuthError } from "../errors.js"
import type { EventSink } from "../ports/events.js"
import type { Logger } from "../ports/logger.js"
import type { Records } from "../ports/records.js"
import type { Store } from "../ports/store.js"
import type { TrailSink } from "../ports/trail.js"
import type { TryStore } from "../ports/try-store.js"
import type { Texts } from "../texts/texts.js"
import type { PagesOptions, Theme } from "../types/appearance.js"
import type { AuthConfig, CookieOption, CookieRole } from "../types/config.js"
import type { FeatureRow } from "../types/feature.js"
import type { CallbacksOptions, WarningCode } from "../types/hooks.js"
import type { Profile, ProviderType } from "../types/identity.js"
import type { LanguageChooser } from "../types/language.js"
import type { BudgetName, LimitBudget, LimitsOptions } from "../types/limits.js"
import type { ManagedSessionsOptions } from "../types/managed-sessions.js"
import type { PasskeysOptions } from "../types/passkeys.js"
import type {
  AccountCallback,
  CredentialsConfig,
  EmailConfig,
  FetchFunction,
  OAuth2Config,
  OAuthConfig,
  OIDCCheck,
  ProfileCallback,
  TokenEndpoint,
  UserinfoEndpoint,
  WebAuthnConfig,
} from "../types/provider.js"
import type { Policy } from "../types/session-facts.js"
import type { ProxyOrigin } from "./addresses.js"
import type { Caches } from "./caches.js"
import type { ResolvedOptions } from "./options.js"

/** Names and attributes of all cookies, for one scheme: of those an application may override, and `device`, which it may not. */
export type CookieTable = Readonly<Record<CookieRole | "device", Readonly<CookieOption>>>

/** What every provider has, ready to use. */
interface Resolved<Type extends ProviderType, Config> {
  readonly type: Type
  readonly id: string
  readonly name: string
  /** The merged configuration, handed to callbacks of the application. Never written to. */
  readonly config: Config
}

/** A provider of OAuth 2 or OpenID Connect. */
export interface ResolvedOAuthProvider extends Resolved<"oauth" | "oidc", OAuthConfig<Profile>> {
  readonly clientId: string | undefined
  readonly clientSecret: OAuth2Config<Profile>["clientSecret"]
  readonly issuer: string | undefined
  /** Address of the discovery document; absent where nothing has to be discovered, because all endpoints are given. */
  readonly wellKnown: string | undefined
  readonly jwksEndpoint: string | undefined
  /** With its parameters on the query; absent: by discovery. */
  readonly authorization: string | undefined
  /** Text of the authorization parameters that belong to a discovered endpoint. */
  readonly authorizationParams: Readonly<Record<string, string>>
  readonly token: (Omit<TokenEndpoint, "url" | "params"> & { readonly url: string | undefined }) | undefined
  readonly userinfo:
    | (Omit<UserinfoEndpoint<Profile>, "url" | "params"> & { readonly url: string | undefined })
    | undefined
  /** Without `none`; `state` is added when a redirect proxy is set. */
  readonly checks: readonly Exclude<OIDCCheck, "none">[]
  readonly client: Readonly<Record<string, unknown>>
  readonly idToken: boolean
  readonly profile: ProfileCallback<Profile>
  readonly account: AccountCallback
  readonly allowDangerousEmailAccountLinking: boolean
  /** Addresses that the profile calls unverified are kept in rows. */
  readonly allowUnverifiedEmail: boolean
  /** File or configuration call its addresses verified, all of them or each by its profile. */
  readonly callsVerified: boolean
  /** Where the application has replaced `profile`, but not what the provider's file says of its address: that of the file. */
  readonly filesProfile: ProfileCallback<Profile> | undefined
  readonly allowInsecureRequests: boolean
  /** Absolute base, without `/callback/<id>`. */
  readonly redirectProxyUrl: string | undefined
  readonly isFormPost: boolean
  /** The provider's own fetch, else the runtime's (looked up at call time). */
  readonly fetch: FetchFunction
}

/** A provider that proves an address by a link. */
export interface ResolvedEmailProvider extends Resolved<"email", EmailConfig> {
  /** Lifetime of the link in seconds. */
  readonly maxAge: number
}

/** A provider whose proof the application checks itself. */
export type ResolvedCredentialsProvider = Resolved<"credentials", CredentialsConfig>

/** A provider of WebAuthn. */
export type ResolvedWebAuthnProvider = Resolved<"webauthn", WebAuthnConfig>

/** A provider, merged with its overrides, every default filled. */
export type ResolvedProvider =
  | ResolvedOAuthProvider
  | ResolvedEmailProvider
  | ResolvedCredentialsProvider
  | ResolvedWebAuthnProvider

/** When the host of a request may be believed. */
export type HostTrust = "always" | "loopback" | "never"

/** How many tries each budget allows. */
export interface Limits {
  readonly budgets: Readonly<Record<BudgetName, LimitBudget>>
  /** Present only when the application brought its own. */
  readonly address: LimitsOptions["address"]
  /** Where tries are counted at a moment; `tell` hears of records that cannot be asked. */
  triesAt(now: Date, tell: (error: AuthError) => void): TryStore
}

/** What the features of the configuration come to. */
export interface Features {
  readonly names: readonly string[]
  /** Endpoints beside those of every configuration. */
  readonly rows: readonly FeatureRow[]
  /** What a session rests on is kept with it. */
  readonly keepsFacts: boolean
  /** `undefined`: sessions are not managed. */
  readonly sessions: ManagedSessionsOptions | undefined
  /** `undefined`: nobody can list and remove passkeys. */
  readonly passkeys: PasskeysOptions | undefined
  /** What adding an account or a passkey to the user of a session asks of it, and removing a passkey. `undefined`: nothing, as in Auth.js. */
  readonly accountPolicy: Policy | undefined
}

/** Everything the engine knows before a request comes. Frozen. */
export interface Settings {
  /** What was handed in. Never written to. */
  readonly config: AuthConfig
  /** The options of which their row says all, checked and with their defaults. */
  readonly options: ResolvedOptions
  /** Starts with a slash, ends without one; empty for the root. */
  readonly basePath: string
  /** Origin of `AUTH_URL`, when set: nothing a request says changes it. */
  readonly fixedOrigin: string | undefined
  readonly hostTrust: HostTrust
  readonly keyring: Keyring
  /** Seals records: the same, unless they have a secret of their own. */
  readonly recordKeyring: Keyring
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly strategy: "jwt" | "database"
  /** Members of the user that clients see beside name, email and image. */
  readonly exposed: readonly string[]
  /** Seconds that code of the application may take; `undefined`: as long as it wants. */
  readonly deadlines: { readonly callback: number | undefined; readonly authorize: number | undefined }
  readonly jwt: {
    readonly secret: string | string[]
    readonly keyring: Keyring
  }
  readonly pages: Readonly<Partial<PagesOptions>>
  readonly callbacks: Readonly<CallbacksOptions>
  readonly theme: Readonly<Theme>
  readonly language: {
    /** The application said something about it. */
    readonly isChosen: boolean
    /** The first is used where none fits. */
    readonly offered: readonly string[]
    readonly choose: LanguageChooser | undefined
    /** Texts of the application, by language. */
    readonly own: ReadonlyMap<string, Partial<Texts>>
  }
  readonly links: Readonly<NonNullable<AuthConfig["links"]>>
  readonly cookies: { readonly plain: CookieTable; readonly secure: CookieTable }
  readonly skipCsrfCheck: boolean
  /** Where this deployment sends callbacks on to when it is the redirect proxy; `undefined`: no list was given. */
  readonly redirectProxyOrigins: readonly ProxyOrigin[] | undefined
  readonly raw: boolean
  readonly store: Store
  readonly records: Records
  /** `undefined`: nothing is limited. */
  readonly limits: Limits | undefined
  readonly features: Features
  readonly logger: Logger
  readonly events: EventSink
  readonly trail: TrailSink
  readonly caches: Caches
  /** Everything that is wrong, in the order it was found. */
  readonly problems: readonly AuthError[]
  /** Those of `problems` that make every answer unsafe: while there is one, the service answers nothing but an error. */
  readonly generalProblems: readonly AuthError[]
  /** Those of one provider, by its id: that provider is refused, and no other. */
  readonly providerProblems: ReadonlyMap<string, readonly AuthError[]>
  readonly warnings: readonly WarningCode[]
  /** What a warning is about, where the code alone does not say it. */
  readonly warningDetails: Readonly<Partial<Record<WarningCode, string>>>
}

/**
 * Logs a warning once for each logger: a configuration that is made anew for every request must not fill the log.
 * `detail` is what the configuration says of it, unless given.
 */
export function warnOnce(
  settings: Settings,
  code: WarningCode,
  detail: string | undefined = settings.warningDetails[code],
): void {
  const { caches, logger } = settings
  const key = keyOfLogger(settings)
  if (caches.loggedOnce.get(key, code)) return
  caches.loggedOnce.set(key, code, true)
  logger.warn(code, detail)
}

/** The logger by which it is remembered what was logged. */
export function keyOfLogger({ config }: Settings): object | string {
  const logger: unknown = config?.logger
  return typeof logger === "object" && logger !== null ? logger : "console"
}
