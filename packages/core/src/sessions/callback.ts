/** Asking the jwt and the session callback: in time, and a failure says which of them it was, and why. */
import { askInTime } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { asError, asToldError } from "../ports/thrown.js"

type Name = "jwt" | "session"

/** A callback threw, or answered what it must not. */
class CallbackFailure extends Error {
  readonly callback: Name
  readonly err: Error

  constructor(callback: Name, err: Error, hint = "") {
    const message = `The ${callback} callback failed: ${err.message}`
    super(hint === "" ? message : `${message.replace(/\.$/, "")}. ${hint}`)
    this.callback = callback
    this.err = err
  }
}

/** What a callback is asked, and what is known of its answer. */
export interface Question<T> {
  readonly ask: () => T | PromiseLike<T>
  readonly isFit: (answer: unknown) => boolean
  /** What an answer has to be, for the message. */
  readonly expected: string
  /** Told beside a TypeError: most often a member was read that is not given at this moment. */
  readonly given: string
}

/** Asks; throws a failure that {@link explained} makes an error of. */
export async function askCallback<T>(context: Context, callback: Name, question: Question<T>): Promise<T> {
  const { ask, expected, given, isFit } = question
  let answer: T
  try {
    answer = await askInTime(context, `callbacks.${callback}`, ask)
  } catch (thrown) {
    const err = asToldError(thrown)
    throw new CallbackFailure(callback, err, err instanceof TypeError ? given : "")
  }
  if (isFit(answer)) return answer
  const received = answer === null ? "null" : Array.isArray(answer) ? "a list" : typeof answer
  throw new CallbackFailure(callback, new TypeError(`expected ${expected}, received ${received}.`))
}

/** What was thrown while a session was begun or read, as an error of this kind that names the callback and the cause. */
export function explained<E extends Error>(
  ErrorClass: new (message: string | Error, options?: { cause: Record<string, unknown> }) => E,
  thrown: unknown,
): E {
  if (!(thrown instanceof CallbackFailure)) return new ErrorClass(asError(thrown))
  return new ErrorClass(thrown.message, { cause: { err: thrown.err, callback: thrown.callback } })
}
