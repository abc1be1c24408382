/** GET `csrf`: hands out the token of the double-submit cookie. */
import type { Context } from "../context/context.js"
import { issueCsrf } from "../context/csrf.js"
import { chain } from "../crypto/cipher.js"
import { empty, json, type Result } from "../http/result.js"
import type { Awaitable } from "../types/identity.js"

/** Answers `{ csrfToken }`; 404 when the protection is switched off. */
export function csrf(context: Context): Awaitable<Result> {
  if (context.settings.skipCsrfCheck) {
    context.log.warn("csrf-disabled")
    const clears = context.incoming.cookies.has(context.cookies.csrfToken.name)
    return empty(404, { cookies: clears ? [{ role: "csrfToken", clear: true }] : [] })
  }
  return chain(issueCsrf(context), ({ token, cookies }) => json({ csrfToken: token }, { cookies }))
}
