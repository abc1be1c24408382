/** Managed sessions from the application's own routes. The part of the core that does it is loaded by the first call. */
import type { SessionsOfRoute } from "@latchkey/core/sessions"
import type { Context } from "hono"
import type { RouteCall } from "./route-call.js"

/** `auth.sessions`: list, end and renew the sessions of whoever sent the request. */
export type HonoSessions = SessionsOfRoute<[c: Context], [options?: RouteCall]>

/** Opens the sessions of a request. */
export type OpenSessions = (c: Context, options: RouteCall) => Promise<SessionsOfRoute<[]>>

/** Makes `auth.sessions`. */
export function sessionsWith(open: OpenSessions): HonoSessions {
  const at = (c: Context, options: RouteCall = {}) => open(c, options)
  return {
    list: async (c) => (await at(c)).list(),
    end: async (c, id, options) => (await at(c, options)).end(id),
    endOthers: async (c, options) => (await at(c, options)).endOthers(),
    endAll: async (c, userId, options) => (await at(c, options)).endAll(userId),
    rotate: async (c, options) => (await at(c, options)).rotate(),
    actAs: async (c, userId, options) => (await at(c, options)).actAs(userId),
  }
}
