/** What a provider is: five configurations, and what the browser may know of them. */
import type { OAuthProviderButtonStyles, Theme } from "./appearance.js"
import type {
  Account,
  AdapterUser,
  Awaitable,
  Profile,
  ProviderType,
  SemverString,
  TokenSet,
  User,
} from "./identity.js"

/** What every provider has. */
export interface CommonProviderOptions {
  /** Names the provider; part of its URLs. */
  id: string
  /** Label of its button. */
  name: string
  type: ProviderType
}

/** What is known of a provider beside its protocol: rendered into its documentation page. */
export interface ProviderNotes {
  /** Where an application is registered. */
  console?: string
  /** The provider's own documentation. */
  docs?: string
  /** What one has to know. */
  notes?: readonly string[]
}

/** A replacement for `fetch`, for proxies, certificates and tests. */
export type FetchFunction = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** A check that binds a callback to the browser that asked. */
export type OAuthCheck = "none" | "state" | "pkce"
/** As {@link OAuthCheck}, for OpenID Connect. */
export type OIDCCheck = OAuthCheck | "nonce"

/** An endpoint with query parameters. */
export interface EndpointOptions {
  url?: string | URL
  /** Members are put on the query; `claims` as JSON. */
  params?: Readonly<Record<string, unknown>>
}

/** Where the person is sent. */
export interface AuthorizationEndpoint extends EndpointOptions {}

/** Where the code is exchanged. */
export interface TokenEndpoint extends EndpointOptions {
  /** Sends the token request itself and answers with the tokens. */
  request?: (context: {
    provider: OAuthConfig<Profile>
    params: Readonly<Record<string, string>>
    checks: { code_verifier?: string }
    redirectUri: string
  }) => Awaitable<{ tokens: TokenSet }>
  /** Mends an answer that is not as RFC 6749 says; `undefined` keeps it. */
  conform?: (response: Response) => Awaitable<Response | undefined>
  /** Key for `private_key_jwt`. */
  clientPrivateKey?: CryptoKey | { key: CryptoKey; kid?: string }
}

/** Where the profile is read. */
export interface UserinfoEndpoint<P = Profile> extends EndpointOptions {
  /** Fetches the profile itself. */
  request?: (context: {
    tokens: TokenSet
    provider: OAuthConfig<P>
    /** The provider's own `fetch` with timeout and size limit. */
    fetch: FetchFunction
  }) => Awaitable<unknown>
  /** Mends an answer, for instance one that nests the profile; `undefined` keeps it. */
  conform?: (response: Response) => Awaitable<Response | undefined>
}

/** How this application presents itself to the provider (RFC 7591 §2 names). */
export interface OAuthClientOptions {
  client_id?: string
  client_secret?: string
  token_endpoint_auth_method?:
    | "client_secret_basic"
    | "client_secret_post"
    | "client_secret_jwt"
    | "private_key_jwt"
    | "none"
    | (string & {})
  id_token_signed_response_alg?: string
  userinfo_signed_response_alg?: string
  authorization_signed_response_alg?: string
  require_auth_time?: boolean
  default_max_age?: number
  [extra: string]: unknown
}

/** What a `profile` callback may use beside the profile. */
export interface ProfileTools {
  /** The provider's own `fetch` with timeout and size limit. */
  readonly fetch: FetchFunction
}

/** Maps what the provider says to a user. */
export type ProfileCallback<P> = (profile: P, tokens: TokenSet, tools?: ProfileTools) => Awaitable<User>
/** Chooses which tokens are stored with the account. */
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

/** An assertion this application signs with a key of its own. */
export interface AssertionToSign {
  /** Names the key (header `kid`). */
  readonly keyId: string
  /** The private key for ES256: PKCS #8 as PEM text, or a key of the runtime. */
  readonly privateKey: string | CryptoKey
  /** `sub` is the client's id unless it stands here. */
  readonly claims: Readonly<Record<string, string | number>>
}

/** Signs an assertion as a compact JWT. */
export type SignAssertion = (assertion: AssertionToSign) => Promise<string>

/** A provider of OAuth 2 (RFC 6749). */
export interface OAuth2Config<P> extends CommonProviderOptions, ProviderNotes {
  type: "oauth"
  clientId?: string
  /** The secret, or a function that makes one for a given time (Apple). */
  clientSecret?: string | ((now: Date, sign: SignAssertion) => Awaitable<string>)
  /** Issuer identifier: base of discovery and expected in tokens. */
  issuer?: string
  /** Address of the discovery document, where it is not below the issuer. */
  wellKnown?: string
  /** Address of the provider's keys, where discovery does not tell it. */
  jwks_endpoint?: string | URL
  authorization?: string | AuthorizationEndpoint
  token?: string | TokenEndpoint
  userinfo?: string | UserinfoEndpoint<P>
  /** @default ["pkce"] */
  checks?: readonly OAuthCheck[]
  client?: OAuthClientOptions
  /** @default id, name, email and image from the usual claims */
  profile?: ProfileCallback<P>
  /** @default access_token, id_token, refresh_token, expires_at, scope, token_type, session_state */
  account?: AccountCallback
  /** DANGER: links a sign-in to the user with the same address. Only for providers that prove addresses. @default false */
  allowDangerousEmailAccountLinking?: boolean
  /** Overrides the configuration's `redirectProxyUrl` for this provider. */
  redirectProxyUrl?: string
  style?: OAuthProviderButtonStyles
  /** DANGER: plain http beyond loopback, for container networks. @default false */
  allowInsecureRequests?: boolean
  /** Seconds that all calls to the provider may take together while one request is answered. @default 10 */
  timeout?: number
  /** Seconds the provider's clock may differ from ours. @default 30 */
  clockTolerance?: number
  /** The issuer a token of this provider must name, where it depends on the token's own claims (multi-tenant issuers). `undefined` refuses. */
  issuerOf?: (claims: Readonly<Record<string, unknown>>, configuredIssuer: string) => string | undefined
  /** The issuer the discovery document must name, where it is not the configured one. */
  discoveryIssuer?: (configuredIssuer: string) => string
  /** Adds to the profile what came with the callback itself (Apple's `user`). */
  callbackProfile?: (params: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>> | undefined
  /** Whether the profile says the address is proven; absent: by `email_verified`. */
  emailVerified?: (profile: P) => boolean | undefined
  /** What a caller gave to the provider function; merged over the rest. */
  options?: OAuthUserConfig<P>
}

/** A provider of OpenID Connect. */
export interface OIDCConfig<P> extends Omit<OAuth2Config<P>, "type" | "checks" | "options"> {
  type: "oidc"
  /** @default ["pkce"] */
  checks?: readonly OIDCCheck[]
  /** `false` reads the profile from the userinfo endpoint. @default true */
  idToken?: boolean
  options?: OIDCUserConfig<P>
}

/** A provider of either protocol. */
export type OAuthConfig<P> = OAuth2Config<P> | OIDCConfig<P>

/** What a caller may override of an OAuth provider. */
export type OAuthUserConfig<P> = Omit<Partial<OAuth2Config<P>>, "options" | "type">
/** What a caller may override of an OIDC provider. */
export type OIDCUserConfig<P> = Omit<Partial<OIDCConfig<P>>, "options" | "type">

/** What an e-mail sender is given. */
export interface SendVerificationRequestParams {
  /** The address, normalised. */
  identifier: string
  /** The link. */
  url: string
  /** When the link ends. */
  expires: Date
  provider: EmailConfig
  /** The plain token, part of `url`. */
  token: string
  theme: Theme
  /** The request that asked for the link, its body as JSON. */
  request: Request
}

/** A provider that proves an address by a link. */
export interface EmailConfig extends CommonProviderOptions, ProviderNotes {
  type: "email"
  /** Sender address. */
  from?: string
  /** Lifetime of the link in seconds. @default 3600 */
  maxAge?: number
  /** Hashes the tokens of this provider. @default the configuration's `secret` */
  secret?: string
  /** Key of the mail service. */
  apiKey?: string
  /** Transport of SMTP senders. */
  server?: unknown
  sendVerificationRequest: (params: SendVerificationRequestParams) => Awaitable<void>
  /** @default 32 random bytes in hex */
  generateVerificationToken?: () => Awaitable<string>
  /** Makes one address of what was typed, or throws. @default NFKC, lower case, trimmed, exactly one address */
  normalizeIdentifier?: (identifier: string) => string
  /** When a followed link shows a page with a button instead of signing in at once. @default "never" */
  confirm?: "never" | "other-browser" | "always"
  style?: OAuthProviderButtonStyles
  options?: EmailUserConfig
}

/** What a caller may override of an e-mail provider. */
export type EmailUserConfig = Omit<Partial<EmailConfig>, "options" | "type">

/** A field of the credentials form: attributes of its input. */
export interface CredentialInput {
  label?: string
  type?: string
  placeholder?: string
  value?: string | number | readonly string[]
  required?: boolean
  autocomplete?: string
  [attribute: string]: unknown
}

/** A provider whose proof the application checks itself. */
export interface CredentialsConfig<C extends Record<string, CredentialInput> = Record<string, CredentialInput>>
  extends CommonProviderOptions,
    ProviderNotes {
  type: "credentials"
  /** Fields of the form. */
  credentials: C
  /** Returns the user, or `null` when the credentials are wrong. The `id` becomes the account's `providerAccountId`. */
  authorize: (
    credentials: Partial<Record<keyof C, unknown>> & Record<string, unknown>,
    request: Request,
  ) => Awaitable<User | null>
  style?: OAuthProviderButtonStyles
  options?: Partial<CredentialsConfig<C>>
}

/** The party a credential is bound to (WebAuthn §4, Relying Party). */
export interface RelyingParty {
  /** The effective domain. @default the host name of the request */
  id: string
  /** @default the host of the request */
  name: string
  /** @default the origin of the request */
  origin: string
}

/** Who a WebAuthn ceremony is for. */
export type GetUserInfo = (
  options: WebAuthnCallbackOptions,
  request: { readonly query: Readonly<Record<string, string>>; readonly url: string },
) => Awaitable<{ user: User | AdapterUser; exists: true } | { user: Omit<User, "id">; exists: false } | null>

/** What WebAuthn callbacks may look at. */
export interface WebAuthnCallbackOptions {
  readonly provider: WebAuthnConfig
  readonly url: URL
  readonly adapter: { getUserByEmail?: (email: string) => Awaitable<AdapterUser | null> }
}

/** A provider of WebAuthn. */
export interface WebAuthnConfig extends CommonProviderOptions, ProviderNotes {
  type: WebAuthnProviderType
  /** Who this application is to authenticators. Arrays: the first element counts. */
  relayingParty?: {
    id?: string | string[]
    name?: string | string[]
    origin?: string | string[]
  }
  getRelayingParty?: (
    options: WebAuthnCallbackOptions,
    request: { readonly query: Readonly<Record<string, string>>; readonly url: string },
  ) => RelyingParty
  getUserInfo?: GetUserInfo
  /** Functions of the WebAuthn library in its version 9 form; only for applications that bring their own. */
  simpleWebAuthn?: unknown
  /** Offers passkeys while the person types. Only one provider can. @default true */
  enableConditionalUI?: boolean
  /** @deprecated the script is part of the page; nothing is loaded from elsewhere */
  simpleWebAuthnBrowserVersion?: SemverString | false
  /** Fields of the form on the sign-in page. */
  formFields?: Record<string, CredentialInput>
  authenticationOptions?: Readonly<Record<string, unknown>>
  registrationOptions?: Readonly<Record<string, unknown>>
  verifyAuthenticationOptions?: Readonly<Record<string, unknown>>
  verifyRegistrationOptions?: Readonly<Record<string, unknown>>
  style?: OAuthProviderButtonStyles
  options?: Partial<WebAuthnConfig>
}

/** The type of WebAuthn providers. */
export type WebAuthnProviderType = "webauthn"

/** A provider configuration of any type. */
// biome-ignore lint/suspicious/noExplicitAny: profiles and fields differ by provider; a list of them has no common parameter
export type ProviderConfig = OAuth2Config<any> | OIDCConfig<any> | EmailConfig | CredentialsConfig<any> | WebAuthnConfig
/** An entry of `providers`: a configuration, or a function that makes one from options. */
export type Provider = ProviderConfig | ((options?: never) => ProviderConfig)

/** A provider as the browser may know it. */
export interface PublicProvider {
  id: string
  name: string
  type: string
  signinUrl: string
  callbackUrl: string
}

/** The account as the default `account` callback keeps it. */
export type StoredTokens = Pick<
  Account,
  "access_token" | "id_token" | "refresh_token" | "expires_at" | "scope" | "token_type" | "session_state"
>
