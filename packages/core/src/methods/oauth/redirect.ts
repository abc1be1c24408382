/** Where the provider sends the person back to, directly or through the redirect proxy, and the parameters that come back there. */
import { decodeState, type StateClaims } from "../../checks/oauth.js"
import { isListed } from "../../config/addresses.js"
import { warnOnce } from "../../config/settings.js"
import { InvalidCheck, OAuthCallbackError } from "../../errors.js"
import { allowedBy, methodRefused } from "../../http/endpoints.js"
import { quoted } from "../../std/text.js"
import { isLoopbackHost } from "../../std/url.js"
import type { Detour } from "../method.js"
import type { OAuthContext } from "./server.js"

/** Longer than any callback: what browsers and servers still take as an address. */
const maxAddress = 16_000

/** Where the provider sends the person back: here, or to the proxy. The same in both requests of a flow. */
export function redirectUri(context: OAuthContext): string {
  const { provider } = context
  const base = provider.redirectProxyUrl
  return base !== undefined && !isProxy(context)
    ? `${base.replace(/\/$/, "")}/callback/${provider.id}`
    : ownCallback(context)
}

/** The address the proxy shall send the browser on to; nothing where the provider comes here directly. */
export function homeAddress(context: OAuthContext): string | undefined {
  return context.provider.redirectProxyUrl !== undefined && !isProxy(context) ? ownCallback(context) : undefined
}

function ownCallback({ incoming, settings, provider }: OAuthContext): string {
  return `${incoming.origin}${settings.basePath}/callback/${provider.id}`
}

/** Is this deployment the proxy? */
function isProxy({ incoming, provider }: OAuthContext): boolean {
  return provider.redirectProxyUrl !== undefined && new URL(provider.redirectProxyUrl).origin === incoming.origin
}

/** On the proxy: where this callback belongs, when it was begun elsewhere. Nothing is spent and nothing is exchanged. */
export async function detourOf(context: OAuthContext, params: URLSearchParams): Promise<Detour | undefined> {
  const state = isProxy(context) ? single(params, "state") : undefined
  if (state === undefined) return undefined
  const claims = await decodeState(context, state)
  if (claims.origin === undefined) return undefined
  const home = homeOf(claims.origin)
  if (home.origin === context.incoming.origin) return undefined
  assertSameProvider(context, claims, home)
  assertAllowed(context, home)
  const goTo = `${home.origin}${home.pathname}?${params}`
  if (goTo.length > maxAddress) throw new OAuthCallbackError("The callback is too long for the redirect proxy.")
  return { kind: "detour", goTo }
}

/** Behind a proxy a flow ends where it began: its state names the callback of this deployment, or of none. */
export async function assertHome(context: OAuthContext, state: string | undefined): Promise<void> {
  if (state === undefined || context.provider.redirectProxyUrl === undefined) return
  const { origin } = await decodeState(context, state)
  if (origin === undefined || origin === ownCallback(context)) return
  throw new InvalidCheck(
    `The flow began at ${homeOf(origin).origin}, but the callback arrived at ${context.incoming.origin}.`,
  )
}

/** The seal says who wrote the address, not that it is a good one. */
function homeOf(origin: string): URL {
  const home = URL.canParse(origin) ? new URL(origin) : undefined
  const isWeb = home?.protocol === "https:" || home?.protocol === "http:"
  if (home && isWeb && !home.username && !home.password) return home
  throw new OAuthCallbackError("The state contains no http(s) URL to forward the callback to.")
}

/** The code of one provider must never reach the flow of another (RFC 9700 §4.4). Auth.js seals the address only. */
function assertSameProvider(
  { provider }: OAuthContext,
  { provider: sealed = provider.id }: StateClaims,
  home: URL,
): void {
  const { pathname } = new URL(`/callback/${provider.id}`, home)
  if (sealed === provider.id && home.pathname.endsWith(pathname)) return
  const other = typeof sealed === "string" && sealed !== provider.id ? `provider "${sealed}"` : "another provider"
  throw new InvalidCheck(`The state was made for ${other}, the callback is for "${provider.id}". Begin again.`)
}

function assertAllowed({ settings }: OAuthContext, home: URL): void {
  const { redirectProxyOrigins: list } = settings
  if (list ? isListed(list, home) : home.protocol === "https:" || isLoopbackHost(home.hostname)) {
    if (!list) warnOnce(settings, "redirect-proxy-origins")
    return
  }
  const expected = list ? "an origin of the list" : "https, loopback, or a listed origin"
  throw new OAuthCallbackError(
    `The redirect proxy does not forward callbacks to ${home.origin}: expected ${expected} (\`redirectProxyOrigins\`).`,
  )
}

/** The parameters of this callback, repeated ones included: from the query, or from the body for providers that post a form. Never from both. */
export function callbackParams({ incoming, provider }: OAuthContext): URLSearchParams {
  const expected = provider.isFormPost ? "POST" : "GET"
  if (incoming.method !== expected) {
    const message = `Provider ${provider.id} answers with ${expected}, received ${incoming.method}.`
    throw methodRefused(message, allowedBy([{ method: expected }]))
  }
  return provider.isFormPost ? formParams(incoming.form, provider.id) : queryParams(incoming)
}

function formParams(form: Readonly<Record<string, unknown>>, provider: string): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    // A list is a parameter that was sent twice (RFC 6749 §3.1).
    if (typeof value !== "string")
      throw new OAuthCallbackError(`Provider ${provider} sent ${quoted(name)} as something other than a string.`)
    params.append(name, value)
  }
  return params
}

/** From the address itself, where a repeated parameter still shows. */
function queryParams({ url, query }: OAuthContext["incoming"]): URLSearchParams {
  const start = url.indexOf("?")
  return start < 0 ? new URLSearchParams({ ...query }) : new URLSearchParams(url.slice(start).split("#", 1)[0])
}

/** The one value of a parameter. */
export function single(params: URLSearchParams, name: string): string | undefined {
  const values = params.getAll(name)
  // RFC 6749 §3.1: parameters must not be repeated.
  if (values.length > 1) throw new OAuthCallbackError(`The provider sent "${name}" more than once.`)
  return values[0]
}
