/** Managed sessions from the application's own routes. The part of the core that does it is loaded by the first call. */
import type { SessionsOfRoute } from "@latchkey/core/sessions"
import type { Context } from "hono"
import { withResponse } from "./refusal.js"
import type { RouteCall } from "./route-call.js"

/** `auth.sessions`: list, end and renew the sessions of whoever sent the request. */
export type HonoSessions = SessionsOfRoute<[c: Context], [options?: RouteCall]>

/** Opens the sessions of a request. */
export type OpenSessions = (c: Context, options: RouteCall) => Promise<SessionsOfRoute<[]>>

/** Makes `auth.sessions`. */
export function sessionsWith(open: OpenSessions): HonoSessions {
  const at = async (expected: string, given: readonly unknown[], options: RouteCall = {}) => {
    const [c] = given
    if (typeof c === "object" && c !== null && "req" in c) return open(c as Context, options)
    const { misuseOfSessions } = await import("@latchkey/core/sessions")
    throw misuseOfSessions(expected, given)
  }
  return answering({
    list: async (...given) => (await at("list(c)", given)).list(),
    end: async (...given) => (await at("end(c, id)", given, given[2])).end(given[1]),
    endOthers: async (...given) => (await at("endOthers(c)", given, given[1])).endOthers(),
    endAll: async (...given) => (await at("endAll(c, userId)", given, given[2])).endAll(given[1]),
    rotate: async (...given) => (await at("rotate(c)", given, given[1])).rotate(),
    actAs: async (...given) => (await at("actAs(c, userId)", given, given[2])).actAs(given[1]),
  })
}

type Method = (...given: never[]) => Promise<unknown>

/** Each method throws what Hono's own error handler can answer. */
function answering(sessions: HonoSessions): HonoSessions {
  const methods = Object.entries(sessions).map(([name, method]: [string, Method]) => [
    name,
    (...given: never[]) => withResponse(method(...given)),
  ])
  return Object.fromEntries(methods)
}
