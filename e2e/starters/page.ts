/** A page of first steps, as what a reader does: commands that are typed, files that are written. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../../docs/start/", import.meta.url))

/** One thing that the reader does. */
export type Step =
  | { readonly kind: "command"; readonly line: string }
  | { readonly kind: "file"; readonly path: string; readonly code: string }

/** Names of files stand in the first line of their code. */
const nameOf = (line: string): string | undefined => /^(?:\/\/|<!--) ([\w.$@+()[\]/-]+\.\w+)(?: -->)?$/.exec(line)?.[1]

/** The steps of `docs/start/<name>.md`, in their order. @throws Error for a block that is neither commands nor a named file */
export async function stepsOf(name: string): Promise<Step[]> {
  const lines = (await readFile(`${folder}${name}.md`, "utf8")).split("\n")
  const steps: Step[] = []
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(\w+)$/.exec(lines[at] ?? "")?.[1]
    if (language === undefined) continue
    const end = lines.indexOf("```", at)
    const block = lines.slice(at + 1, end)
    if (language === "sh") steps.push(...block.map((line): Step => ({ kind: "command", line })))
    else {
      const path = nameOf(block[0] ?? "")
      if (path === undefined)
        throw new Error(`docs/start/${name}.md:${at + 1}: expected the name of its file in the first line`)
      steps.push({ kind: "file", path, code: `${block.join("\n")}\n` })
    }
    at = end
  }
  return steps
}
