/** The handler that an application mounts. */
import { type AuthService, mayBeAction } from "@latchkey/core"
import { InvalidConfiguration, UnknownAction } from "@latchkey/core/errors"
import type { JWT } from "@latchkey/core/jwt"
import type {
  AuthConfigOf,
  DefaultSession,
  Exposable,
  NeedsOf,
  Session,
  SessionOf,
  SessionStrategy,
} from "@latchkey/core/types"
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express"
import { isGone, serverRequestOf, writeServerResponse } from "./bridge.js"
import { clientAddress } from "./client-address.js"
import { currentHeaders } from "./cookies.js"
import { isMisplaced, type Place, placeOf, servedPath } from "./mount.js"
import { type ExpressAuthObject, membersFor } from "./object.js"
import { originOf } from "./origin.js"
import {
  type AuthOrConfig,
  type AuthSourceOf,
  holdsGiven,
  reportProblems,
  type ServiceAt,
  servicesByMount,
  sourceIn,
} from "./service.js"

/** Methods that the web's Request refuses to be made with (Fetch §2.2.1). */
const forbiddenMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"])

/** A configuration whose callbacks and providers are read for what they say of the session and of ids. */
type ConfigOf<
  Strategy extends SessionStrategy,
  Token extends JWT,
  Shown extends DefaultSession,
  Id extends string,
  Expose extends Exposable,
> = Omit<AuthConfigOf<Strategy, Token, Shown, Id, Expose>, "raw"> & NeedsOf<Strategy>

/**
 * Makes the handler that answers the actions of the service. Requests for anything else go on to `next()`, failures
 * to `next(error)`; a client that has gone away is not answered.
 *
 * Mount it with `app.use("/auth", auth)`; wildcards, routers and nested paths work as well. Without `basePath` in the
 * configuration the base path is where it is mounted. Behind a proxy, set Express's `trust proxy`.
 *
 * What it answers reads the session, guards routes, and signs people in and out: see {@link ExpressAuthObject}.
 */
export function ExpressAuth<S, Id extends string>(auth: AuthService<S, Id>): ExpressAuthObject<S, Id>
export function ExpressAuth<
  Strategy extends SessionStrategy = SessionStrategy,
  Token extends JWT = JWT,
  Shown extends DefaultSession = never,
  Id extends string = string,
  Expose extends Exposable = never,
>(config: ConfigOf<Strategy, Token, Shown, Id, Expose>): ExpressAuthObject<SessionOf<Strategy, Shown, Expose>, Id>
export function ExpressAuth(auth: AuthOrConfig): ExpressAuthObject
export function ExpressAuth(given: object): ExpressAuthObject {
  const auth = sourceIn(given as AuthOrConfig)
  reportProblems(auth)
  const members = { ...membersFor<Session, string>(auth), [holdsGiven]: auth }
  return Object.assign(handlerFor(auth), members)
}

function handlerFor(auth: AuthSourceOf): RequestHandler {
  const serviceAt = servicesByMount(auth)
  return async (req, res, next) => {
    let isAnswered: boolean
    try {
      isAnswered = await answer(req, res, serviceAt)
    } catch (error) {
      return next(error)
    }
    // Outside of the try, so that an error in later handlers does not call next() a second time.
    if (!isAnswered) next()
  }
}

/** Answers requests for the service; `false` for all others. */
async function answer(req: ExpressRequest, res: ExpressResponse, serviceAt: ServiceAt): Promise<boolean> {
  const place = placeOf(req)
  const service = await serviceAt(req, place.mount)
  const path = servedPath(place, service.basePath)
  if (!service.isOwn(path)) {
    refuseMisplaced(place, { basePath: service.basePath, params: req.params })
    return false
  }
  if (isGone(req, res)) return true
  if (forbiddenMethods.has(req.method)) throw refuse(req.method)
  const url = `${service.origin ?? originOf(req)}${path}${place.search}`
  const request = serverRequestOf(req, url, currentHeaders(req, res))
  writeServerResponse(await service.respond(request, { address: clientAddress(req) }), res)
  return true
}

/** Otherwise every request would be answered "Not found", without a reason. */
function refuseMisplaced({ mount, rest }: Place, where: { basePath: string; params: ExpressRequest["params"] }): void {
  const { basePath } = where
  if (!mayBeAction(rest.split("/", 2)[1] ?? "") || !isMisplaced({ mount }, where)) return
  throw new InvalidConfiguration(
    `ExpressAuth is mounted at ${JSON.stringify(mount)}, where nothing of its base path ${JSON.stringify(basePath)} arrives. Mount it at ${JSON.stringify(basePath)}, or leave \`basePath\` out.`,
  )
}

function refuse(method: string): UnknownAction {
  const error = new UnknownAction(`No action supports the method ${method}.`)
  error.status = 405
  error.allow = ["GET", "HEAD", "POST"]
  return error
}
