/** Reading the session in routes and middleware, and guarding routes with it. */
import { type AuthSource, toSetCookie } from "@latchkey/core"
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { Cookie, Session } from "@latchkey/core/types"
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express"
import { addCookies } from "./bridge.js"
import { type AuthOrConfig, serviceOf } from "./service.js"

/** A session, or `null` when there is none. */
export type GetSessionResult = Promise<Session | null>

/**
 * Reads the session of a request. With the response, the cookie of a session that was extended is written, so that
 * it lives on. `null` means that there is no session; when it cannot be told, an `AuthError` is thrown.
 */
export function getSession(req: ExpressRequest, auth: AuthOrConfig): GetSessionResult
export function getSession(req: ExpressRequest, res: ExpressResponse, auth: AuthOrConfig): GetSessionResult
export async function getSession(
  ...given: [req: ExpressRequest, auth: AuthOrConfig] | [req: ExpressRequest, res: ExpressResponse, auth: AuthOrConfig]
): GetSessionResult {
  const [req, res, auth] = given.length === 3 ? given : [given[0], undefined, given[1]]
  const { session, cookies } = await serviceOf(auth).session(headersOf(req))
  if (res) writeCookies(cookies, res)
  return session
}

/** Reading a session needs the scheme of a request, never its host. */
function headersOf(req: ExpressRequest): AuthSource {
  return { headers: req.headers, secure: req.protocol === "https" }
}

/** Sets cookies, and keeps the response that carries them out of shared caches. */
export function writeCookies(cookies: readonly Cookie[], res: ExpressResponse): void {
  if (cookies.length === 0 || res.headersSent) return
  addCookies(cookies.map(toSetCookie), res)
  if (!res.hasHeader("Cache-Control")) res.setHeader("Cache-Control", "private, no-store")
}

/**
 * Makes middleware that reads the session once for each request into `res.locals.session`: the session, or `null`
 * when there is none. When it cannot be told, the error goes to `next(error)`.
 */
export function authSession(auth: AuthOrConfig): RequestHandler {
  const read = new WeakSet<object>()
  return async (req, res, next) => {
    if (read.has(req)) return next()
    try {
      const session = await getSession(req, res, auth)
      read.add(req)
      res.locals["session"] = session
    } catch (error) {
      return next(error)
    }
    next()
  }
}

/** What a guard does with a request of somebody who is not signed in. */
export type RequireSessionOptions =
  | {
      /** Address of the page to sign in on. It is told where to return to, as `callbackUrl`. */
      readonly redirectTo: string
    }
  | {
      /** @default 401 */
      readonly status?: number
    }

/**
 * Makes middleware that lets only signed-in people pass: those whose session has a user. It needs
 * {@link authSession} before it; without, every request fails.
 */
export function requireSession(options: RequireSessionOptions = {}): RequestHandler {
  return (req, res, next) => {
    const session = res.locals["session"] as Session | null | undefined
    if (session === undefined)
      return next(new InvalidConfiguration("requireSession needs authSession(config) before it, on the same request."))
    if (session?.user) return next()
    res.setHeader("Cache-Control", "private, no-store")
    if ("redirectTo" in options) return res.redirect(signInAddress(options.redirectTo, req))
    res.sendStatus(options.status ?? 401)
  }
}

/** Only what was asked for with GET can be returned to. */
function signInAddress(redirectTo: string, { method, originalUrl }: ExpressRequest): string {
  const [address = "", fragment] = redirectTo.split("#", 2)
  const params = new URLSearchParams({ error: "SessionRequired" })
  if (method === "GET" || method === "HEAD") params.set("callbackUrl", originalUrl)
  return `${address}${address.includes("?") ? "&" : "?"}${params}${fragment === undefined ? "" : `#${fragment}`}`
}
