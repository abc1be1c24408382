/** A move as lines for people. */
import type { Change } from "../init/plan.js"
import { shown } from "../init/show.js"
import { type Paint, wrapped } from "../style.js"
import type { Difference } from "./concerns.js"
import type { ProviderNote } from "./providers.js"
import type { Place } from "./source-text.js"

/** Places that are named; what comes after them is counted. */
const mostPlaces = 3

const nameOf = ({ path, line }: Place): string => (line === undefined ? path : `${path}:${line}`)

function placesText(places: readonly Place[]): string {
  const names = [...new Set(places.map(nameOf))]
  const more = names.length > mostPlaces ? ` and ${names.length - mostPlaces} more` : ""
  return names.length === 0 ? "" : ` (${names.slice(0, mostPlaces).join(", ")}${more})`
}

/** A changed file, as the lines that go and those that come. */
export function replaced({ path, before = "", after }: Change, paint: Paint): string {
  const [old, fresh] = [before.split("\n"), after.split("\n")]
  const out = [paint("strong", `Change in ${path}`)]
  const isPaired = old.length === fresh.length
  const gone = old.filter((line, at) => (isPaired ? line !== fresh[at] : !fresh.includes(line)))
  const come = fresh.filter((line, at) => (isPaired ? line !== old[at] : !old.includes(line)))
  return [
    ...out,
    ...gone.map((line) => paint("bad", `  - ${line}`)),
    ...come.map((line) => paint("good", `  + ${line}`)),
  ].join("\n")
}

function differenceText({ title, before, here, places }: Difference, paint: Paint): string {
  return `  ${paint("strong", title)}${paint("quiet", placesText(places))}
    Auth.js: ${wrapped(before, 13)}
    Here:    ${wrapped(here, 13)}`
}

/** What is shown. */
export interface Shown {
  readonly changes: readonly Change[]
  readonly differences: readonly Difference[]
  readonly providers: readonly ProviderNote[]
  readonly left: readonly string[]
  readonly total: number
}

/** The whole report. */
export function report({ changes, differences, providers, left, total }: Shown, paint: Paint): string {
  const own = differences.filter(({ concerns }) => concerns === "this")
  const all = differences.filter(({ concerns }) => concerns === "all")
  const section = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : [`${paint("strong", title)}\n`, ...lines, ""]
  return [
    ...changes.flatMap((change) => [change.before === undefined ? shown(change, paint) : replaced(change, paint), ""]),
    ...section(
      `Differences that concern this application (${own.length} of ${total})`,
      own.map((difference) => differenceText(difference, paint)),
    ),
    ...section(
      "Differences for every application, noticed by scripts and tests alone",
      all.map(({ title, here }) => `  ${title}: ${wrapped(here, 4)}`),
    ),
    ...section(
      "Providers",
      providers.map(({ id, text }) => `  ${id}: ${text}. See docs/providers/${id}.md`),
    ),
    ...section(
      "Left to you",
      left.map((text) => `  ${paint("caution", "!")} ${wrapped(text, 4)}`),
    ),
  ].join("\n")
}
