/** Shows what is going to change, line by line, without values of secrets. */
import { parse } from "dotenv"
import type { Paint } from "../style.js"
import type { Change } from "./plan.js"

const concealed = (line: string): string =>
  line.replace(/^(\s*(?:export\s+)?[\w.]*(?:SECRET|PASSWORD|KEY|TOKEN)[\w.]*(?:\s*=|:\s)).+$/s, "$1…")

/** Lines end as the reader of such files ends them: also by a carriage return. */
const linesOf = (text: string): string[] => text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n")

/** A line that was there already: of what it holds, the name of a variable alone. */
function veiled(line: string, before: string): string {
  const [, beginning = "", name = ""] = /^(\s*(?:export\s+)?([\w.-]+)(?:=|\s*=|:\s))/.exec(line) ?? []
  // It may be a part of a value over several lines.
  return Object.hasOwn(parse(before), name) ? `${beginning.trimEnd()}…` : line.trim() && "…"
}

/** One change: a new file whole, an old one as the lines that are added, each with the line before it. */
export function shown({ path, before, after, isSecret }: Change, paint: Paint): string {
  const old = before === undefined ? [] : linesOf(before)
  const draw = (line: string): string => {
    if (!isSecret) return line
    return old.includes(line) ? veiled(line, before ?? "") : concealed(line)
  }
  const added = (line: string): string => paint("good", `  + ${draw(line)}`)
  const lines = linesOf(after)
  if (before === undefined) return [paint("strong", `New file ${path}`), ...lines.map(added)].join("\n")
  const out = [paint("strong", `Change in ${path}`)]
  let at = 0
  let isShown = true
  for (const [index, line] of lines.entries()) {
    if (line === old[at]) {
      at++
      isShown = false
      continue
    }
    const previous = lines[index - 1]
    if (!isShown && previous !== undefined) out.push(paint("quiet", `    ${draw(previous)}`))
    out.push(added(line))
    isShown = true
    // A variable without a value gets one: the line takes the place of the old one.
    if (!lines.slice(index + 1).includes(old[at] ?? "")) at++
  }
  return out.join("\n")
}
