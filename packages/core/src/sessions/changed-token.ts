/**
 * What the jwt callback changed in a token, where reading the session fails afterwards: an application refreshes a provider's
 * token there, the refresh token works once, and the new one stands in the session cookie alone.
 */
import type { Context } from "../context/context.js"
import type { CookieChange } from "../http/result.js"
import type { JWT } from "../types/token.js"

const changed: unique symbol = Symbol("changed session cookie")

/** Keeps the cookie with the changed token for an answer that sets none of its own. */
export function keepChanged(context: Context, cookies: readonly CookieChange[]): void {
  context.once(changed, () => cookies)
}

/** The cookie that was kept; none where the callback changed nothing. */
export function changedCookie(context: Context): readonly CookieChange[] {
  return context.kept<readonly CookieChange[]>(changed) ?? []
}

/** Under this name the context keeps what {@link Peeked} says. */
export const peeked: unique symbol = Symbol("jwt callback")

/** The token of the request after the jwt callback, which is asked once for a request. */
export interface Peeked {
  readonly token: JWT | null
  /** The session cookie as the callback left it. */
  readonly cookies: readonly CookieChange[]
}
