/** Guarding routes with the session. */
import { signInAddress } from "@latchkey/core"
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { Session } from "@latchkey/core/types"
import type { Response as ExpressResponse, RequestHandler } from "express"
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
    res.setHeader("Cache-Control", "private, no-store")
    if (!("redirectTo" in options)) return void res.sendStatus(options.status ?? 401)
    const { method, originalUrl: path } = req
    res.redirect(signInAddress({ guard: "requireSession", redirectTo: options.redirectTo, method, path }))
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
