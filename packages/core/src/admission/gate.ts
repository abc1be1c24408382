/** The application's own say: the `signIn` callback lets in, refuses or sends elsewhere. */
import { askInTime } from "../context/ask.js"
import type { Context } from "../context/context.js"
import { AccessDenied } from "../errors.js"
import { asToldError } from "../ports/thrown.js"
import type { CallbacksOptions } from "../types/hooks.js"

/** What the `signIn` callback is asked. */
export type GateQuestion = Parameters<CallbacksOptions["signIn"]>[0]

/** Let in, or sent to an address instead. */
export type Verdict = { readonly kind: "pass" } | { readonly kind: "elsewhere"; readonly goTo: string }

/**
 * Asks the application. A text is an address the application chose, relative to the origin or absolute.
 * @throws AccessDenied for `false`, and for whatever the callback throws: it carries the message of that.
 */
export async function askGate(context: Context, question: GateQuestion): Promise<Verdict> {
  const answer = await answerOf(context, question)
  if (answer === false) throw new AccessDenied("The signIn callback refused.")
  if (!answer) throw new AccessDenied(missingAnswer(answer))
  if (typeof answer !== "string") return { kind: "pass" }
  return { kind: "elsewhere", goTo: destination(answer, context.incoming.origin) }
}

/** Most often a `return` that was forgotten. */
function missingAnswer(answer: unknown): string {
  const received = answer === "" ? "an empty text" : String(answer)
  return `The signIn callback: expected true, false or an address as text, received ${received}. Return true to let the person in, false to refuse.`
}

async function answerOf(context: Context, question: GateQuestion): Promise<boolean | string> {
  try {
    return await askInTime(context, "callbacks.signIn", () => context.settings.callbacks.signIn(question))
  } catch (error) {
    throw new AccessDenied(asToldError(error))
  }
}

function destination(answer: string, origin: string): string {
  if (!URL.canParse(answer, origin)) {
    throw new AccessDenied("The signIn callback returned text that is not an address. Return true, false or a URL.")
  }
  return new URL(answer, origin).href
}
