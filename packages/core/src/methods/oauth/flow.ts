/** What one sign-in at a provider needs: resolved once when it begins or comes back, then passed from step to step. */
import { type AuthorizationServer, type Client, type ClientAuth, processDiscoveryResponse } from "oauth4webapi"
import { presentFetch } from "../../config/oauth-provider.js"
import type { ResolvedOAuthProvider } from "../../config/settings.js"
import { addressesOf } from "../../context/urls.js"
import { isUrl } from "../../std/url.js"
import type { Profile } from "../../types/identity.js"
import type { OAuthConfig, ProviderAddresses } from "../../types/provider.js"
import { clientAuthenticationOf, clientOf, noIssuer, type OAuthContext } from "./client.js"
import { ProtocolError } from "./faults.js"
import { assertNoPage, assertReachable, type Outbound, openOutbound } from "./outbound.js"
import { getShared, type SharedFetch } from "./shared-fetch.js"

/** The request, and everything that follows from the provider it is about. */
export interface OAuthFlow extends OAuthContext {
  /** As configured and discovered. After the exchange of the code: under the issuer that this person's token names. */
  readonly server: AuthorizationServer
  readonly client: Client
  /** Makes the client authentication of the token endpoint; asked for where it is sent, because a secret may be signed anew. */
  readonly authenticate: () => Promise<ClientAuth>
  /** Where the provider sends the person back to. */
  readonly redirectUri: string
  /** Outbound requests; one deadline spans all calls. */
  readonly outbound: Outbound
}

/** Makes the flow of a sign-in. May fetch the discovery document, so call it only after the state of a response was checked. */
export async function openFlow(
  context: OAuthContext,
  outbound: Outbound = openOutbound(context.provider, context.log),
): Promise<OAuthFlow> {
  const server = await serverOf(context, outbound)
  return {
    ...context,
    server,
    client: clientOf(context),
    authenticate: () => clientAuthenticationOf(context, server),
    redirectUri: redirectUri(context),
    outbound,
  }
}

/** The configuration as functions of the provider are given it: with its addresses at this service. */
export function withAddresses(context: OAuthContext): OAuthConfig<Profile> & ProviderAddresses {
  const { config, id } = context.provider
  // With the members that are not listed: they keep the secret out of what is printed.
  return Object.defineProperties({ ...config, ...addressesOf(context, id) }, Object.getOwnPropertyDescriptors(config))
}

/** Where the provider sends the person back: here, or to the proxy. The same in both requests of a flow. */
function redirectUri(context: OAuthContext): string {
  const proxy = proxyOf(context)
  return proxy === undefined ? ownCallback(context) : `${proxy.replace(/\/$/, "")}/callback/${context.provider.id}`
}

/** The address that the proxy redirects the browser to; `undefined` where the provider redirects here directly. */
export function deploymentCallback(context: OAuthContext): string | undefined {
  return proxyOf(context) === undefined ? undefined : ownCallback(context)
}

/** The proxy that a sign-in at this deployment goes through; the proxy itself goes through none. */
function proxyOf(context: OAuthContext): string | undefined {
  return isProxy(context) ? undefined : context.provider.redirectProxyUrl
}

/** The callback of this deployment. */
export function ownCallback({ incoming, settings, provider }: OAuthContext): string {
  return `${incoming.origin}${settings.basePath}/callback/${provider.id}`
}

/** Is this deployment the proxy? */
export function isProxy({ incoming, provider }: OAuthContext): boolean {
  return provider.redirectProxyUrl !== undefined && new URL(provider.redirectProxyUrl).origin === incoming.origin
}

const documentAge = 60 * 60

/** The server of a provider. Configured values override discovered ones. */
export async function serverOf(context: OAuthContext, outbound: Outbound): Promise<AuthorizationServer> {
  const { provider } = context
  const found = provider.wellKnown === undefined ? undefined : await discover(context, outbound)
  return {
    issuer: provider.issuer ?? noIssuer,
    ...found,
    ...named("authorization_endpoint", provider.authorization),
    ...named("token_endpoint", provider.token?.url),
    ...named("userinfo_endpoint", provider.userinfo?.url),
    ...named("jwks_uri", provider.jwksEndpoint),
  }
}

function named(member: string, value: string | undefined): Partial<AuthorizationServer> {
  return value === undefined ? {} : { [member]: value }
}

/** Is the profile read from the userinfo endpoint? */
export function usesUserinfo(provider: ResolvedOAuthProvider): boolean {
  return provider.type === "oauth" || !provider.idToken
}

/** The provider's discovery document (OpenID Connect Discovery §4), fetched once for all requests and kept for an hour. */
export async function discover(context: OAuthContext, outbound: Outbound): Promise<AuthorizationServer> {
  return outbound.within(getShared(documentOf(context)))
}

function documentOf(context: OAuthContext): SharedFetch<AuthorizationServer> {
  const { provider, settings, now } = context
  const address = addressOf(provider)
  const expected = expectedIssuer(provider, address)
  return {
    cache: settings.caches.discovery,
    fetch: presentFetch(provider.fetch),
    name: `${address} ${provider.issuer ?? ""} ${expected ?? ""} ${provider.allowInsecureRequests}`,
    now,
    maxAge: documentAge,
    cooldown: documentAge,
    // All requests share the document, so it is not bound to the deadline of the request that fetches it.
    load: () => fetchDocument(context, { address, expected }),
  }
}

async function fetchDocument(
  { provider, log }: OAuthContext,
  { address, expected }: { readonly address: string; readonly expected: string | undefined },
): Promise<AuthorizationServer> {
  const { fetch } = openOutbound(provider, log)
  const response = assertNoPage(
    await fetch(address, { headers: { accept: "application/json" } }),
    "the discovery document",
  )
  if (response.status !== 200) {
    throw new ProtocolError(
      `the discovery document at ${address} answered with status ${response.status}, expected 200: is the issuer right?`,
    )
  }
  const stated = await statedIssuer(response.clone())
  // A provider's rule says what its own service states; one that states what is configured needs no rule.
  const issuer = stated !== undefined && stated === provider.issuer ? stated : (expected ?? stated)
  if (issuer === undefined) throw new ProtocolError("the discovery document names no issuer")
  const document = await processDiscoveryResponse(new URL(issuer), response)
  assertEndpoints(document, provider, new URL(address).protocol === "http:")
  return Object.freeze({ ...document })
}

/** Where the document is: beside the issuer, with one trailing slash dropped. It is not called for a provider that has neither. */
function addressOf({ wellKnown, issuer = "" }: ResolvedOAuthProvider): string {
  return wellKnown ?? `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
}

/** RFC 8414 §3.3: the document must name the issuer it was asked for. Only a bare `wellKnown` elsewhere names its own. */
function expectedIssuer({ issuer, config }: ResolvedOAuthProvider, address: string): string | undefined {
  const expected = issuer ?? /^(.+)\/\.well-known\/openid-configuration$/.exec(address)?.[1]
  if (expected === undefined) return undefined
  if (!isUrl(expected)) throw new ProtocolError(`the issuer "${expected}" is not an absolute address`)
  const { search, hash } = new URL(expected)
  // RFC 8414 §2
  if (search || hash) throw new ProtocolError(`the issuer "${expected}" has a query or a fragment`)
  return config.discoveryIssuer ? config.discoveryIssuer(expected) : expected
}

async function statedIssuer(response: Response): Promise<string | undefined> {
  const document = (await response.json().catch(() => undefined)) as { issuer?: unknown } | null | undefined
  if (typeof document?.issuer !== "string") return undefined
  assertShort("issuer", document.issuer)
  return isUrl(document.issuer) ? document.issuer : undefined
}

/** Characters. A host of marks is parsed in a time that grows with the square of its length. */
const longestAddress = 2048

function assertShort(name: string, { length }: string): void {
  if (length <= longestAddress) return
  throw new ProtocolError(
    `${name} of the discovery document has ${length} characters: expected at most ${longestAddress}`,
  )
}

const endpoints = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] as const

/** A document fetched over https must not lead to plain http, not even on loopback: it was not written on this machine. */
function assertEndpoints(document: AuthorizationServer, provider: ResolvedOAuthProvider, isLocal: boolean): void {
  // RFC 8705 §5: other addresses for the same, where the client shows a certificate.
  const { mtls_endpoint_aliases: aliases = {} } = document
  for (const [name, value] of endpoints.flatMap((one): [string, unknown][] => [
    [one, document[one]],
    [`mtls_endpoint_aliases.${one}`, aliases?.[one]],
  ])) {
    if (value === undefined || value === null) continue
    if (typeof value !== "string") throw new ProtocolError(`${name} of the discovery document is not a string`)
    assertShort(name, value)
    const { protocol } = assertReachable(value, provider.allowInsecureRequests)
    if (protocol === "http:" && !isLocal && !provider.allowInsecureRequests) {
      throw new ProtocolError(`${name} of the discovery document is plain http`)
    }
  }
}
