/** Managed sessions for an event: in `load`, in actions and in endpoints. The part of the core that does it is loaded by the first call. */
import type { SessionsOfRoute } from "@latchkey/core/sessions"
import type { RequestEvent } from "@sveltejs/kit"
import { type AuthEvent, actionSource, addressOf } from "./event.js"
import { keepForOne } from "./for-one.js"
import { checkedCall, type RouteUpdateOptions } from "./route-call.js"
import type { FindService } from "./service.js"
import type { SessionReader } from "./session-reader.js"

/**
 * `auth.sessions`: list, end and renew the sessions of whoever sent the request. What changes something throws `MissingCSRF` for
 * anything but a GET that no page of this application sent.
 */
export type SvelteKitSessions = SessionsOfRoute<[event: RequestEvent], [options?: RouteUpdateOptions]>

/** What it works with. */
export interface SessionsParts {
  readonly findService: FindService
  readonly readerOf: (event: AuthEvent) => SessionReader
}

/** Makes `auth.sessions`. */
export function sessionsWith({ findService, readerOf }: SessionsParts): SvelteKitSessions {
  const at = async (
    expected: string,
    given: readonly unknown[],
    options: RouteUpdateOptions = {},
  ): Promise<SessionsOfRoute<[]>> => {
    const [event] = given
    // At once: a page that streams is sent before the answer is known.
    if (isEvent(event)) keepForOne(event)
    const { misuseOfSessions, sessionsOfRequest } = await import("@latchkey/core/sessions")
    if (!isEvent(event)) throw misuseOfSessions(expected, given)
    const service = await findService(event)
    return sessionsOfRequest(service, actionSource(event), {
      ...checkedCall(event, service, options),
      address: addressOf(event),
      setCookies: (cookies) => readerOf(event).change(cookies),
    })
  }
  return {
    list: async (...given) => (await at("list(event)", given)).list(),
    end: async (...given) => (await at("end(event, id)", given, given[2])).end(given[1]),
    endOthers: async (...given) => (await at("endOthers(event)", given, given[1])).endOthers(),
    endAll: async (...given) => (await at("endAll(event, userId)", given, given[2])).endAll(given[1]),
    rotate: async (...given) => (await at("rotate(event)", given, given[1])).rotate(),
    actAs: async (...given) => (await at("actAs(event, userId)", given, given[2])).actAs(given[1]),
  }
}

const isEvent = (value: unknown): value is RequestEvent =>
  typeof value === "object" && value !== null && "request" in value && "cookies" in value
