/** Finishes a sign-in at a provider: the response is compared with the sealed checks, the code exchanged, the profile mapped. */
import { decodeState, type StateClaims, spendChecks } from "../../checks/oauth.js"
import { isListed } from "../../config/addresses.js"
import { warnOnce } from "../../config/settings.js"
import { enterExchange } from "../../context/tries.js"
import { InvalidCheck, OAuthCallbackError } from "../../errors.js"
import { allowedBy, methodRefused } from "../../http/endpoints.js"
import { repeatedIn } from "../../http/fields.js"
import { quoted } from "../../std/text.js"
import { isLoopbackHost, isUrl } from "../../std/url.js"
import type { Detour, Proof } from "../method.js"
import { oauthPolicy } from "../policy.js"
import type { OAuthContext } from "./client.js"
import { exchange, malformed, single } from "./exchange.js"
import { asCallbackError, isCancelCode } from "./faults.js"
import { isProxy, openFlow, ownCallback, serverOf } from "./flow.js"
import { type Outbound, openOutbound } from "./outbound.js"
import { fetchProfile, mapProfile } from "./profile.js"

/** Verifies a callback. One deadline spans all calls to the provider. */
export async function finish(context: OAuthContext): Promise<Proof | Detour> {
  try {
    const params = callbackParams(context)
    return (await detourOf(context, params)) ?? (await prove(context, params))
  } catch (error) {
    throw asCallbackError(error, context.provider.id)
  }
}

async function prove(context: OAuthContext, params: URLSearchParams): Promise<Proof> {
  // RFC 6749 §10.12: the answer belongs to the browser that asked. If it is refused here, nothing is sent to the provider, and
  // nothing is counted: pages of others can send any number of such answers from a browser of the same network.
  assertNotCancelled(context, params)
  const outbound = openOutbound(context.provider, context.log)
  const answered = { state: single(params, "state"), mayLackState: () => mayLackState(context, outbound) }
  const { state, codeVerifier, nonce, returnTo, begunBy } = await spendChecks(context, answered)
  await assertSameDeployment(context, state)
  const passage = await enterExchange(context)
  const exchanged = await exchange(await openFlow(context, outbound), { params, codeVerifier, nonce })
  const profile = await fetchProfile(exchanged, params)
  await passage.leave("succeeded")
  return {
    kind: "proof",
    policy: oauthPolicy(context.provider),
    ...(await mapProfile(exchanged, profile)),
    profile,
    // OpenID Connect Core 1.0 §2. What else a provider answers with may be what people have written about themselves.
    ...(exchanged.claims?.auth_time !== undefined && { authTime: Math.floor(exchanged.claims.auth_time) }),
    mayLinkByEmail: context.provider.allowDangerousEmailAccountLinking,
    begunBy,
    returnTo,
  }
}

/**
 * RFC 6749 §4.1.2.1 wants the state in a refusal as well; some providers leave it out. Nothing else of such an answer is
 * used: it signs nobody in, and forging it only leads to the sign-in page.
 */
function assertNotCancelled({ provider }: OAuthContext, params: URLSearchParams): void {
  if (params.has("state") || params.has("code") || !isCancelCode(single(params, "error"))) return
  throw new OAuthCallbackError(`Sign-in with ${provider.id} was cancelled.`, {
    cause: { code: "access_denied", provider: provider.id },
  })
}

/** RFC 9700 §2.1.1: PKCE stands in for the state where the server is known to support it. A nonce does, where that is agreed. */
async function mayLackState(context: OAuthContext, outbound: Outbound): Promise<boolean> {
  const { checks, config, type } = context.provider
  if (config.losesState === true && type === "oidc" && checks.includes("nonce")) return true
  if (!checks.includes("pkce") || config.pkceMethod === "plain") return false
  const { code_challenge_methods_supported: methods } = await serverOf(context, outbound)
  return Array.isArray(methods) && methods.includes("S256")
}

/** Longer than any callback: what browsers and servers still take as an address. */
const maxAddress = 16_000

/** On the redirect proxy: the deployment at which this flow began, if it is another one. No cookie is consumed and no code exchanged. */
async function detourOf(context: OAuthContext, params: URLSearchParams): Promise<Detour | undefined> {
  const state = isProxy(context) ? single(params, "state") : undefined
  if (state === undefined) return undefined
  const claims = await decodeState(context, state)
  if (claims.origin === undefined) return undefined
  const deployment = deploymentOf(claims.origin)
  if (deployment.origin === context.incoming.origin) return undefined
  assertSameProvider(context, claims, deployment)
  assertAllowed(context, deployment)
  const goTo = `${deployment.origin}${deployment.pathname}?${params}`
  if (goTo.length > maxAddress) throw new OAuthCallbackError("The callback is too long for the redirect proxy.")
  return { kind: "detour", goTo }
}

/** Behind a proxy a flow ends where it began: its state names the callback of this deployment, or of none. */
async function assertSameDeployment(context: OAuthContext, state: string | undefined): Promise<void> {
  if (state === undefined || context.provider.redirectProxyUrl === undefined) return
  const { origin } = await decodeState(context, state)
  if (origin === undefined || origin === ownCallback(context)) return
  throw new InvalidCheck(
    `The flow began at ${deploymentOf(origin).origin}, but the callback arrived at ${context.incoming.origin}.`,
  )
}

/** The seal proves who wrote the address, not that it is a valid one. */
function deploymentOf(origin: string): URL {
  const deployment = isUrl(origin) ? new URL(origin) : undefined
  const isWeb = deployment?.protocol === "https:" || deployment?.protocol === "http:"
  if (deployment && isWeb && !deployment.username && !deployment.password) return deployment
  throw new OAuthCallbackError("The state contains no http(s) URL to forward the callback to.")
}

/** The code of one provider must never reach the flow of another (RFC 9700 §4.4). Auth.js seals the address only. */
function assertSameProvider(
  { provider }: OAuthContext,
  { provider: sealed = provider.id }: StateClaims,
  deployment: URL,
): void {
  const { pathname } = new URL(`/callback/${provider.id}`, deployment)
  if (sealed === provider.id && deployment.pathname.endsWith(pathname)) return
  const other = typeof sealed === "string" && sealed !== provider.id ? `provider "${sealed}"` : "another provider"
  throw new InvalidCheck(`The state was made for ${other}, the callback is for "${provider.id}". Begin again.`)
}

function assertAllowed({ settings }: OAuthContext, deployment: URL): void {
  const { redirectProxyOrigins: list } = settings
  if (list ? isListed(list, deployment) : deployment.protocol === "https:" || isLoopbackHost(deployment.hostname)) {
    if (!list) warnOnce(settings, "redirect-proxy-origins")
    return
  }
  const expected = list ? "an origin of the list" : "https, loopback, or a listed origin"
  throw new OAuthCallbackError(
    `The redirect proxy does not forward callbacks to ${deployment.origin}: expected ${expected} (\`redirectProxyOrigins\`).`,
  )
}

/** The parameters of this callback, repeated ones included: from the query, or from the body for providers that post a form. Never from both. */
function callbackParams({ incoming, provider }: OAuthContext): URLSearchParams {
  const expected = provider.isFormPost ? "POST" : "GET"
  if (incoming.method !== expected) {
    const message = `Provider ${provider.id} answers with ${expected}, received ${incoming.method}.`
    throw methodRefused(message, allowedBy([{ method: expected }]))
  }
  const params = provider.isFormPost ? formParams(incoming.form) : queryParams(incoming)
  for (const name of ["state", "code", "error", "iss"]) single(params, name)
  return params
}

function formParams(form: Readonly<Record<string, unknown>>): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    // A list is a parameter that was sent twice (RFC 6749 §3.1).
    if (typeof value !== "string") throw malformed(`The response has ${quoted(name)} as something other than a string.`)
    params.append(name, value)
  }
  // Read as one value, and still sent twice.
  for (const name of repeatedIn(form)) params.append(name, "")
  return params
}

/** From the address itself, where a repeated parameter still shows. */
function queryParams({ url, query }: OAuthContext["incoming"]): URLSearchParams {
  const start = url.indexOf("?")
  return start < 0 ? new URLSearchParams({ ...query }) : new URLSearchParams(url.slice(start).split("#", 1)[0])
}
