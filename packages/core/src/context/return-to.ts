/** Where the person goes after signing in or out. On the wire it is called `callbackUrl`. */
import { CallbackRouteError } from "../errors.js"
import { parseRoute } from "../http/endpoints.js"
import type { CookieChange } from "../http/result.js"
import { asThrownError } from "../ports/thrown.js"
import { hasControlCharacters } from "../std/text.js"
import { urlOf } from "../std/url.js"
import { askInTime, detailsFor } from "./ask.js"
import type { Context } from "./context.js"

/** Characters an address may have, as sent and as resolved. */
const longestAddress = 2048
const absolute = /^https?:\/\//i

/**
 * The address to return to, absolute: of the given candidate, the form, the query and the cookie the first that there
 * is, when it passes the gate and is no callback of ours, else the origin. The `redirect` callback of the application is asked
 * about either; an answer of it that does not pass, or is a callback, becomes the origin as well.
 */
export async function resolveReturnTo(context: Context, candidate?: string): Promise<string> {
  const { origin } = context.incoming
  const wanted = candidate || given(context) || context.incoming.cookies.get(context.cookies.callbackUrl.name)
  const isFit = (text: string): boolean => passesGate(text, origin) && !isCallback(context, text)
  const answer = await askApplication(context, wanted && isFit(wanted) ? wanted : origin)
  if (answer === undefined || answer === origin || !isFit(answer)) return origin
  return new URL(answer, origin).href
}

/**
 * A callback ends a sign-in: the mailed link of somebody else would sign the person in as them, right after their own. It counts
 * as one wherever the path begins, and at other hosts: frameworks and proxies may read the base path in any case, take parts of it
 * away, or have other instances of the service below other paths; hosts of one domain may share the cookies.
 */
function isCallback({ incoming: { origin }, settings }: Context, text: string): boolean {
  const parts = partsOf(new URL(text, origin).pathname)
  if (parseRoute(`/${parts.join("/")}`, settings)?.action === "callback") return true
  const [action, provider] = parts.slice(-2).map((part) => part.toLowerCase())
  return action === "callback" && [...settings.providers.keys()].some((id) => id.toLowerCase() === provider)
}

/** The parts of a path as a proxy may read them: decoded, with `\` for a slash, one slash for several, `.` and `..` resolved. */
function partsOf(path: string): readonly string[] {
  const parts: string[] = []
  for (const part of decodedAscii(path).split(/[\\/]/)) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return parts
}

/** Each by itself: other bytes may be no UTF-8. */
function decodedAscii(path: string): string {
  return path.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Keeps the address for a later request: only when this one named an address, and only when the cookie holds another. */
export function returnToCookie(context: Context, returnTo: string): CookieChange[] {
  const { cookies, incoming } = context
  if (!given(context) || incoming.cookies.get(cookies.callbackUrl.name) === returnTo) return []
  return [{ role: "callbackUrl", value: returnTo }]
}

function given({ incoming: { form, query } }: Context): string | undefined {
  const posted = form["callbackUrl"]
  if (typeof posted === "string" && posted) return posted
  return query["callbackUrl"] || undefined
}

/**
 * May this text be an address to return to at all? A path of ours (no `//host`, which names a host) or an address
 * with http or https; nothing that URL parsers read differently. The host is not checked here: the callback does that.
 */
function passesGate(text: string, origin: string): boolean {
  if (text.length > longestAddress || text.includes("\\") || hasControlCharacters(text)) return false
  const isPath = text.startsWith("/") && !text.startsWith("//")
  const url = isPath || absolute.test(text) ? urlOf(text, origin) : undefined
  if (!url || url.username || url.password || url.href.length > longestAddress) return false
  // `/.//host` is a path of ours, but what is left of it once resolved, read alone, names a host.
  return url.origin !== origin || !url.pathname.startsWith("//")
}

async function askApplication(context: Context, url: string): Promise<string | undefined> {
  const { incoming, settings } = context
  try {
    const question = { url, baseUrl: incoming.origin }
    const answer: unknown = await askInTime(context, "callbacks.redirect", () =>
      settings.callbacks.redirect(question, ...detailsFor(context, "callbacks", "redirect")),
    )
    return answer instanceof URL ? answer.href : typeof answer === "string" ? answer : undefined
  } catch (error) {
    const err = asThrownError(error)
    context.log.error(
      new CallbackRouteError("The `redirect` callback failed.", { cause: { err, callback: "redirect" } }),
    )
    return undefined
  }
}
