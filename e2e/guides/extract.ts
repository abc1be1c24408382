/** Takes the code out of a page: every fenced block that names its file, in a comment or, for JSON, in brackets. */

/** A file that a page shows. */
export interface Block {
  /** Where it stands in the reader's project. */
  readonly file: string
  readonly code: string
}

/** What a page holds. */
export interface Extract {
  readonly blocks: readonly Block[]
  /** Lines of blocks that are neither commands nor named: code nobody runs. */
  readonly nameless: readonly number[]
  /** What the reader types, line by line, without remarks. */
  readonly commands: readonly string[]
}

/** The comment in the first line, or behind the fence with which a component of Astro begins. */
function nameOf([first = "", second = ""]: readonly string[]): string | undefined {
  const comment = first === "---" ? second : first
  return /^(?:\/\/|#|<!--) ([\w.$@+()[\]/-]*\.\w+)(?: -->)?$/.exec(comment)?.[1]
}

/** Reads a page. Commands (`sh`) need no name. */
export function extract(page: string): Extract {
  const blocks: Block[] = []
  const nameless: number[] = []
  const commands: string[] = []
  const lines = page.split("\n")
  for (let at = 0; at < lines.length; at++) {
    const [, language = "", info = ""] = /^```(\w+)(.*)$/.exec(lines[at] ?? "") ?? []
    if (language === "") continue
    const end = lines.indexOf("```", at)
    if (end === -1) throw new Error(`The block that begins in line ${at + 1} never ends.`)
    const file = nameOf(lines.slice(at + 1, end)) ?? /^ \[(\S+)\]$/.exec(info)?.[1]
    if (file !== undefined) blocks.push({ file, code: `${lines.slice(at + 1, end).join("\n")}\n` })
    else if (language === "sh") commands.push(...lines.slice(at + 1, end).map((line) => line.replace(/\s+# .*$/, "")))
    else nameless.push(at + 1)
    at = end
  }
  return { blocks, nameless, commands }
}

/** Variables of a block that is an environment file. */
export function variablesOf({ code }: Block): string[] {
  return [...code.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)].map(([, name = ""]) => name)
}
