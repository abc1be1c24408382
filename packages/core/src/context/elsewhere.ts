/** Requests that need no token and are counted as they arrive: a page of another site must not send them in the name of its visitors. */
import { MissingCSRF } from "../errors.js"
import { isPrefetch } from "../http/incoming.js"
import type { Context } from "./context.js"

/** A visit in the modes that only browsers choose for one; a service worker of the application may pass it on as the second. */
const visiting: readonly string[] = ["navigate", "same-origin"]
/** Neither a frame nor part of a page; a service worker leaves it empty. */
const ofItsOwn: readonly string[] = ["document", "empty"]

/**
 * Refuses what a page elsewhere has a browser send, as far as the browser says so (Fetch Metadata): it would use up what everybody
 * behind the visitor's address may do. People follow a mailed link from anywhere; passkeys are asked for by the application's own pages,
 * also on other origins that its relying party lists.
 * @throws MissingCSRF for such a request
 */
export function refuseElsewhere(context: Context): void {
  if (isMeant(context)) return
  throw new MissingCSRF(
    "A page of another site sent the request, or a page had it fetched ahead, by what the browser says of it (`Sec-Fetch-*`, `Sec-Purpose`).",
  )
}

function isMeant({ provider, incoming }: Context): boolean {
  // Speculation rules of a page have it fetched ahead as if somebody had typed the address. Nobody has passkeys asked for like that.
  if (provider?.type === "webauthn" && isPrefetch(incoming)) return false
  const { method, caller, headers } = incoming
  const site = headers.get("sec-fetch-site")
  if (caller === "server" || (site !== "cross-site" && site !== "same-site")) return true
  if (provider?.type === "webauthn") return isListed(provider.config, headers)
  return provider?.type !== "email" || method !== "GET" || isVisit(headers)
}

type Headers = Context["incoming"]["headers"]

function isVisit(headers: Headers): boolean {
  const mode = headers.get("sec-fetch-mode")
  const dest = headers.get("sec-fetch-dest")
  return (mode === null || visiting.includes(mode)) && (dest === null || ofItsOwn.includes(dest))
}

/** A page that reads the answer says its origin. Which one `getRelayingParty` allows is found when the answer of a passkey is verified. */
function isListed({ relayingParty, getRelayingParty }: WebAuthn["config"], headers: Headers): boolean {
  const origin = headers.get("origin")
  if (origin === null) return false
  return getRelayingParty !== undefined || [relayingParty?.origin ?? []].flat().includes(origin)
}

type WebAuthn = Extract<NonNullable<Context["provider"]>, { type: "webauthn" }>
