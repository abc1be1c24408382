/** GET `csrf`: hands out the token of the double-submit cookie. */
import type { Context } from "../context/context.js"
import { issueCsrf } from "../context/csrf.js"
import { empty, json, type Result } from "../http/result.js"

/** Answers `{ csrfToken }`; 404 when the protection is switched off. */
export async function csrf(context: Context): Promise<Result> {
  if (context.settings.skipCsrfCheck) {
    context.log.warn("csrf-disabled")
    const clears = context.incoming.cookies.has(context.cookies.csrfToken.name)
    return empty(404, { cookies: clears ? [{ role: "csrfToken", clear: true }] : [] })
  }
  const { token, cookies } = await issueCsrf(context)
  return json({ csrfToken: token }, { cookies })
}
