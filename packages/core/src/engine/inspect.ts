/** What a configuration came to, for tools such as the command line: facts alone, nothing that leads to a secret. */
import type { ResolvedProvider, Settings } from "../config/settings.js"
import type { Adapter } from "../types/adapter.js"
import type { ProviderType } from "../types/identity.js"
import type { RecordStore } from "../types/records.js"
import type { AuthService } from "./public.js"
import { settingsOf } from "./service.js"

/** What is known of one provider. Of its client it says whether there is something, never what. */
export interface ProviderInspection {
  /** Id of the provider. */
  readonly id: string
  /** Type of the provider. */
  readonly type: ProviderType
  /** The client id, which is no secret: every authorization request shows it. OAuth and OpenID Connect alone. */
  readonly clientId?: string | undefined
  /** `false` where a client has to have a secret, and has none. OAuth and OpenID Connect alone. */
  readonly hasClientSecret?: boolean
  /** Issuer identifier, where it has one. */
  readonly issuer?: string | undefined
  /** Address of the discovery document, where it is asked for one. */
  readonly wellKnown?: string | undefined
  /** Base of the callback address where it is that of a redirect proxy. */
  readonly redirectProxyUrl?: string | undefined
}

/** What a configuration came to. */
export interface AuthInspection
  extends Readonly<
    Pick<
      Settings,
      | "basePath"
      | "strategy"
      | "problems"
      | "generalProblems"
      | "providerProblems"
      | "warnings"
      | "warningDetails"
      | "hostTrust"
      | "pages"
    >
  > {
  /** Seconds a session lives after its last extension. */
  readonly sessionMaxAge: number
  /** Seconds between two extensions. */
  readonly sessionUpdateAge: number
  /** `undefined`: by the scheme of the request. */
  readonly useSecureCookies: boolean | undefined
  /** By id. */
  readonly providers: ReadonlyMap<string, ProviderInspection>
  /** The origin that `AUTH_URL` fixes. */
  readonly origin: string | undefined
  /** Seconds until a token of a jwt session ends. */
  readonly jwtMaxAge: number
  /** What is known of the data layer. */
  readonly store: {
    /** Is there an adapter at all? */
    readonly isPresent: boolean
    /** Does the adapter offer the operation, on itself or its prototype? */
    has(operation: keyof Adapter): boolean
  }
  /** Are records kept at all? */
  readonly hasRecords: boolean
  /** `undefined`: nothing is limited. `isShared`: counted in records, for all processes; else in the memory of each. */
  readonly limits: { readonly isShared: boolean; readonly hasAddress: boolean } | undefined
  /** The data layer, as it was handed in. */
  readonly adapter: Adapter | undefined
  /** The store of records beside it, as it was handed in. */
  readonly records: RecordStore | undefined
}

/** Tells what the configuration of a service came to; `undefined` for anything that `createAuth` did not make. */
export function inspectAuth(auth: AuthService): AuthInspection
export function inspectAuth(auth: unknown): AuthInspection | undefined
export function inspectAuth(auth: unknown): AuthInspection | undefined {
  const settings = settingsOf(auth)
  if (!settings) return undefined
  const { basePath, strategy, problems, generalProblems, providerProblems, warnings, warningDetails, store } = settings
  const { hostTrust, options, pages } = settings
  return {
    basePath,
    strategy,
    problems,
    generalProblems,
    providerProblems,
    warnings,
    warningDetails,
    hostTrust,
    pages,
    sessionMaxAge: options["session.maxAge"],
    sessionUpdateAge: options["session.updateAge"],
    useSecureCookies: options.useSecureCookies,
    origin: settings.fixedOrigin,
    jwtMaxAge: options["jwt.maxAge"],
    providers: new Map([...settings.providers.values()].map((provider) => [provider.id, factsOf(provider)])),
    store: { isPresent: store.isPresent, has: (operation) => store.has(operation) },
    hasRecords: settings.records.isPresent,
    limits: settings.limits && {
      isShared: settings.records.isPresent,
      hasAddress: settings.limits.address !== undefined,
    },
    adapter: store.isPresent ? settings.config.adapter : undefined,
    records: settings.config.records,
  }
}

function factsOf(provider: ResolvedProvider): ProviderInspection {
  const { id, type } = provider
  if (provider.type !== "oauth" && provider.type !== "oidc") return { id, type }
  const { client, clientId, clientSecret, issuer, redirectProxyUrl, wellKnown } = provider
  // A client without a secret of its own says so (RFC 8414 §2), or proves itself otherwise.
  const method = client["token_endpoint_auth_method"]
  const isWithout = method === "none" || method === "private_key_jwt" || method === "tls_client_auth"
  const hasClientSecret = isWithout || (clientSecret !== undefined && clientSecret !== "")
  return { id, type, clientId, hasClientSecret, issuer, wellKnown, redirectProxyUrl }
}
