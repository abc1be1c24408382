/** Changing the text of a `.env` file: a variable that has a value is never changed. */
import { parse } from "dotenv"

/** A line that gives the variable, with what it gives. Lines that are commented out do not count. */
const shapeOf = (name: string): string => `^([ \\t]*(?:export[ \\t]+)?${name}(?:[ \\t]*=|:[ \\t]+))[ \\t]*(.*)$`

/** A line that gives a variable. */
interface Assignment {
  readonly at: number
  readonly line: string
  /** Up to the value. */
  readonly beginning: string
  readonly value: string
}

/** The line that counts: of several, whoever reads the file takes the last. */
function assignmentOf(content: string, name: string): Assignment | undefined {
  const match = [...content.matchAll(new RegExp(shapeOf(name), "gm"))].at(-1)
  if (!match) return undefined
  const [line, beginning = "", value = ""] = match
  return { at: match.index, line, beginning, value: value.trim() }
}

/** The content with another value in that very line: its text may stand in others, such as that of NEXTAUTH_SECRET. */
function withValue(content: string, { at, line, beginning }: Assignment, value: string): string {
  return `${content.slice(0, at)}${beginning}${value}${content.slice(at + line.length)}`
}

const isEmpty = ({ value }: Assignment): boolean => /^(?:''|""|)\s*(?:#.*)?$/.test(value)

/** The content with the variable in it, or nothing when it has a value already, also one in a form that is not changed here. */
export function withVariable(content: string, name: string, value: string): string | undefined {
  if (parse(content)[name]) return undefined
  const text = withLine(content, name, value)
  // A line may be part of the value of another variable.
  return text !== undefined && parse(text)[name] === parse(`${name}=${value}`)[name] ? text : undefined
}

function withLine(content: string, name: string, value: string): string | undefined {
  const found = assignmentOf(content, name)
  if (found) return isEmpty(found) ? withValue(content, found, value) : undefined
  const gap = content === "" || content.endsWith("\n") ? "" : "\n"
  return `${content}${gap}${name}=${value}\n`
}

/** The content with all variables in it that had no value. */
export function withVariables(content: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [name, value]) => withVariable(text, name, value) ?? text, content)
}

/** From the newest to the oldest, as the core reads them. */
const secretNames = ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET"] as const

/** The line that gives a variable; nothing where it has no value. */
function given(content: string, name: string): Assignment | undefined {
  const found = assignmentOf(content, name)
  return found && !isEmpty(found) ? found : undefined
}

/**
 * Do these lines say of the secrets what the reader of such files finds? Not where a value has several lines, or an unusual
 * blank stands in front, such as the mark that some editors put at the beginning of a file.
 */
export function hasPlainSecrets(content: string): boolean {
  const values = parse(content)
  return secretNames.every((name) => {
    const found = given(content, name)
    // A value that only looks like one, such as two backticks, is none either.
    return found ? values[name] !== "" && values[name] === parse(found.line)[name] : !values[name]
  })
}

/** Stands above a secret that is accepted while an earlier one is still in use. */
const acceptedNote = "# accepted, but not used yet: latchkey secret --rotate FILE --use"

const notePattern = new RegExp(`^${acceptedNote}\\r?\\n`, "gm")

/** Is there a secret that {@link withAcceptedSecret} has added and {@link withUsedSecret} has not put into use? */
export const hasAcceptedSecret = (content: string): boolean => content.search(notePattern) !== -1

/** Names of the newest secret and of the number above it; nothing without a first one, or when all are taken. */
function newestIn(content: string): { readonly name: string; readonly next: string } | undefined {
  if (!given(content, "AUTH_SECRET")) return undefined
  const at = secretNames.findIndex((name) => given(content, name) !== undefined)
  const [name, next] = [secretNames[at], secretNames[at - 1]]
  return name !== undefined && next !== undefined ? { name, next } : undefined
}

/** The content with a further secret under the next number; nothing without a first one, or when all numbers are taken. */
export function withRotatedSecret(content: string, secret: string): string | undefined {
  const found = newestIn(content)
  return found && withVariable(content, found.next, secret)
}

/** The content with a further secret behind the newest, which gets the next number and so stays in use. */
export function withAcceptedSecret(content: string, secret: string): string | undefined {
  const found = newestIn(content)
  const inUse = found && given(content, found.name)
  const moved = inUse && withVariable(content, found.next, inUse.value)
  const place = moved === undefined ? undefined : given(moved, found?.name ?? "")
  if (moved === undefined || !place) return undefined
  const text = withValue(moved, place, secret)
  return `${text.slice(0, place.at)}${acceptedNote}\n${text.slice(place.at)}`
}

/** The content with the accepted secret in use; nothing where there is none. */
export function withUsedSecret(content: string): string | undefined {
  if (!hasAcceptedSecret(content)) return undefined
  const [inUse, accepted] = secretNames.flatMap((name) => given(content, name) ?? [])
  if (!inUse || !accepted) return undefined
  // The one further down first, so that the place of the other stays.
  const [later, earlier] = inUse.at > accepted.at ? [inUse, accepted] : [accepted, inUse]
  return withValue(withValue(content, later, earlier.value), earlier, later.value).replace(notePattern, "")
}

/** The content with the newest secret as the only one; nothing where there is one at most. */
export function withoutOldSecrets(content: string): string | undefined {
  const found = secretNames.flatMap((name) => given(content, name) ?? [])
  const [newest, ...old] = found
  const first = given(content, "AUTH_SECRET")
  if (!newest || !first || old.length === 0) return undefined
  return secretNames
    .filter((name) => name !== "AUTH_SECRET")
    .reduce(
      (text, name) => text.replace(new RegExp(`${shapeOf(name)}(?:\\r?\\n|$)`, "gm"), ""),
      withValue(content, first, newest.value),
    )
}
