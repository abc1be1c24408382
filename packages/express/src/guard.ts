/** Guarding routes with the session. */
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { Session } from "@latchkey/core/types"
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express"
import { readingOf } from "./session.js"

/** What a guard does with a visitor who is not signed in. */
export type RequireSessionOptions =
  | {
      /** Address of the page to sign in on. It gets the address to return to as `callbackUrl`. */
      readonly redirectTo: string
    }
  | {
      /** @default 401 */
      readonly status?: number
    }

/** Longer addresses are refused as a `callbackUrl` anyway. */
const longestReturn = 2048

/**
 * Makes middleware that lets only signed-in people pass: those whose session has a user. It needs `authSession`
 * before it, or middleware of your own that puts what `getSession` gave into `res.locals.session`; without either, and
 * when the session could not be determined, it passes an InvalidConfiguration to `next` for every request.
 */
export function requireSession(options: RequireSessionOptions = {}): RequestHandler {
  return (req, res, next) => {
    const signedIn = isSignedIn(res)
    if (signedIn === undefined)
      return next(
        new InvalidConfiguration(
          "requireSession: expected authSession(config) to have run before it on the same request. Mount it before requireSession.",
        ),
      )
    if (signedIn) return next()
    if ("redirectTo" in options && pathOf(req.originalUrl) === pathOf(options.redirectTo))
      return next(
        new InvalidConfiguration(
          `requireSession: expected routes other than ${JSON.stringify(options.redirectTo)}, to which it redirects, received a request for that page, which nobody could ever see. Mount the page before requireSession, or requireSession on the other routes alone.`,
        ),
      )
    res.setHeader("Cache-Control", "private, no-store")
    if ("redirectTo" in options) return res.redirect(signInAddress(options.redirectTo, req))
    res.sendStatus(options.status ?? 401)
  }
}

/**
 * `undefined` when no session was read. Other middleware can sign a visitor out with `res.locals.session`; it
 * cannot sign in a visitor for whom `authSession` has found no session.
 */
function isSignedIn(res: ExpressResponse): boolean | undefined {
  const session = res.locals["session"] as Session | null | undefined
  const read = readingOf(res)
  if (read ? read.session === undefined : session === undefined) return undefined
  return Boolean(session?.user && (read ? read.session?.user : true))
}

function signInAddress(redirectTo: string, req: ExpressRequest): string {
  const [address = "", fragment] = redirectTo.split("#", 2)
  const params = new URLSearchParams({ error: "SessionRequired" })
  const back = returnAddress(req)
  if (back !== undefined) params.set("callbackUrl", back)
  return `${address}${address.includes("?") ? "&" : "?"}${params}${fragment === undefined ? "" : `#${fragment}`}`
}

/** Without query, fragment and a slash at the end. */
function pathOf(address: string): string {
  return (address.split(/[?#]/, 1)[0] ?? "").replace(/\/$/, "")
}

/**
 * Only what was asked for with GET can be returned to, and only a path: `//evil.test` and an address in absolute form
 * are addresses of other hosts to a page that sends people there. A backslash may be read as a slash.
 */
function returnAddress({ method, originalUrl }: ExpressRequest): string | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined
  return /^\/(?!\/)[^\\\s]*$/.test(originalUrl) && originalUrl.length <= longestReturn ? originalUrl : undefined
}
