/** Changing the text of a `.env` file: a variable that has a value is never changed. */

/** A line that gives the variable, with what it gives. Lines that are commented out do not count. */
const assignmentOf = (name: string): RegExp =>
  new RegExp(`^([ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=)[ \\t]*(.*)$`, "m")

/** The content with the variable in it, or nothing when it has a value already. */
export function withVariable(content: string, name: string, value: string): string | undefined {
  const [line, beginning, given = ""] = assignmentOf(name).exec(content) ?? []
  if (line === undefined) {
    const gap = content === "" || content.endsWith("\n") ? "" : "\n"
    return `${content}${gap}${name}=${value}\n`
  }
  const isEmpty = /^(''|""|)\s*(#.*)?$/.test(given.trim())
  return isEmpty ? content.replace(line, () => `${beginning}${value}`) : undefined
}

/** The content with all variables in it that had no value. */
export function withVariables(content: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [name, value]) => withVariable(text, name, value) ?? text, content)
}

/** From the newest to the oldest, as the core reads them. */
const secretNames = ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET"] as const

/** The line that gives a variable, and what it gives; nothing where it has no value. */
function given(content: string, name: string): { readonly line: string; readonly value: string } | undefined {
  const [line, , value = ""] = assignmentOf(name).exec(content) ?? []
  return line === undefined || /^(?:''|""|)\s*(?:#.*)?$/.test(value.trim()) ? undefined : { line, value: value.trim() }
}

/** The content with a further secret under the next number; nothing without a first one, or when all numbers are taken. */
export function withRotatedSecret(content: string, secret: string): string | undefined {
  if (!given(content, "AUTH_SECRET")) return undefined
  const newest = secretNames.findIndex((name) => given(content, name) !== undefined)
  const next = secretNames[newest - 1]
  return next === undefined ? undefined : withVariable(content, next, secret)
}

/** The content with the newest secret as the only one; nothing where there is one at most. */
export function withoutOldSecrets(content: string): string | undefined {
  const found = secretNames.flatMap((name) => given(content, name) ?? [])
  const [newest, ...old] = found
  const first = given(content, "AUTH_SECRET")
  if (!newest || !first || old.length === 0) return undefined
  const cleared = found
    .filter(({ line }) => line !== first.line)
    .reduce((text, { line }) => text.replace(new RegExp(`^${escaped(line)}(?:\\r?\\n|$)`, "m"), ""), content)
  return cleared.replace(first.line, () => first.line.replace(first.value, () => newest.value))
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
