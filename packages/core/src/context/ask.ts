/** Asking code of the application: it answers in time, or what it was asked for has failed. */
import { CallbackRouteError } from "../errors.js"
import { asToldError } from "../ports/thrown.js"
import { within } from "../std/deadline.js"
import type { Awaitable } from "../types/identity.js"
import type { Context } from "./context.js"

/**
 * Waits for the answer of a callback no longer than `callbackTimeout`, `authorize` a little longer; throws what it
 * throws. `name` is the callback as the application wrote it. An answer that comes too late is logged and dropped.
 */
export function askInTime<T>(context: Context, name: string, ask: () => Awaitable<T>): Promise<T> {
  const { callback, authorize } = context.settings.deadlines
  const seconds = name === "authorize" ? authorize : callback
  return within(seconds === undefined ? undefined : seconds * 1000, ask, {
    tooLate: () => new Error(`\`${name}\` did not answer within ${seconds} s (\`callbackTimeout\`).`),
    late(outcome) {
      const message = `\`${name}\` ended after its deadline of ${seconds} s (\`callbackTimeout\`); what it ${outcome.kind} was dropped.`
      const err = outcome.kind === "threw" ? { err: asToldError(outcome.thrown) } : {}
      context.log.error(new CallbackRouteError(message, { cause: { ...err, callback: name } }))
    },
  })
}
