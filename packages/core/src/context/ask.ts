/** Calling code of the application: callbacks answer in time, or what they were asked for has failed; events are announced in order; both are given the request behind them. */
import { CallbackRouteError, EventError } from "../errors.js"
import type { AuthEvent } from "../ports/events.js"
import { asError, asThrownError } from "../ports/thrown.js"
import { isThenable, within } from "../std/deadline.js"
import { fromModule } from "../std/lazy.js"
import type { RequestDetails } from "../types/hooks.js"
import type { Awaitable } from "../types/identity.js"
import type { TrailEntry } from "../types/trail.js"
import { addressOf } from "./address.js"
import type { Context } from "./context.js"

const entryOfEvent = fromModule(
  () => import("./trail.js"),
  (module) => module.entryOfEvent,
)

/**
 * Waits for the answer of a callback no longer than `callbackTimeout`, `authorize` a little longer; throws what it
 * throws. `name` is the callback as the application wrote it. An answer that comes too late is logged and dropped; one
 * that is there at once is returned at once, without a promise.
 */
export function askInTime<T>(context: Context, name: string, ask: () => Awaitable<T>): Awaitable<T> {
  const answer = ask()
  if (!isThenable(answer)) return answer
  const { callback, authorize } = context.settings.deadlines
  const seconds = name === "authorize" ? authorize : callback
  return within(seconds === undefined ? undefined : seconds * 1000, () => answer, {
    tooLate: () => new Error(`\`${name}\` did not answer within ${seconds} s (\`callbackTimeout\`).`),
    late(outcome) {
      const message = `\`${name}\` ended after its deadline of ${seconds} s (\`callbackTimeout\`); what it ${outcome.kind} was dropped.`
      const err = outcome.kind === "threw" ? { err: asThrownError(outcome.thrown) } : {}
      context.log.error(new CallbackRouteError(message, { cause: { ...err, callback: name } }))
    },
  })
}

/**
 * Announces events one after the other. Never throws, and waits for each handler no longer than `callbackTimeout`; where
 * nobody listens, there is nothing to wait for.
 */
export function announceAll(context: Context, events: readonly AuthEvent[]): Awaitable<void> {
  const { events: sink, trail } = context.settings
  if (trail.isHeard || events.some(({ kind }) => sink.hasHandler(kind))) return announceInOrder(context, events)
}

/** Announces what was written before a failure, which is thrown: nothing undoes what the events tell of. */
export async function announceAndThrow(context: Context, events: readonly AuthEvent[], error: unknown): Promise<never> {
  await announceAll(context, events)
  throw error
}

async function announceInOrder(context: Context, events: readonly AuthEvent[]): Promise<void> {
  const { events: sink, trail } = context.settings
  for (const event of events) {
    if (sink.hasHandler(event.kind)) await announce(context, event)
    if (trail.isHeard) await record(context, () => entryOfEvent(context, event))
  }
}

/**
 * Hands an entry to the listeners of the trail. Never throws: what fails while it is made, or in the listener of the
 * application, is logged.
 */
export async function record(context: Context, make: () => Awaitable<TrailEntry | undefined>): Promise<void> {
  try {
    const entry = await make()
    if (entry) await askInTime(context, "trail", () => context.settings.trail.record(entry))
  } catch (error) {
    context.log.error(new EventError(asError(error), { event: "trail" }))
  }
}

async function announce(context: Context, event: AuthEvent): Promise<void> {
  const failure = await failureOf(context, event)
  if (failure) context.log.error(new EventError(failure, { event: event.kind }))
}

async function failureOf(context: Context, event: AuthEvent): Promise<Error | undefined> {
  try {
    return await askInTime(context, `events.${event.kind}`, () =>
      context.settings.events.announce(event, ...detailsFor(context, "events", event.kind)),
    )
  } catch (error) {
    return asError(error)
  }
}

/** The second argument of callbacks and events, read from the context when it is asked for. */
class ContextDetails implements RequestDetails {
  // Private, so that whoever prints the details prints no cookie and no settings.
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  get request(): RequestDetails["request"] {
    const { url, headers } = this.#context.incoming
    return { url, headers, address: addressOf(this.#context) ?? undefined }
  }

  get incident(): string {
    return this.#context.incident()
  }

  get provider(): string | undefined {
    return this.#context.provider?.id
  }
}

/**
 * The further arguments of a function of the application: the details, where it names a second parameter. One that does
 * not may have a meaning of its own for a second argument, or be a mock that compares all of them.
 */
export function detailsFor(
  context: Context,
  group: "callbacks" | "events",
  name: string,
): readonly [details?: RequestDetails] {
  const own = context.settings.config[group] as Readonly<Record<string, unknown>> | null | undefined
  const called = own?.[name]
  return typeof called === "function" && called.length > 1 ? [new ContextDetails(context)] : []
}
