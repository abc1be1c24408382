/** Managed sessions from the application's own routes. The part of the core that does it is loaded by the first call. */
import type { SessionsOfRoute } from "@latchkey/core/sessions"
import type { Cookie } from "@latchkey/core/types"
import type { Request as ExpressRequest, Response as ExpressResponse } from "express"
import type { RouteUpdateOptions } from "./route-call.js"
import { readAgain, writeCookies } from "./session.js"
import { callSource, openOf, type SignCall } from "./sign.js"

/** `auth.sessions`: list, end and renew the sessions of whoever sent the request, with its response for the cookies. */
export type ExpressSessions = SessionsOfRoute<
  [req: ExpressRequest, res: ExpressResponse],
  [options?: RouteUpdateOptions]
>

/** Makes the call of a route: its sender is checked where the options do not say that it is trusted. */
export type CallOfRoute = (req: ExpressRequest, res: ExpressResponse, options: RouteUpdateOptions) => SignCall

/** Makes `auth.sessions`. */
export function sessionsWith(callOf: CallOfRoute): ExpressSessions {
  const at = (...[req, res, options = {}]: [ExpressRequest, ExpressResponse, RouteUpdateOptions?]) =>
    open(callOf(req, res, options), options)
  return {
    list: async (req, res) => (await at(req, res)).list(),
    end: async (...[req, res, id, options]) => (await at(req, res, options)).end(id),
    endOthers: async (req, res, options) => (await at(req, res, options)).endOthers(),
    endAll: async (...[req, res, userId, options]) => (await at(req, res, options)).endAll(userId),
    rotate: async (req, res, options) => (await at(req, res, options)).rotate(),
    actAs: async (...[req, res, userId, options]) => (await at(req, res, options)).actAs(userId),
  }
}

async function open(call: SignCall, { fields }: RouteUpdateOptions): Promise<SessionsOfRoute<[]>> {
  const [{ found, service }, { sessionsOfRequest }] = await Promise.all([
    openOf(call),
    import("@latchkey/core/sessions"),
  ])
  const { req, res, auth, sender } = call
  const setCookies = async (cookies: readonly Cookie[]): Promise<void> => {
    writeCookies(cookies, res)
    await readAgain({ auth, found, service }, req, res)
  }
  return sessionsOfRequest(service, callSource(call, service), {
    ...(fields && { fields }),
    ...(sender && { sender: sender(service) }),
    address: req.ip,
    setCookies,
  })
}
