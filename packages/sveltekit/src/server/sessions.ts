/** Managed sessions for an event: in `load`, in actions and in endpoints. The part of the core that does it is loaded by the first call. */
import type { SessionsOfRoute } from "@latchkey/core/sessions"
import type { RequestEvent } from "@sveltejs/kit"
import { type AuthEvent, actionSource, addressOf } from "./event.js"
import type { FindService } from "./service.js"
import type { SessionReader } from "./session-reader.js"

/** `auth.sessions`: list, end and renew the sessions of whoever sent the request. */
export type SvelteKitSessions = SessionsOfRoute<[event: RequestEvent]>

/** What it works with. */
export interface SessionsParts {
  readonly findService: FindService
  readonly readerOf: (event: AuthEvent) => SessionReader
}

/** Makes `auth.sessions`. SvelteKit refuses forms of other sites, so the caller is trusted as it is by `update`. */
export function sessionsWith({ findService, readerOf }: SessionsParts): SvelteKitSessions {
  const at = async (expected: string, given: readonly unknown[]): Promise<SessionsOfRoute<[]>> => {
    const [{ misuseOfSessions, sessionsOfRequest }, event] = [await import("@latchkey/core/sessions"), given[0]]
    if (!isEvent(event)) throw misuseOfSessions(expected, given)
    const service = await findService(event)
    return sessionsOfRequest(service, actionSource(event), {
      address: addressOf(event),
      setCookies: (cookies) => readerOf(event).change(cookies),
    })
  }
  return {
    list: async (...given) => (await at("list(event)", given)).list(),
    end: async (...given) => (await at("end(event, id)", given)).end(given[1]),
    endOthers: async (...given) => (await at("endOthers(event)", given)).endOthers(),
    endAll: async (...given) => (await at("endAll(event, userId)", given)).endAll(given[1]),
    rotate: async (...given) => (await at("rotate(event)", given)).rotate(),
    actAs: async (...given) => (await at("actAs(event, userId)", given)).actAs(given[1]),
  }
}

const isEvent = (value: unknown): value is RequestEvent =>
  typeof value === "object" && value !== null && "request" in value && "cookies" in value
