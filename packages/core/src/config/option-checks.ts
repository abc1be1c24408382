/** The options compared with their rows: unknown names, and values that would fail later and far from their cause. Absent options are always right. */

import { missingVerbs } from "../ports/records.js"
import { isThenable } from "../std/deadline.js"
import type { Members } from "../std/json.js"
import { nearest } from "../std/nearest.js"
import { onOneLine } from "../std/text.js"
import { isMarker, type Marker } from "./markers.js"
import { isAbsent, membersOf } from "./members.js"
import {
  type Group,
  namesBelow,
  type OptionName,
  optionRows,
  type ResolvedOptions,
  type ValueKind,
  wholeGroups,
} from "./options.js"
import type { Report } from "./report.js"

const usualRemedy = "Correct it, or leave it out for the default."

/** What was written, and where. */
export interface Written {
  readonly option: string
  readonly received: unknown
}

/** Reports a value that is not of its kind. */
export function checkKind(kind: Omit<ValueKind, "is">, { option, received }: Written, report: Report): void {
  if (isAbsent(received) || kind.isFit(received)) return
  const { expected, remedy = usualRemedy, isSecret = false } = kind
  report.mistake(option, { expected, received, remedy, isSecret })
}

/**
 * Reads the plain options: the configuration's own members where they are of their kind, else the default. Reports every
 * option that is not of its kind, as far as the kind says all there is to say.
 */
export function resolveOptions(members: Members, report: Report): ResolvedOptions {
  checkAdapter(members.adapter, report)
  checkRecords(members.records, report)
  checkMarkers(members, report)
  const resolved: Record<string, unknown> = {}
  for (const [name, kind] of optionRows) {
    if (kind.is === "own") continue
    if (kind.is !== "seconds") checkKind(kind, { option: name, received: writtenAt(name, members) }, report)
    const [first = "", second] = name.split(".")
    if (kind.is === "group" || wholeGroups.some((group) => group === first)) continue
    const value: unknown = second === undefined ? members[first] : membersOf(members[first])[second]
    const fallback = Object.hasOwn(kind, "fallback") ? kind.fallback : undefined
    // The rows are in the order in which defaults follow from each other.
    const usual = typeof fallback === "function" ? fallback(resolved as ResolvedOptions) : fallback
    if (kind.is === "seconds") {
      const given = { option: name, value, least: kind.least, fallback: usual as number | undefined }
      resolved[name] = readSeconds(given, report)
    } else resolved[name] = isAbsent(value) || !kind.isFit(value) ? usual : value
  }
  // The kind in each row describes the type that `AuthConfig` has for the option.
  return Object.freeze(resolved) as ResolvedOptions
}

/** Through the prototype: classes are welcome as callbacks, events and logger. */
function writtenAt(name: OptionName, members: Members): unknown {
  const [first = "", second] = name.split(".")
  return second === undefined ? members[first] : (members[first] as Members | null | undefined)?.[second]
}

function checkAdapter(adapter: unknown, report: Report): void {
  if (isAbsent(adapter) || (typeof adapter === "object" && !isThenable(adapter))) return
  const remedy = typeof adapter === "function" ? "Call it." : "Await the promise."
  report.mistake("adapter", { expected: "an object with the operations of an adapter", received: adapter, remedy })
}

function checkRecords(records: unknown, report: Report): void {
  if (isAbsent(records)) return
  const isObject = typeof records === "object" && !isThenable(records)
  const missing = isObject ? missingVerbs(records) : []
  if (isObject && missing.length === 0) return
  const howToMake = typeof records === "function" ? "Call it." : "Await the promise."
  const remedy = isObject ? `It lacks ${missing.join(", ")}.` : howToMake
  const expected = "an object with the operations of a store of records"
  report.mistake("records", { expected, received: records, remedy })
}

function checkMarkers({ raw, skipCSRFCheck }: Members, report: Report): void {
  if (!isOffOr("return-type-raw", raw)) {
    const remedy = 'Import it: import { raw } from "@latchkey/core".'
    report.mistake("raw", { expected: 'the exported marker "raw"', received: raw, remedy })
  }
  // The protection stays on, as in Auth.js.
  if (!isOffOr("skip-csrf-check", skipCSRFCheck)) report.warn("skip-csrf-check-ignored")
}

function isOffOr(marker: Marker, value: unknown): boolean {
  return isAbsent(value) || value === false || isMarker(value, marker)
}

/** Ten years: more is a number of milliseconds, such as the 2592000000 of thirty days, which would be 82 years. */
const most = 10 * 365 * 24 * 60 * 60

/** A duration in seconds, or its default when it is absent or absurd. */
export function readSeconds<Fallback extends number | undefined>(
  { option, value, least, fallback }: { option: string; value: unknown; least: 0 | 1; fallback: Fallback },
  report: Report,
): number | Fallback {
  if (isAbsent(value)) return fallback
  // Fractions come from arithmetic; they are rounded down.
  if (typeof value === "number" && value >= least && value <= most) return Math.floor(value)
  const remedy =
    typeof value === "string" ? "Write it as a number." : `It counts seconds, not milliseconds. ${usualRemedy}`
  report.mistake(option, { expected: `a number of seconds from ${least} to ${most}`, received: value, remedy })
  return fallback
}

const meanings: ReadonlyMap<string, boolean | undefined> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
  ["", undefined],
])

/**
 * The members with flags read that came out of an environment as text: `"true"` and `"1"`, `"false"` and `"0"` mean what
 * they say, an empty string counts as not set. Anything else stays, to be reported.
 */
export function readFlags(members: Members): Members {
  const flags = optionRows.filter(([name, kind]) => kind.is === "flag" && !name.includes(".")).map(([name]) => name)
  const read = flags.flatMap((name) => {
    const value = members[name]
    const word = typeof value === "string" ? value.trim().toLowerCase() : undefined
    return word !== undefined && meanings.has(word) ? [[name, meanings.get(word)] as const] : []
  })
  return read.length === 0 ? members : Object.freeze({ ...members, ...Object.fromEntries(read) })
}

/** Where a name that is not known is reported; a logger may be an object with more. */
const groups: readonly ("" | Group)[] = [
  "",
  "session",
  "jwt",
  "pages",
  "callbacks",
  "events",
  "theme",
  "links",
  "experimental",
]
/** Options that frameworks built on Auth.js read themselves and pass on: next-auth, @auth/solid-start and auth-astro. */
const ofFrameworks: ReadonlySet<string> = new Set(["callbacks.authorized", "prefix", "injectEndpoints"])
/** As many names are listed, and as many characters of each. */
const limits = { names: 5, characters: 40 } as const

/** Warns of options that are not known, each with the known name that is nearest. */
export function checkNames(members: Members, report: Report): void {
  const unknown = groups.flatMap((group) => {
    const known = namesBelow(group)
    return Object.keys(membersOf(group === "" ? members : members[group]))
      .filter((name) => !known.includes(name) && !ofFrameworks.has(pathOf(group, name)))
      .map((name) => describe(group, name, known))
  })
  if (unknown.length === 0) return
  const more = unknown.length > limits.names ? `, and ${unknown.length - limits.names} more` : ""
  report.warn("unknown-option", `${unknown.slice(0, limits.names).join(", ")}${more}.`)
}

function describe(group: string, name: string, names: readonly string[]): string {
  const short = name.slice(0, limits.characters)
  const meant = nearest(short, names)
  return onOneLine(
    `"${pathOf(group, short)}"${meant === undefined ? "" : ` (did you mean "${pathOf(group, meant)}"?)`}`,
  )
}

const pathOf = (group: string, name: string): string => (group === "" ? name : `${group}.${name}`)
