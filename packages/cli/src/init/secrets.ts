/** `.env` with a secret in it, and the line that keeps it out of version control. */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { withVariable } from "../env-text.js"
import type { Change, Draft, FrameworkPlan } from "./plan.js"

/**
 * A pattern as git reads it: spaces at its end count only behind a backslash, and every other blank is a part of the name.
 * A line that git would take for a pattern of another file must not look as if it kept the secret away.
 */
const withoutSpaces = (line: string): string => line.replace(/(\\.| +(?! |$))| +$/g, "$1")

const longest = 1_000

/** A backslash takes the meaning from the character behind it. */
const shapeOf = (pattern: string): string =>
  pattern.replace(/\\(.)|\*+|[?.+^${}()|[\]\\]/g, (part, plain?: string) => {
    if (part.startsWith("*")) return ".*"
    return part === "?" ? "." : (plain ?? part).replace(/\W/, "\\$&")
  })

/** Is the file ignored? Patterns of the project's own file alone are looked at, the last that fits counts. */
export function isIgnored(gitignore: string, file: string): boolean {
  let found = false
  // Git passes over a byte order mark.
  for (const line of gitignore.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const isExcepted = line.startsWith("!")
    const pattern = withoutSpaces(line).replace(/^!/, "").replace(/^\//, "")
    // No name is as long, and no expression may be of any length.
    if (pattern === "" || pattern.startsWith("#") || pattern.length > longest) continue
    // What is not read here may except any file, and excludes none for certain.
    const isUnread = isExcepted && /\[|\*\*/.test(pattern)
    if (isUnread || new RegExp(`^${shapeOf(pattern)}$`).test(file)) found = !isExcepted
  }
  return found
}

function ignoring({ project, files }: Draft, file: string): readonly Change[] {
  const before = files.read(join(project.folder, ".gitignore"))
  if (before !== undefined && isIgnored(before, file)) return []
  const lines =
    before === undefined ? `node_modules\n${file}\n` : `${before}${before.endsWith("\n") ? "" : "\n"}${file}\n`
  return [{ path: ".gitignore", before, after: lines }]
}

/** The changes of `.env` and `.gitignore`. A variable that has a value is never changed. */
export function secretChanges(
  draft: Draft,
  { envFile, variables = {} }: Pick<FrameworkPlan, "envFile" | "variables">,
): readonly Change[] {
  const before = draft.files.read(join(draft.project.folder, envFile))
  const values = { AUTH_SECRET: randomBytes(32).toString("hex"), ...variables, ...draft.provider.variables }
  let after = before ?? ""
  for (const [name, value] of Object.entries(values)) after = withVariable(after, name, value) ?? after
  const own: Change = { path: envFile, before, after, isSecret: true }
  return [...(after === before ? [] : [own]), ...ignoring(draft, envFile)]
}
