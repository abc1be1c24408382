/** Calls the event handlers of the application: awaited in order, never throwing. */
import type { EventCallbacks, RequestDetails } from "../types/hooks.js"
import { asError } from "./thrown.js"

/** An event to announce. */
export type AuthEvent = {
  [Kind in keyof EventCallbacks]: { readonly kind: Kind; readonly message: Parameters<EventCallbacks[Kind]>[0] }
}[keyof EventCallbacks]

/** Calls the handler; returns what it threw, so that the caller can log it with its incident. */
export interface EventSink {
  /** Is anybody to be called? Where nobody is, nothing has to be waited for. */
  hasHandler(kind: AuthEvent["kind"]): boolean
  announce(event: AuthEvent, ...details: readonly [RequestDetails?]): Promise<Error | undefined>
}

/** Makes a sink over the application's handlers, which are looked up at each event and called on their own object. */
export function createEventSink(events: Partial<EventCallbacks> | undefined): EventSink {
  return {
    hasHandler(kind) {
      try {
        return typeof events?.[kind] === "function"
      } catch {
        // What cannot be read is reported by the call.
        return true
      }
    },
    async announce({ kind, message }, ...details) {
      try {
        const handler: unknown = events?.[kind]
        // A handler may change its argument; the next one must not see that.
        if (typeof handler === "function") await handler.call(events, { ...message }, ...details)
        return undefined
      } catch (thrown) {
        return asError(thrown)
      }
    },
  }
}
