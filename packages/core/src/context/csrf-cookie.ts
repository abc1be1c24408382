/** Whether the token of a form can be right at all, which is known before the body of its request is read. */
import type { Context } from "./context.js"

/** Far beyond any form of the cookie. */
const longestCookie = 2048

/**
 * Can `verifyCsrf` say yes, whatever the form holds? Where it cannot, the body of a request need not be read.
 */
export function mayPassCsrf({
  cookies,
  incoming,
  settings,
}: Pick<Context, "cookies" | "incoming" | "settings">): boolean {
  const { sender } = incoming
  return settings.skipCsrfCheck
    ? sender !== "foreign"
    : sender === "own" || hasFitLength(incoming.cookies.get(cookies.csrfToken.name))
}

/** Can this be a cookie of the protection? */
export function hasFitLength(cookie: string | undefined): cookie is string {
  return cookie !== undefined && cookie !== "" && cookie.length <= longestCookie
}
