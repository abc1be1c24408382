/** Reading the session in routes and middleware. */
import { type AuthService, type AuthSource, keepPrivate, toSetCookie } from "@latchkey/core"
import type { Cookie, Session } from "@latchkey/core/types"
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express"
import { addCookies, currentHeaders } from "./cookies.js"
import {
  type AuthOrConfig,
  type AuthSourceOf,
  type Found,
  findAuth,
  serviceFrom,
  serviceOf,
  sourceIn,
} from "./service.js"

/** A session, or `null` when there is none. */
export type GetSessionResult = Promise<Session | null>

/**
 * Reads the session of a request, and writes the cookie of one that was extended or that the jwt callback changed: to
 * the response given, else to the one Express keeps in `req.res`. A response to somebody with a session is `private,
 * no-store` unless it says otherwise. Once the head of the response is sent nothing is
 * extended, and a change that is lost is logged once. `null` means that there is no session; when that cannot be determined, an `AuthError` is thrown.
 */
export function getSession(req: ExpressRequest, auth: AuthOrConfig): GetSessionResult
export function getSession(req: ExpressRequest, res: ExpressResponse, auth: AuthOrConfig): GetSessionResult
export async function getSession(
  ...given: [req: ExpressRequest, auth: AuthOrConfig] | [req: ExpressRequest, res: ExpressResponse, auth: AuthOrConfig]
): GetSessionResult {
  // Express keeps the response in `req.res`, so a token that the jwt callback changed is saved without passing the response.
  const [req, res, auth] = given.length === 3 ? given : [given[0], given[0].res, given[1]]
  return readSession(await serviceOf(sourceIn(auth), req), { req, res })
}

async function readSession(
  service: AuthService,
  { req, res }: { readonly req: ExpressRequest; readonly res: ExpressResponse | undefined },
): GetSessionResult {
  // A row that is extended without its cookie would end with the cookie all the same.
  const extend = res !== undefined && !res.headersSent
  const onThrow = (cookies: readonly Cookie[]): void => (res ? writeCookies(cookies, res) : undefined)
  const { session, cookies } = await service.session(sourceOf(req, res), { extend, onThrow })
  // What a route answers then is meant for one person, and a cache in front need not know that.
  if (res && session) keepPrivate(res, { unlessSaid: true })
  if (res) writeCookies(cookies, res)
  return session
}

/** Reading a session needs the scheme of a request, never its host. */
function sourceOf(req: ExpressRequest, res: ExpressResponse | undefined): AuthSource {
  return { headers: currentHeaders(req, res), secure: req.protocol === "https" }
}

/** Sets cookies, and keeps the response that carries them out of shared caches, whatever it says of itself before and after. */
export function writeCookies(cookies: readonly Cookie[], res: ExpressResponse): void {
  if (cookies.length === 0 || res.headersSent) return
  addCookies(cookies.map(toSetCookie), res)
  keepPrivate(res)
}

/** Where `res.locals` says what was read here, and for which configuration. No other middleware writes there. */
const reading: unique symbol = Symbol("latchkey session")

/** What was read. The configuration holds secrets, so it must not be reachable for code that prints or copies `res.locals`. */
class Reading {
  /** `undefined`: it could not be determined. */
  readonly session: Session | null | undefined
  readonly #auth: AuthSourceOf
  readonly #found: Found | undefined

  constructor(session: Session | null | undefined, auth: AuthSourceOf, found?: Found) {
    this.session = session
    this.#auth = auth
    this.#found = found
  }

  /** Is it the session of this configuration? One function may find another for each router. */
  isOf(found: Found): boolean {
    return this.#found === found
  }

  /** Was it read by a middleware that was given this? */
  isBy(auth: AuthSourceOf): boolean {
    return this.#auth === auth
  }
}

/** What {@link authSession} read for this response; `undefined` when it has not run. */
export function readingOf({ locals }: ExpressResponse): Reading | undefined {
  return (locals as { readonly [reading]?: Reading })[reading]
}

/** Options of `authSession`. */
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
 * when there is none. When it cannot be determined, the error goes to `next(error)`. Where the same configuration stands
 * before, in a router above, nothing is read again.
 */
export function authSession(given: AuthOrConfig, { onRequest = false }: AuthSessionOptions = {}): RequestHandler {
  const auth = sourceIn(given)
  return async (req, res, next) => {
    try {
      const found = typeof auth === "function" ? await findAuth(auth, req) : auth
      let read = readingOf(res)
      // What was read stays as it is, also where other middleware has changed res.locals.session since.
      if (!read?.isOf(found)) {
        read = new Reading(await readSession(serviceFrom(found), { req, res }), auth, found)
        keepSession(res, read)
      }
      if (onRequest) Object.assign(req, { auth: { session: read.session } })
    } catch (error) {
      // After an error, handlers must not see the session of another configuration.
      keepSession(res, new Reading(undefined, auth))
      if (onRequest) Object.assign(req, { auth: undefined })
      return next(error)
    }
    next()
  }
}

/** After a change of the session cookie: what stands in `res.locals.session` is read again, where something stands there. */
export async function readAgain(
  { auth, found, service }: { readonly auth: AuthSourceOf; readonly found: Found; readonly service: AuthService },
  req: ExpressRequest,
  res: ExpressResponse,
): Promise<void> {
  if (res.locals === undefined || !readingOf(res)) return
  // Signed out until it is known: the session that was read may have ended.
  refreshSession(res, { auth, found }, null)
  refreshSession(res, { auth, found }, await readSession(service, { req, res }))
}

function keepSession(res: ExpressResponse, read: Reading): void {
  Object.assign(res.locals, { [reading]: read, session: read.session })
}

/** After a route has changed the session, what stands in `res.locals.session` is the session as it is then. */
export function refreshSession(
  res: ExpressResponse,
  { auth, found }: { readonly auth: AuthSourceOf; readonly found: Found },
  session: Session | null,
): void {
  const read = res.locals === undefined ? undefined : readingOf(res)
  // A function that makes configurations anew cannot be asked whose session it was: signed out is the safe side.
  const isMeant = read?.isOf(found) || (session === null && read?.isBy(auth))
  if (isMeant) keepSession(res, new Reading(session, auth, found))
}
