/** Telling the application what has happened, in order; a handler that fails is logged and changes nothing. */
import { EventError } from "../errors.js"
import type { AuthEvent } from "../ports/events.js"
import type { Context } from "./context.js"

/** Announces events one after the other. Never throws. */
export async function announceAll(context: Context, events: readonly AuthEvent[]): Promise<void> {
  for (const event of events) {
    const failure = await context.settings.events.announce(event)
    if (failure) context.log.error(new EventError(failure, { event: event.kind }))
  }
}
