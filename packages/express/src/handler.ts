/** The handler that an application mounts. */
import { UnknownAction } from "@latchkey/core/errors"
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express"
import { isGone, toWebRequest, writeWebResponse } from "./bridge.js"
import { currentHeaders } from "./cookies.js"
import { placeOf, servedPath } from "./mount.js"
import { originOf } from "./origin.js"
import { type AuthOrConfig, reportProblems, type ServiceAt, servicesByMount } from "./service.js"

/** Methods that the web's Request refuses to be made with (Fetch §2.2.1). */
const unspeakable: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"])

/**
 * Makes the handler that answers the actions of the service. Requests for anything else go on to `next()`, failures
 * to `next(error)`; whoever has gone away is not answered at all.
 *
 * Mount it with `app.use("/auth", ExpressAuth(config))`; wildcards, routers and nested paths work as well. Without
 * `basePath` in the configuration the base path is where it is mounted. Behind a proxy, set Express's `trust proxy`.
 */
export function ExpressAuth(auth: AuthOrConfig): RequestHandler {
  reportProblems(auth)
  const serviceAt = servicesByMount(auth)
  return async (req, res, next) => {
    let isAnswered: boolean
    try {
      isAnswered = await answer(req, res, serviceAt)
    } catch (error) {
      return next(error)
    }
    // Outside of the try: what fails further down must not come back here and call next() again.
    if (!isAnswered) next()
  }
}

/** Answers what is ours; `false` for everything else. */
async function answer(req: ExpressRequest, res: ExpressResponse, serviceAt: ServiceAt): Promise<boolean> {
  const place = placeOf(req)
  const service = await serviceAt(req, place.mount)
  const path = servedPath(place, service.basePath)
  if (!service.isOwn(path)) return false
  if (isGone(req, res)) return true
  if (unspeakable.has(req.method)) throw refuse(req.method)
  const url = `${service.origin ?? originOf(req)}${path}${place.search}`
  await writeWebResponse(await service.handle(toWebRequest(req, url, currentHeaders(req, res))), res)
  return true
}

function refuse(method: string): UnknownAction {
  const error = new UnknownAction(`No action is served with ${method}.`)
  error.status = 405
  error.allow = ["GET", "HEAD", "POST"]
  return error
}
