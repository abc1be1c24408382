/** What is found wrong while a configuration is read: collected, never thrown, and described without any secret. */
import { type AuthError, InvalidConfiguration } from "../errors.js"
import { createRedactor } from "../ports/redact.js"
import { isThenable } from "../std/deadline.js"
import { cutTo } from "../std/text.js"
import type { WarningCode } from "../types/hooks.js"

interface Found {
  readonly problems: AuthError[]
  /** Those of `problems` that refuse every request: all that are not one provider's. */
  readonly general: AuthError[]
  /** Those of one provider, by its id: they refuse that provider alone. */
  readonly ofProviders: Map<string, readonly AuthError[]>
  readonly warnings: WarningCode[]
  /** What a warning is about, where the code alone does not say it. */
  readonly details: Partial<Record<WarningCode, string>>
}

/** Collects problems and warnings in the order they are found. */
export interface Report extends Found {
  problem(error: AuthError): void
  mistake(option: string, given: Mistake): void
  warn(code: WarningCode, detail?: string): void
  /** The same report for what is wrong with one provider; without an id, with an entry that cannot be named. */
  ofProvider(id: string | undefined): Report
}

/** An empty report. */
export function createReport(): Report {
  const found: Found = { problems: [], general: [], ofProviders: new Map(), warnings: [], details: {} }
  return reportOn(found, (error) => found.general.push(error))
}

function reportOn(found: Found, attribute: (error: AuthError) => void): Report {
  const problem = (error: AuthError): void => {
    found.problems.push(error)
    attribute(error)
  }
  return {
    ...found,
    problem,
    mistake: (option, given) => problem(mistake(option, given)),
    warn: (code, detail) => {
      if (detail !== undefined) found.details[code] = detail
      if (!found.warnings.includes(code)) found.warnings.push(code)
    },
    ofProvider: (id) =>
      reportOn(found, (error) => {
        if (id !== undefined) found.ofProviders.set(id, [...(found.ofProviders.get(id) ?? []), error])
      }),
  }
}

/** What is wrong with an option: what was expected, what came, how to fix it. */
export interface Mistake {
  readonly expected: string
  readonly received: unknown
  readonly remedy: string
  /** The value is a secret: only its type is printed. */
  readonly isSecret?: boolean
  /** The value is an address: user information in it is not printed. */
  readonly isAddress?: boolean
  readonly err?: Error
}

function mistake(option: string, given: Mistake): InvalidConfiguration {
  const cause = { option, ...(given.err && { err: given.err }) }
  return new InvalidConfiguration(mistakeText(option, given), { cause })
}

/** The text of a mistake, for errors of other classes. */
export function mistakeText(
  option: string,
  { expected, received, remedy, isSecret = false, isAddress }: Mistake,
): string {
  const shown = isAddress && typeof received === "string" ? withoutUser(received) : received
  return `"${option}": expected ${expected}, received ${describe(shown, isSecret)}. ${remedy}`
}

/** Without anything before the last `@`, also where a sign in the password lets the host begin too early. */
function withoutUser(address: string): string {
  return address.replace(/^(https?:|[a-z][a-z\d+.-]*:(?=[\\/]))?([\\/]*)[\s\S]*@/i, "$1$2[redacted]@")
}

/** Names a value in a message. */
function describe(value: unknown, isSecret: boolean): string {
  if (value === undefined) return "nothing"
  if (value === null) return "null"
  if (typeof value === "string") return describeText(value, isSecret)
  if (typeof value === "number" || typeof value === "boolean") return isSecret ? `a ${typeof value}` : String(value)
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`
  if (typeof value === "object") return isThenable(value) ? "a promise" : "an object"
  return `a ${typeof value}`
}

function describeText(text: string, isSecret: boolean): string {
  if (text === "") return "an empty string"
  if (isSecret) return `a string of ${text.length} characters`
  return `the string ${JSON.stringify(createRedactor().text(cutTo(80, text)))}`
}
