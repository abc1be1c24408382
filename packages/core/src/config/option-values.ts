/** Values of options, judged by their rows: what would fail later, and far from its cause, is reported here. Absent options always are fit. */
import { hasControlCharacters } from "../std/text.js"
import { isMarker, type Marker } from "./markers.js"
import type { Members } from "./members.js"
import { isPromise, type Mistake } from "./mistake.js"
import { type OptionName, optionRows, options } from "./options.js"
import type { Report } from "./report.js"

type Expectation = Pick<Mistake, "expected"> & { readonly isFit: (value: unknown) => boolean }

/** What a value can be asked to be, for options and for members of providers. */
export type ValueKind = "text" | "secret" | "flag" | "function" | "group" | "page"

const kinds: Readonly<Record<ValueKind, Expectation>> = {
  text: { expected: "a string", isFit: (value) => typeof value === "string" },
  secret: { expected: "a string", isFit: (value) => typeof value === "string" },
  flag: { expected: "true or false", isFit: (value) => typeof value === "boolean" },
  function: { expected: "a function", isFit: (value) => typeof value === "function" },
  group: { expected: "an object", isFit: (value) => typeof value === "object" && !Array.isArray(value) },
  page: {
    expected: "a path below the origin, or an absolute http(s) address",
    isFit: (value) => value === "" || isPage(value),
  },
}

const remedies: Readonly<Partial<Record<ValueKind, string>>> = { page: "Leave it out for the built-in page." }
const usualRemedy = "Correct it, or leave it out for the default."

/** What was written, and where. */
export interface Written {
  readonly option: string
  readonly received: unknown
}

/** Reports a value that is not of its kind. */
export function judgeKind(kind: ValueKind, { option, received }: Written, report: Report): void {
  const { expected, isFit } = kinds[kind]
  if (isAbsent(received) || isFit(received)) return
  report.mistake(option, { expected, received, remedy: remedies[kind] ?? usualRemedy, isSecret: kind === "secret" })
}

/** Reports a value that is none of some texts. */
export function judgeChoice(choices: readonly string[], { option, received }: Written, report: Report): void {
  if (isAbsent(received) || choices.includes(received as string)) return
  const expected = choices.map((choice) => `"${choice}"`).join(" or ")
  report.mistake(option, { expected, received, remedy: usualRemedy })
}

/** Judges every option whose kind says all there is to say, then the few that need more. */
export function judgeOptions(members: Members, report: Report): void {
  judgeAdapter(members.adapter, report)
  judgeMarkers(members, report)
  for (const [name, { kind }] of optionRows) {
    // What is a number is judged where it is read.
    if (kind.is === "own" || kind.is === "seconds") continue
    const written = { option: name, received: writtenAt(name, members) }
    if (kind.is === "choice") judgeChoice(kind.choices, written, report)
    else judgeKind(kind.is, written, report)
  }
}

/** Through the prototype: classes are welcome as callbacks, events and logger. */
function writtenAt(name: OptionName, members: Members): unknown {
  const [first = "", second] = name.split(".")
  return second === undefined ? members[first] : (members[first] as Members | null | undefined)?.[second]
}

function isAbsent(received: unknown): boolean {
  return received === undefined || received === null
}

function judgeAdapter(adapter: unknown, report: Report): void {
  if (isAbsent(adapter) || (typeof adapter === "object" && !isPromise(adapter))) return
  const remedy = typeof adapter === "function" ? "Call it." : "Await what makes it."
  report.mistake("adapter", { expected: "an object with the operations of a data layer", received: adapter, remedy })
}

function judgeMarkers(members: Members, report: Report): void {
  const { raw, skipCSRFCheck } = members
  if (!isOffOr("return-type-raw", raw)) {
    const remedy = 'Import it: import { raw } from "@latchkey/core".'
    report.mistake("raw", { expected: 'the exported marker "raw"', received: raw, remedy })
  }
  // Nothing is switched off, which is safe, and what Auth.js does with it.
  if (!isOffOr("skip-csrf-check", skipCSRFCheck)) report.warn("skip-csrf-check-ignored")
}

function isOffOr(marker: Marker, value: unknown): boolean {
  return isAbsent(value) || value === false || isMarker(value, marker)
}

function isPage(value: unknown): boolean {
  if (typeof value !== "string" || value.includes("\\") || hasControlCharacters(value)) return false
  if (!URL.canParse(value, "https://origin.invalid")) return false
  const url = new URL(value, "https://origin.invalid")
  return (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === ""
}

/** Ten years: more is a number of milliseconds, such as the 2592000000 of thirty days, which would be 82 years. */
const most = 10 * 365 * 24 * 60 * 60

/** Reads an option that counts seconds by its row; `fallback` is the default that follows from other options. */
export function secondsOf(
  { name, value, fallback }: { readonly name: OptionName; readonly value: unknown; readonly fallback?: number },
  report: Report,
): number {
  const { kind } = options[name]
  if (kind.is !== "seconds") throw new TypeError(`The option ${name} counts no seconds.`)
  return readSeconds({ option: name, value, least: kind.least, fallback: fallback ?? kind.fallback }, report)
}

/** A duration in seconds, or its default when it is absent or absurd. */
export function readSeconds(
  { option, value, least, fallback }: { option: string; value: unknown; least: 0 | 1; fallback: number },
  report: Report,
): number {
  if (isAbsent(value)) return fallback
  // Fractions come from arithmetic and mean no harm.
  if (typeof value === "number" && value >= least && value <= most) return Math.floor(value)
  const remedy =
    typeof value === "string"
      ? "Write it as a number."
      : "It counts seconds, not milliseconds. Correct it, or leave it out for the default."
  report.mistake(option, { expected: `a number of seconds from ${least} to ${most}`, received: value, remedy })
  return fallback
}

const meanings: Readonly<Record<string, boolean | undefined>> = { true: true, "1": true, false: false, "0": false }

/**
 * The members with flags read that came out of an environment as text: `"true"` and `"1"`, `"false"` and `"0"` mean what
 * they say, an empty text counts as not set. Anything else stays, to be judged.
 */
export function readFlags(members: Members): Members {
  const flags = optionRows.filter(([name, { kind }]) => kind.is === "flag" && !name.includes(".")).map(([name]) => name)
  const read = flags.flatMap((name) => {
    const value = members[name]
    if (typeof value !== "string") return []
    const text = value.trim().toLowerCase()
    const meaning = Object.hasOwn(meanings, text) ? meanings[text] : undefined
    return meaning !== undefined || text === "" ? [[name, meaning] as const] : []
  })
  return read.length === 0 ? members : Object.freeze({ ...members, ...Object.fromEntries(read) })
}
