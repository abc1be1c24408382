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
