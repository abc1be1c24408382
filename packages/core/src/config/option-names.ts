/** Names of options: an unknown one is most likely misspelt, and does nothing. */
import { onOneLine } from "../std/text.js"
import { type Members, membersOf } from "./members.js"
import { namesBelow } from "./options.js"
import type { Report } from "./report.js"

/** Where a name that is not known is reported; a logger may be an object with more. */
const groups = ["", "session", "jwt", "pages", "callbacks", "events", "theme", "experimental"] as const
const known: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  groups.map((group) => [group, namesBelow(group)]),
)
/** Options that frameworks built on Auth.js read themselves and pass on: next-auth, @auth/solid-start and auth-astro. */
const ofFrameworks: ReadonlySet<string> = new Set(["callbacks.authorized", "prefix", "injectEndpoints"])
/** As many names are listed, and as many characters of each. */
const limits = { names: 5, characters: 40 } as const

/** Warns of options that are not known, each with the known name that is nearest. */
export function judgeNames(members: Members, report: Report): void {
  const unknown = Object.entries(known).flatMap(([group, names]) =>
    Object.keys(membersOf(group === "" ? members : members[group]))
      .filter((name) => !names.includes(name) && !ofFrameworks.has(pathOf(group, name)))
      .map((name) => describe(group, name, names)),
  )
  if (unknown.length === 0) return
  const more = unknown.length > limits.names ? `, and ${unknown.length - limits.names} more` : ""
  report.warn("unknown-option", `${unknown.slice(0, limits.names).join(", ")}${more}.`)
}

function describe(group: string, name: string, names: readonly string[]): string {
  const short = name.slice(0, limits.characters)
  const nearest = names.toSorted((a, b) => distance(short, a) - distance(short, b))[0] ?? ""
  const isNear = distance(short, nearest) <= Math.max(1, short.length / 3)
  return onOneLine(`"${pathOf(group, short)}"${isNear ? ` (did you mean "${pathOf(group, nearest)}"?)` : ""}`)
}

const pathOf = (group: string, name: string): string => (group === "" ? name : `${group}.${name}`)

/** How many letters have to be added, left out or exchanged (Levenshtein); capitals and small letters are alike. */
function distance(a: string, b: string): number {
  const [one, two] = [a.toLowerCase(), b.toLowerCase()]
  let row = Array.from({ length: two.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= two.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (one[i - 1] === two[j - 1] ? 0 : 1)
      next.push(Math.min(exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[two.length] ?? 0
}
