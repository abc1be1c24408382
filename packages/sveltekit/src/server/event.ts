/** What is used of SvelteKit's event, and what the service gets of it. */
import { type AuthSource, type Connection, isReset } from "@latchkey/core"
import type { RequestEvent } from "@sveltejs/kit"
import { currentCookies } from "./cookies.js"

/** The part of a request event that is used. */
export type AuthEvent = Pick<RequestEvent, "cookies" | "locals" | "request" | "url"> &
  Partial<Pick<RequestEvent, "getClientAddress" | "isSubRequest" | "platform">>

/**
 * A source for reading a session: that depends on the scheme and the cookies, never on the host. `isStale`: cookies
 * were set since the request came.
 */
export function sessionSource(event: AuthEvent, isStale: boolean): AuthSource {
  const secure = event.url.protocol === "https:"
  return { headers: isStale ? currentHeaders(event) : event.request.headers, secure }
}

/** A source for actions, which make addresses. */
export function actionSource(event: AuthEvent): AuthSource {
  return { headers: currentHeaders(event), url: `${event.url.origin}/` }
}

/**
 * The address the request came from; `undefined` where the adapter knows none: while pages are made ahead it throws. `null` where
 * the other end has reset the connection.
 */
export function addressOf(
  event: Partial<Pick<RequestEvent, "getClientAddress" | "platform">>,
): string | null | undefined {
  try {
    return event.getClientAddress?.() ?? (isGone(event.platform) ? null : undefined)
  } catch {
    return isGone(event.platform) ? null : undefined
  }
}

/** The adapter for Node.js hands its request over. */
function isGone(platform: unknown): boolean {
  const { req } = (platform ?? {}) as { readonly req?: { readonly socket?: Connection } }
  return isReset(req?.socket)
}

/** What was done before in the same request counts. */
function currentHeaders(event: AuthEvent): Headers {
  const headers = new Headers(event.request.headers)
  headers.set("cookie", currentCookies(event))
  return headers
}
