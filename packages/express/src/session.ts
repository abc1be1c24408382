/** Reading the session in routes and middleware. */
import { type AuthService, type AuthSource, toSetCookie } from "@latchkey/core"
import type { Cookie, Session } from "@latchkey/core/types"
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express"
import { addCookies } from "./bridge.js"
import { type AuthOrConfig, serviceKeeper, serviceOf } from "./service.js"

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
  return readSession(await serviceOf(auth, req), { req, res })
}

async function readSession(
  service: AuthService,
  { req, res }: { readonly req: ExpressRequest; readonly res: ExpressResponse | undefined },
): GetSessionResult {
  // A row that is extended without its cookie would end with the cookie all the same.
  const extend = res !== undefined && !res.headersSent
  const { session, cookies } = await service.session(headersOf(req), { extend })
  if (res) writeCookies(cookies, res)
  return session
}

/** Reading a session needs the scheme of a request, never its host. */
function headersOf(req: ExpressRequest): AuthSource {
  return { headers: req.headers, secure: req.protocol === "https" }
}

/** Sets cookies, and keeps the response that carries them out of shared caches, whatever it said of itself before. */
export function writeCookies(cookies: readonly Cookie[], res: ExpressResponse): void {
  if (cookies.length === 0 || res.headersSent) return
  addCookies(cookies.map(toSetCookie), res)
  const isPersonal = /\b(?:no-store|private)\b/i.test(String(res.getHeader("Cache-Control") ?? ""))
  if (!isPersonal) res.setHeader("Cache-Control", "private, no-store")
}

/** Where `res.locals` says what was read here, and with which configuration. No other middleware writes there. */
const reading: unique symbol = Symbol("latchkey session")

interface Reading {
  readonly auth: AuthOrConfig
  readonly session: Session | null
}

/** What {@link authSession} read for this response; `undefined` when it has not run. */
export function readingOf({ locals }: ExpressResponse): Reading | undefined {
  return (locals as { readonly [reading]?: Reading })[reading]
}

/** What `authSession` may be told. */
export interface AuthSessionOptions {
  /**
   * Puts `{ session }` into `req.auth` as well, for code that sees the request alone. Its types are in
   * `@latchkey/express/augment-request`.
   *
   * @default false
   */
  readonly onRequest?: boolean
}

/**
 * Makes middleware that reads the session once for each request into `res.locals.session`: the session, or `null`
 * when there is none. When it cannot be told, the error goes to `next(error)`. Where the same configuration stands
 * before, in a router above, nothing is read again.
 */
export function authSession(auth: AuthOrConfig, { onRequest = false }: AuthSessionOptions = {}): RequestHandler {
  const serviceFor = serviceKeeper(auth)
  return async (req, res, next) => {
    try {
      let read = readingOf(res)
      // What was read stays as it is, also where other middleware has changed res.locals.session since.
      if (read?.auth !== auth) {
        read = { auth, session: await readSession(await serviceFor(req), { req, res }) }
        keepSession(res, read)
      }
      if (onRequest) Object.assign(req, { auth: { session: read.session } })
    } catch (error) {
      return next(error)
    }
    next()
  }
}

function keepSession(res: ExpressResponse, read: Reading): void {
  Object.assign(res.locals, { [reading]: read, session: read.session })
}

/** After a route has changed the session, what stands in `res.locals.session` is the session as it is then. */
export function refreshSession(res: ExpressResponse, auth: AuthOrConfig, session: Session | null): void {
  if (res.locals !== undefined && readingOf(res)?.auth === auth) keepSession(res, { auth, session })
}
