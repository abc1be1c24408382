/** Whether passkeys can be used, who this application is to authenticators, and what the provider's callbacks may look at. */
import type { ResolvedWebAuthnProvider } from "../../config/settings.js"
import type { Context, ContextOf } from "../../context/context.js"
import { ExperimentalFeatureNotEnabled, InvalidProvider, MissingAdapterMethods } from "../../errors.js"
import type { RelyingParty, WebAuthnCallbackOptions } from "../../types/provider.js"

/** A relying party, with every origin its ceremonies may come from. */
export interface Party extends RelyingParty {
  readonly origins: readonly string[]
}

/** What a callback of the provider may know of the request. */
export type CallbackRequest = Parameters<NonNullable<ResolvedWebAuthnProvider["config"]["getRelayingParty"]>>[1] & {
  readonly method: "GET" | "POST"
}

/** A request that is about a provider of passkeys. */
export type PasskeyContext = ContextOf<ResolvedWebAuthnProvider>

/**
 * The request, known to be about a provider of passkeys.
 * @throws ExperimentalFeatureNotEnabled while the switch is off.
 */
export function forPasskeys(context: Context): PasskeyContext {
  const { provider, settings } = context
  if (provider?.type !== "webauthn") throw new InvalidProvider("This needs a provider of type `webauthn`.")
  if (settings.options["experimental.enableWebAuthn"]) return { ...context, provider }
  throw new ExperimentalFeatureNotEnabled("WebAuthn needs `experimental: { enableWebAuthn: true }`.")
}

/** A passkey for an unproven address must be removable when its owner arrives. */
export function expectRemovable({ settings }: Context): void {
  if (settings.store.has("unlinkAccount")) return
  throw new MissingAdapterMethods(
    "Registering a passkey without being signed in needs `unlinkAccount` of the adapter: it removes the passkey when the owner of the address signs in.",
  )
}

/** The relying party: what the provider says, else the trusted origin. */
export function partyOf(context: PasskeyContext): Party {
  const { config } = context.provider
  const options = callbackOptions(context)
  const own = config.getRelayingParty?.(options, callbackRequest(context, context.incoming.query))
  const { relayingParty: given } = config
  const { url } = options
  if (own) return { ...own, origins: originsOf(own.origin, given?.origin) }
  const origin = first(given?.origin) ?? url.origin
  return {
    id: first(given?.id) ?? url.hostname,
    name: first(given?.name) ?? url.host,
    origin,
    origins: originsOf(origin, given?.origin),
  }
}

/** What callbacks are given: read access only. */
export function callbackOptions(context: PasskeyContext): WebAuthnCallbackOptions & { readonly basePath: string } {
  const { store, basePath } = context.settings
  return {
    provider: context.provider.config,
    url: new URL(context.incoming.url),
    basePath,
    // No store looks up an empty address: all users without an address have it.
    adapter: { getUserByEmail: async (email) => (email ? store.getUserByEmail(email) : null) },
  }
}

/** The request as callbacks see it. */
export function callbackRequest({ incoming }: Context, query: Readonly<Record<string, string>>): CallbackRequest {
  return { query, url: incoming.url, method: incoming.method }
}

/** The origin that was chosen, and the others where the provider lists several and chose one of them. */
function originsOf(chosen: string, listed: string | readonly string[] | undefined): readonly string[] {
  return Array.isArray(listed) && listed.includes(chosen) ? [...listed] : [chosen]
}

function first(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0]
}
