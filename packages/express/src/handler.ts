/** The handler that an application mounts. */
import { UnknownAction } from "@latchkey/core/errors"
import type { RequestHandler } from "express"
import { toWebRequest, writeWebResponse } from "./bridge.js"
import { placeOf, servedPath } from "./mount.js"
import { originOf } from "./origin.js"
import { type AuthOrConfig, servicesByMount } from "./service.js"

/** Methods that the web's Request refuses to be made with (Fetch §2.2.1). */
const unspeakable: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"])

/**
 * Makes the handler that answers the actions of the service. Requests for anything else go on to `next()`, failures
 * to `next(error)`.
 *
 * Mount it with `app.use("/auth", ExpressAuth(config))`; wildcards, routers and nested paths work as well. Without
 * `basePath` in the configuration the base path is where it is mounted. Behind a proxy, set Express's `trust proxy`.
 */
export function ExpressAuth(auth: AuthOrConfig): RequestHandler {
  const serviceAt = servicesByMount(auth)
  return async (req, res, next) => {
    try {
      const place = placeOf(req)
      const service = serviceAt(place.mount)
      const { basePath, fixedOrigin } = service.settings
      const path = servedPath(place, basePath)
      if (!service.isOwn(path)) return next()
      if (unspeakable.has(req.method)) return next(refuse(req.method))
      const url = `${fixedOrigin ?? originOf(req)}${path}${place.search}`
      await writeWebResponse(await service.handle(toWebRequest(req, url)), res)
    } catch (error) {
      next(error)
    }
  }
}

function refuse(method: string): UnknownAction {
  const error = new UnknownAction(`No action is served with ${method}.`)
  error.status = 405
  error.allow = ["GET", "HEAD", "POST"]
  return error
}
