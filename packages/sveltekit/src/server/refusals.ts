/** Remembers which results of an action are refusals, for code that handles them differently. */
import type { AuthError } from "@latchkey/core/errors"

const refusals = new WeakMap<object, AuthError>()

/** Remembers the error. The result is what an action returned or threw. */
export function noteRefusal<T extends object>(answer: T, error: AuthError): T {
  refusals.set(answer, error)
  return answer
}

/** The error behind an answer; `undefined` for an answer from elsewhere. */
export function refusalBehind(answer: unknown): AuthError | undefined {
  return typeof answer === "object" && answer !== null ? refusals.get(answer) : undefined
}
