/** Managed sessions for an event: in `load`, in actions and in endpoints. The part of the core that does it is loaded by the first call. */
import type { SessionsOfRoute } from "@latchkey/core/sessions"
import type { RequestEvent } from "@sveltejs/kit"
import { setCookies } from "./cookies.js"
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
  const at = async (event: RequestEvent): Promise<SessionsOfRoute<[]>> => {
    const [service, { sessionsOfRequest }] = await Promise.all([findService(event), import("@latchkey/core/sessions")])
    return sessionsOfRequest(service, actionSource(event), {
      address: addressOf(event),
      setCookies(cookies) {
        setCookies(event, cookies)
        readerOf(event).forget()
      },
    })
  }
  return {
    list: async (event) => (await at(event)).list(),
    end: async (event, id) => (await at(event)).end(id),
    endOthers: async (event) => (await at(event)).endOthers(),
    endAll: async (event, userId) => (await at(event)).endAll(userId),
    rotate: async (event) => (await at(event)).rotate(),
    actAs: async (event, userId) => (await at(event)).actAs(userId),
  }
}
