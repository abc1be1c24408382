/** How a configuration mistake is described: what was expected, what came, how to fix it. Never the secret. */
import { InvalidConfiguration } from "../errors.js"
import { createRedactor } from "../ports/redact.js"

/** What is wrong with an option. */
export interface Mistake {
  readonly expected: string
  readonly received: unknown
  readonly remedy: string
  /** The value is a secret: only its type is printed. */
  readonly isSecret?: boolean
  readonly err?: Error
}

/** The error for an option with a value that cannot work. */
export function mistake(option: string, given: Mistake): InvalidConfiguration {
  return new InvalidConfiguration(mistakeText(option, given), {
    cause: { option, ...(given.err && { err: given.err }) },
  })
}

/** The text of a mistake, for errors of other classes. */
export function mistakeText(option: string, { expected, received, remedy, isSecret = false }: Mistake): string {
  return `"${option}": expected ${expected}, received ${describe(received, isSecret)}. ${remedy}`
}

/** Names a value in a message. */
function describe(value: unknown, isSecret: boolean): string {
  if (value === undefined) return "nothing"
  if (value === null) return "null"
  if (typeof value === "string") return describeText(value, isSecret)
  if (typeof value === "number" || typeof value === "boolean") return isSecret ? `a ${typeof value}` : String(value)
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`
  if (typeof value === "object") return isPromise(value) ? "a promise" : "an object"
  return `a ${typeof value}`
}

function describeText(text: string, isSecret: boolean): string {
  if (text === "") return "an empty text"
  if (isSecret) return `a string of ${text.length} characters`
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return `the text ${JSON.stringify(createRedactor().text(shown))}`
}

/** Somebody forgot to await. */
export function isPromise(value: unknown): boolean {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function"
}
