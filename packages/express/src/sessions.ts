/** Managed sessions from the application's own routes. The part of the core that does it is loaded by the first call. */
import { keepPrivate } from "@latchkey/core"
import type { SessionsOfRoute } from "@latchkey/core/sessions"
import type { Cookie } from "@latchkey/core/types"
import type { Request as ExpressRequest, Response as ExpressResponse } from "express"
import { clientAddress } from "./client-address.js"
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
  const at = async (expected: string, given: readonly unknown[], options: RouteUpdateOptions = {}) => {
    const [req, res] = given
    if (isMessage(req, "headers") && isMessage(res, "setHeader"))
      return open(callOf(req as ExpressRequest, res as ExpressResponse, options), options)
    const { misuseOfSessions } = await import("@latchkey/core/sessions")
    throw misuseOfSessions(expected, given)
  }
  return {
    list: async (...given) => (await at("list(req, res)", given)).list(),
    end: async (...given) => (await at("end(req, res, id)", given, given[3])).end(given[2]),
    endOthers: async (...given) => (await at("endOthers(req, res)", given, given[2])).endOthers(),
    endAll: async (...given) => (await at("endAll(req, res, userId)", given, given[3])).endAll(given[2]),
    rotate: async (...given) => (await at("rotate(req, res)", given, given[2])).rotate(),
    actAs: async (...given) => (await at("actAs(req, res, userId)", given, given[3])).actAs(given[2]),
  }
}

const isMessage = (value: unknown, member: string): boolean =>
  typeof value === "object" && value !== null && member in value

async function open(call: SignCall, { fields }: RouteUpdateOptions): Promise<SessionsOfRoute<[]>> {
  const { req, res, auth, sender } = call
  // What a route answers then is meant for one person, also where no cookie is set.
  keepPrivate(res, { unlessSaid: true })
  const [{ found, service }, { sessionsOfRequest }] = await Promise.all([
    openOf(call),
    import("@latchkey/core/sessions"),
  ])
  const setCookies = async (cookies: readonly Cookie[]): Promise<void> => {
    writeCookies(cookies, res)
    await readAgain({ auth, found, service }, req, res)
  }
  return sessionsOfRequest(service, callSource(call, service), {
    ...(fields && { fields }),
    ...(sender && { sender: sender(service) }),
    address: clientAddress(req),
    setCookies,
  })
}
