/** The redirect proxy: a deployment with a fixed address takes the callback of one without, and sends the browser home. */
import { decodeState } from "../../checks/oauth.js"
import { OAuthCallbackError } from "../../errors.js"
import type { Detour } from "../method.js"
import { single } from "./params.js"
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
  const { origin } = await decodeState(context, state)
  if (origin === undefined) return undefined
  const home = homeOf(origin)
  if (home.origin === context.incoming.origin) return undefined
  const goTo = `${home.origin}${home.pathname}?${params}`
  if (goTo.length > maxAddress)
    throw new OAuthCallbackError("The callback is too long to be sent on by the redirect proxy.")
  return { kind: "detour", goTo }
}

/** The seal says who wrote the address, not that it is a good one. */
function homeOf(origin: string): URL {
  const home = URL.canParse(origin) ? new URL(origin) : undefined
  const isWeb = home?.protocol === "https:" || home?.protocol === "http:"
  if (home && isWeb && !home.username && !home.password) return home
  throw new OAuthCallbackError("The state names no http(s) address to send the callback on to.")
}
