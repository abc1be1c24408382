/** What a provider of OAuth 2 or OpenID Connect is. */
import type { customFetch } from "../std/fetch-marker.js"
import type { OAuthProviderButtonStyles } from "./appearance.js"
import type { Account, Awaitable, Profile, TokenSet, User } from "./identity.js"
import type { CommonProviderOptions, FetchFunction, ProviderNotes } from "./provider-common.js"

/** A check that binds a callback to the browser that asked. */
export type OAuthCheck = "none" | "state" | "pkce"
/** As {@link OAuthCheck}, for OpenID Connect. */
export type OIDCCheck = OAuthCheck | "nonce"

/** An endpoint with query parameters. */
export interface EndpointOptions {
  /** Address of the endpoint. */
  url?: string | URL | undefined
  /** Members are put on the query; `claims` as JSON. */
  params?: Readonly<Record<string, unknown>> | undefined
}

/** Where the person is sent. */
export interface AuthorizationEndpoint extends EndpointOptions {}

/** Where a provider is reached at this service. */
export interface ProviderAddresses {
  /** Address that a form posts to in order to sign in. */
  signinUrl: string
  /** Address that the provider redirects to. */
  callbackUrl: string
}

/** Where the code is exchanged. */
export interface TokenEndpoint extends EndpointOptions {
  /** Sends the token request itself and answers with the tokens. */
  request?: (context: {
    provider: OAuthConfig<Profile> & ProviderAddresses
    params: Readonly<Record<string, string>>
    checks: { code_verifier?: string }
    redirectUri: string
    /** The provider's own `fetch` with timeout and size limit. */
    fetch: FetchFunction
  }) => Awaitable<{ tokens: TokenSet }>
  /** Corrects a response that is not as RFC 6749 requires; `undefined` keeps it. */
  conform?: ((response: Response) => Awaitable<Response | undefined>) | undefined
  /** Key for `private_key_jwt`. */
  clientPrivateKey?: CryptoKey | { key: CryptoKey; kid?: string } | undefined
  /**
   * Audience of the assertions of `private_key_jwt` and `client_secret_jwt`, for a provider that expects its token
   * endpoint there. @default the issuer; the token endpoint where the provider has none, or one for each tenant
   */
  assertionAudience?: string | undefined
}

/** Where the profile is read. */
export interface UserinfoEndpoint<P = Profile> extends EndpointOptions {
  /** Fetches the profile itself. */
  request?: (context: {
    tokens: TokenSet
    provider: OAuthConfig<P> & ProviderAddresses
    /** The provider's own `fetch` with timeout and size limit. */
    fetch: FetchFunction
  }) => Awaitable<unknown>
  /** Corrects a response, for instance one that nests the profile; `undefined` keeps it. */
  conform?: ((response: Response) => Awaitable<Response | undefined>) | undefined
}

/** How this application presents itself to the provider (RFC 7591 §2 names). */
export interface OAuthClientOptions {
  /** The client id. @default `clientId` */
  client_id?: string | undefined
  /** The client secret. @default `clientSecret` */
  client_secret?: string | undefined
  /** How the client authenticates at the token endpoint. @default "client_secret_basic" */
  token_endpoint_auth_method?:
    | "client_secret_basic"
    | "client_secret_post"
    | "client_secret_jwt"
    | "private_key_jwt"
    | "none"
    | (string & {})
    | undefined
  /** Algorithm of the ID token, as registered. @default what the metadata announce, else "RS256" */
  id_token_signed_response_alg?: string | undefined
  /** Algorithm of a signed userinfo response, as registered. */
  userinfo_signed_response_alg?: string | undefined
  /** Algorithm of a signed authorization response, as registered. */
  authorization_signed_response_alg?: string | undefined
  /** The ID token must contain `auth_time`. */
  require_auth_time?: boolean | undefined
  /** The highest age of the sign-in at the provider, in seconds. */
  default_max_age?: number | undefined
  [extra: string]: unknown
}

/** What a `profile` callback that names a third parameter may use beside the profile. */
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
export interface OAuth2Config<P, Id extends string = string> extends CommonProviderOptions<Id>, ProviderNotes {
  /** OAuth 2. */
  type: "oauth"
  /** The client id, from the registration at the provider. @default `AUTH_<ID>_ID` */
  clientId?: string | undefined
  /** The secret, or a function that makes one for a given time (Apple). */
  clientSecret?: string | ((now: Date, sign: SignAssertion) => Awaitable<string>) | undefined
  /** Issuer identifier: base of discovery and expected in tokens. */
  issuer?: string | undefined
  /** Address of the discovery document, where it is not below the issuer. */
  wellKnown?: string | undefined
  /** Address of the provider's keys, where discovery does not tell it. */
  jwks_endpoint?: string | URL | undefined
  /** The authorization endpoint. @default discovered */
  authorization?: string | AuthorizationEndpoint | undefined
  /** The token endpoint. @default discovered */
  token?: string | TokenEndpoint | undefined
  /** The userinfo endpoint. @default discovered */
  userinfo?: string | UserinfoEndpoint<P> | undefined
  /** Which checks bind the response to the browser. Without any (`["none"]`), a warning names the provider. @default ["pkce"] */
  checks?: readonly OAuthCheck[] | undefined
  /** How the code challenge of `pkce` is made; `plain` only for a provider that knows nothing else. @default "S256" */
  pkceMethod?: "S256" | "plain" | undefined
  /**
   * The provider is known not to send the `state` back: an answer without it is taken where an OpenID provider is
   * checked by `nonce`. Without it such an answer is refused, unless the check `pkce` is on and the provider's metadata
   * announce S256 (RFC 9700 §2.1.1).
   * @default false
   */
  losesState?: boolean | undefined
  /** Further metadata of the client. */
  client?: OAuthClientOptions | undefined
  /** Maps the profile to a user. @default id, name, email and image from the usual claims */
  profile?: ProfileCallback<P> | undefined
  /** Chooses the tokens that are stored with the account. @default access_token, id_token, refresh_token, expires_at, scope, token_type, session_state */
  account?: AccountCallback | undefined
  /** DANGER: links a sign-in to the user with the same address. Only for providers that prove addresses. @default false */
  allowDangerousEmailAccountLinking?: boolean | undefined
  /** Replaces `fetch` for everything that is asked of this provider. */
  [customFetch]?: FetchFunction | undefined
  /** Overrides the configuration's `redirectProxyUrl` for this provider. */
  redirectProxyUrl?: string | undefined
  /** Look of its button. */
  style?: OAuthProviderButtonStyles | undefined
  /** DANGER: plain http beyond loopback, for container networks. @default false */
  allowInsecureRequests?: boolean | undefined
  /** Seconds that all calls to the provider may take together while one request is answered. @default 10 */
  timeout?: number | undefined
  /** Seconds the provider's clock may differ from ours. @default 30 */
  clockTolerance?: number | undefined
  /**
   * The issuer a token of this provider must name, where it depends on the token's own claims (multi-tenant issuers). `undefined`
   * refuses. A `sub` is kept apart within one issuer alone: where tenants choose their own, let `profile` put the tenant into `id`.
   * A key of the set that says for which issuer it is (`issuer`, with `{tenantid}` for the claim `tid`) signs for that one alone.
   */
  issuerOf?: (claims: Readonly<Record<string, unknown>>, configuredIssuer: string) => string | undefined
  /** The issuer the discovery document must name, where it is not the configured one. `undefined` takes the one it names. */
  discoveryIssuer?: ((configuredIssuer: string) => string | undefined) | undefined
  /** Adds to the profile what came with the callback itself (Apple's `user`). */
  callbackProfile?: (params: Readonly<Record<string, string>>) => Readonly<Record<string, unknown>> | undefined
  /**
   * Whether an address that this provider gives is verified: `true` or `false`; `undefined` counts as `false`. Return `true`
   * for all of them where the provider verifies every address. `"unstated"` proves nothing either, but keeps the address in
   * the row, and the account when the owner of the address comes: only for addresses that nobody but their owner can enter.
   * @default by `email_verified` of the profile
   */
  emailVerified?: (profile: P) => boolean | "unstated" | undefined
  /**
   * Keeps an address in the row of a new user although the profile calls it unverified. Otherwise such an address is
   * left out of the row wherever people can be found by address. @default false
   */
  allowUnverifiedEmail?: boolean | undefined
  /** What a caller gave to the provider function; merged over the rest. */
  options?: (Omit<OAuthUserConfig<P>, "checks"> & { checks?: readonly OIDCCheck[] | undefined }) | undefined
}

/** A provider of OpenID Connect. */
export interface OIDCConfig<P, Id extends string = string>
  extends Omit<OAuth2Config<P, Id>, "type" | "checks" | "options"> {
  /** OpenID Connect. */
  type: "oidc"
  /** Which checks bind the response to the browser. Without any (`["none"]`), a warning names the provider. @default ["pkce"] */
  checks?: readonly OIDCCheck[] | undefined
  /** `false` reads the profile from the userinfo endpoint. @default true */
  idToken?: boolean | undefined
  /** What a caller gave to the provider function; merged over the rest. */
  options?: OIDCUserConfig<P> | undefined
}

/** A provider of either protocol. */
export type OAuthConfig<P> = OAuth2Config<P> | OIDCConfig<P>

/** What a caller may override of an OAuth provider. */
export type OAuthUserConfig<P> = Omit<Partial<OAuth2Config<P>>, "options" | "type">
/** What a caller may override of an OIDC provider. */
export type OIDCUserConfig<P> = Omit<Partial<OIDCConfig<P>>, "options" | "type">

/** The account as the default `account` callback keeps it. */
export type StoredTokens = Pick<
  Account,
  "access_token" | "id_token" | "refresh_token" | "expires_at" | "scope" | "token_type" | "session_state"
>
