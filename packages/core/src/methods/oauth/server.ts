/** What is known of a provider's server: from the configuration, and from its discovery document where that says too little. */
import { type AuthorizationServer, processDiscoveryResponse } from "oauth4webapi"
import type { ResolvedOAuthProvider } from "../../config/settings.js"
import type { ContextOf } from "../../context/context.js"
import { Unfit } from "./faults.js"
import { assertNoPage, assertReachable, type CallLog, type Outbound, openOutbound } from "./outbound.js"
import { type Remembered, recall } from "./remember.js"

/** A request that is about a provider of OAuth 2 or OpenID Connect. */
export type OAuthContext = ContextOf<ResolvedOAuthProvider>

/** Stands for an issuer where the provider names none: nothing is ever compared with it, nothing fetched from it. */
export const noIssuer: string = "https://issuer.invalid"
const documentAge = 60 * 60

/** The server of a provider. What the configuration says beats what is discovered. */
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
  return outbound.within(recall(documentOf(context)))
}

function documentOf({ provider, settings, now, log }: OAuthContext): Remembered<AuthorizationServer> {
  const address = addressOf(provider)
  if (!address) throw new Unfit("the provider has neither issuer nor wellKnown, so nothing can be discovered")
  const expected = expectedIssuer(provider, address)
  return {
    cache: settings.caches.discovery,
    fetch: provider.fetch,
    name: `${address} ${expected ?? ""} ${provider.allowInsecureRequests}`,
    now,
    maxAge: documentAge,
    cooldown: documentAge,
    // The document belongs to all: it is not bound to the time of the request that happens to fetch it.
    load: () => fetchDocument({ provider, address, expected, log }),
  }
}

async function fetchDocument({
  provider,
  address,
  expected,
  log,
}: {
  readonly provider: ResolvedOAuthProvider
  readonly address: string
  readonly expected: string | undefined
  readonly log: CallLog
}): Promise<AuthorizationServer> {
  const { fetch } = openOutbound(provider, log)
  const response = assertNoPage(
    await fetch(address, { headers: { accept: "application/json" } }),
    "the discovery document",
  )
  if (response.status !== 200) {
    throw new Unfit(
      `the discovery document at ${address} answered with status ${response.status}, expected 200: is the issuer right?`,
    )
  }
  const issuer = expected ?? (await statedIssuer(response.clone()))
  const document = await processDiscoveryResponse(new URL(issuer), response)
  assertEndpoints(document, provider, new URL(address).protocol === "http:")
  return Object.freeze({ ...document })
}

/** Where the document is: beside the issuer, with one trailing slash dropped. */
function addressOf({ wellKnown, issuer }: ResolvedOAuthProvider): string | undefined {
  return (
    wellKnown ?? (issuer === undefined ? undefined : `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`)
  )
}

/** RFC 8414 §3.3: the document must name the issuer it was asked for. Only a bare `wellKnown` elsewhere names its own. */
function expectedIssuer({ issuer, config }: ResolvedOAuthProvider, address: string): string | undefined {
  const expected = issuer ?? /^(.+)\/\.well-known\/openid-configuration$/.exec(address)?.[1]
  if (expected === undefined) return undefined
  if (!URL.canParse(expected)) throw new Unfit(`the issuer "${expected}" is not an absolute address`)
  const { search, hash } = new URL(expected)
  // RFC 8414 §2
  if (search || hash) throw new Unfit(`the issuer "${expected}" has a query or a fragment`)
  return config.discoveryIssuer ? config.discoveryIssuer(expected) : expected
}

async function statedIssuer(response: Response): Promise<string> {
  const document = (await response.json().catch(() => undefined)) as { issuer?: unknown } | undefined
  if (typeof document?.issuer === "string" && URL.canParse(document.issuer)) return document.issuer
  throw new Unfit("the discovery document names no issuer")
}

const endpoints = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] as const

/** A document fetched over https must not lead to plain http, not even on loopback: it was not written on this machine. */
function assertEndpoints(document: AuthorizationServer, provider: ResolvedOAuthProvider, isLocal: boolean): void {
  for (const name of endpoints) {
    const value: unknown = document[name]
    if (value === undefined || value === null) continue
    if (typeof value !== "string") throw new Unfit(`${name} of the discovery document is not a string`)
    const { protocol } = assertReachable(value, provider.allowInsecureRequests)
    if (protocol === "http:" && !isLocal && !provider.allowInsecureRequests) {
      throw new Unfit(`${name} of the discovery document is plain http`)
    }
  }
}
