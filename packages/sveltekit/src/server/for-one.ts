/** Requests whose answer depends on who asks, although no session was shown and no cookie set. */
import type { AuthEvent } from "./event.js"

/** By `locals`: the event is copied on its way through hooks, and a guard may know nothing else of the configuration. */
const noted = new WeakSet<object>()

/** The answer to this request is for whoever sent it alone, unless it says otherwise. */
export function keepForOne({ locals }: Pick<AuthEvent, "locals">): void {
  noted.add(locals)
}

/** Says whether {@link keepForOne} was called for this request. */
export function isForOne({ locals }: Pick<AuthEvent, "locals">): boolean {
  return noted.has(locals)
}
