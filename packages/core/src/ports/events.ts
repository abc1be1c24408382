/** Notices to the application: awaited in order, never throwing. */
import type { EventCallbacks } from "../types/hooks.js"

/** A notice that is due. */
export type AuthEvent = {
  [Kind in keyof EventCallbacks]: { readonly kind: Kind; readonly message: Parameters<EventCallbacks[Kind]>[0] }
}[keyof EventCallbacks]

/** Tells the application; hands back what a handler threw, so that the caller can log it with its incident. */
export interface EventSink {
  announce(event: AuthEvent): Promise<Error | undefined>
}
