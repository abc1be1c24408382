/** An error as the default logger prints it: escaped, bounded, and only as much as its reader needs. */
import { isAuthError, isRefusal } from "../errors.js"
import { cutTo, onOneLine, printable } from "../std/text.js"

/** One entry of the log: `label` says what it is of. */
export interface Entry {
  readonly label: "error" | "cause" | "details"
  readonly text: string
}

const limits = { line: 2_000, frame: 300, frames: 20, causes: 4, details: 4_000 } as const

/**
 * What a visitor can cause takes one line, because anybody can cause as many as they like. A fault, and what the language
 * itself threw, comes with its place in the code, its causes and their details.
 */
export function entriesOf(error: Error): readonly Entry[] {
  const causes = causesOf(error)
  if (isByPeople(error) && !causes.some(isMistakeInCode)) return [{ label: "error", text: lineOf(error, causes[0]) }]
  const [first] = causes
  if (!first) return [{ label: "error", text: withFrames(lineOf(error), error) }]
  const { err: _, ...details } = factsOf(error.cause)
  return [
    { label: "error", text: lineOf(error) },
    ...causes.map((cause): Entry => ({ label: "cause", text: withFrames(headOf(cause), cause) })),
    ...(Object.keys(details).length > 0 ? [{ label: "details", text: json(details) } as const] : []),
  ]
}

/** Data that was redacted before, as JSON. */
export function json(value: unknown): string {
  return printable(cutTo(limits.details, JSON.stringify(value, null, 2) ?? ""))
}

/** A message from outside must not look like two lines of the log. */
export function line(text: string): string {
  return onOneLine(cutTo(limits.line, text))
}

/** A refusal, or a flow whose cookies are gone: stale tabs and strangers cause both. */
function isByPeople(error: Error): boolean {
  return isRefusal(error) || (isAuthError(error) && error.type === "InvalidCheck")
}

const namesOfMistakes: ReadonlySet<string> = new Set(["TypeError", "ReferenceError", "RangeError", "SyntaxError"])

/** Such errors are not thrown on purpose: they point to a mistake in code. */
function isMistakeInCode(error: Error): boolean {
  return namesOfMistakes.has(error.name)
}

/** Name, message and incident id: the page and the answer show the id as well, so that a report from a person finds this line. */
function lineOf(error: Error, cause?: Error): string {
  const { incident } = error as { incident?: unknown }
  const below = cause && cause.message !== error.message ? ` (${headOf(cause)})` : ""
  return headOf(error) + below + (typeof incident === "string" ? ` (incident ${line(incident)})` : "")
}

function headOf(error: Error): string {
  return line(`${isAuthError(error) ? error.type : error.name}: ${error.message}`)
}

function withFrames(head: string, error: Error): string {
  return [head, ...framesOf(error)].join("\n")
}

/** The places in the code, and nothing else: a message with line ends stands in the stack as well. */
function framesOf({ name, message, stack }: Error): string[] {
  if (typeof stack !== "string") return []
  const heads = [`${name}: ${message}`, `Error: ${message}`, message]
  const head = heads.find((text) => stack.startsWith(text)) ?? ""
  return stack
    .slice(head.length)
    .split("\n")
    .filter((text) => text.startsWith("    at "))
    .slice(0, limits.frames)
    .map((text) => printable(cutTo(limits.frame, text)))
}

/** The errors below an error, nearest first. */
function causesOf(error: Error): readonly Error[] {
  const causes: Error[] = []
  let below = errorIn(error.cause)
  while (below && causes.length < limits.causes && !causes.includes(below)) {
    causes.push(below)
    below = errorIn(below.cause)
  }
  return causes
}

function errorIn(cause: unknown): Error | undefined {
  const { err } = factsOf(cause)
  return err instanceof Error ? err : undefined
}

function factsOf(cause: unknown): Record<string, unknown> {
  if (cause instanceof Error) return { err: cause }
  return typeof cause === "object" && cause !== null ? { ...cause } : {}
}
