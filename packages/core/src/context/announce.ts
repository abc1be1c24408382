/** Telling the application what has happened, in order; a handler that fails is logged and changes nothing. */
import { EventError } from "../errors.js"
import type { AuthEvent } from "../ports/events.js"
import { asError } from "../ports/thrown.js"
import { askInTime } from "./ask.js"
import type { Context } from "./context.js"

/** Announces events one after the other. Never throws, and waits for each handler no longer than `callbackTimeout`. */
export async function announceAll(context: Context, events: readonly AuthEvent[]): Promise<void> {
  for (const event of events) {
    const failure = await announce(context, event)
    if (failure) context.log.error(new EventError(failure, { event: event.kind }))
  }
}

async function announce(context: Context, event: AuthEvent): Promise<Error | undefined> {
  try {
    return await askInTime(context, `events.${event.kind}`, () => context.settings.events.announce(event))
  } catch (error) {
    return asError(error)
  }
}
