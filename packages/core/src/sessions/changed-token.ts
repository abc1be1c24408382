/**
 * What the jwt callback changed in a token, where reading the session fails afterwards: an application refreshes a provider's
 * token there, the refresh token works once, and the new one stands in the session cookie alone.
 */
import type { Context } from "../context/context.js"
import type { CookieChange } from "../http/result.js"
import type { JWT } from "../types/token.js"
import { writeToken } from "./jwt-cookie.js"
import { type ExtendedToken, extendToken, type LiveToken, limitOf } from "./managed-token.js"

const changed: unique symbol = Symbol("changed session cookie")

/** Keeps the cookie with the changed token for an answer that sets none of its own. */
export function keepChanged(context: Context, cookies: readonly CookieChange[]): void {
  context.once(changed, () => cookies)
}

/** The cookie that was kept; none where the callback changed nothing. */
export function changedCookie(context: Context): readonly CookieChange[] {
  return context.kept<readonly CookieChange[]>(changed) ?? []
}

/** Extends a session whose token has changed. While the records are away the answer is an error, and the change is kept without an extension. */
export async function extendChanged(context: Context, live: LiveToken, token: JWT): Promise<ExtendedToken | null> {
  try {
    return await extendToken(context, live)
  } catch (error) {
    keepChanged(context, await writeToken(context, token, limitOf(context, live.session)))
    throw error
  }
}
