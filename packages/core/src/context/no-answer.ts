/**
 * Whether `authorize` of the application failed instead of saying if what somebody typed is right. Many applications throw an
 * error of their own for a wrong password, so the failure may mean "wrong".
 */
import type { Context } from "./context.js"

const given: unique symbol = Symbol("no answer")

/** Keeps that the application gave no answer. */
export function keepNoAnswer(context: Context): void {
  context.once(given, () => true)
}

/** Did the application give no answer? */
export function hasNoAnswer(context: Context): boolean {
  return context.kept<true>(given) === true
}
