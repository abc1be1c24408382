/** Shows what is going to change, line by line, without values of secrets. */
import type { Paint } from "../style.js"
import type { Change } from "./plan.js"

const concealed = (line: string): string =>
  line.replace(/^([ \t]*[\w.]*(?:SECRET|PASSWORD|KEY|TOKEN)[\w.]*[ \t]*=).+$/, "$1…")

/** One change: a new file whole, an old one as the lines that are added, each with the line before it. */
export function shown({ path, before, after, isSecret }: Change, paint: Paint): string {
  const draw = (line: string): string => (isSecret ? concealed(line) : line)
  const added = (line: string): string => paint("good", `  + ${draw(line)}`)
  const lines = after.replace(/\n$/, "").split("\n")
  if (before === undefined) return [paint("strong", `New file ${path}`), ...lines.map(added)].join("\n")
  const old = before.replace(/\n$/, "").split("\n")
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
