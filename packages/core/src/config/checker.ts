/** Questions every option is asked: is it of the kind it has to be? Absent options always are. */
import type { Report } from "./report.js"

/** What an option can be. */
export type Kind = "text" | "secret" | "flag" | "function"

/** Asks and reports. */
export interface Checker {
  is(kind: Kind, option: string, received: unknown): void
  isOneOf(choices: readonly string[], option: string, received: unknown): void
  isGroup(option: string, received: unknown): void
}

const kinds: Readonly<Record<Kind, { readonly type: string; readonly expected: string }>> = {
  text: { type: "string", expected: "a text" },
  secret: { type: "string", expected: "a text" },
  flag: { type: "boolean", expected: "true or false" },
  function: { type: "function", expected: "a function" },
}

const mend = "Correct it, or leave it out for the default."

/** Makes a checker that writes into a report. */
export function createChecker(report: Report): Checker {
  const isAbsent = (received: unknown): boolean => received === undefined || received === null
  return {
    is(kind, option, received) {
      const { type, expected } = kinds[kind]
      if (isAbsent(received) || typeof received === type) return
      report.mistake(option, { expected, received, mend, isSecret: kind === "secret" })
    },
    isOneOf(choices, option, received) {
      if (isAbsent(received) || choices.includes(received as string)) return
      report.mistake(option, { expected: choices.map((choice) => `"${choice}"`).join(" or "), received, mend })
    },
    isGroup(option, received) {
      if (isAbsent(received) || (typeof received === "object" && !Array.isArray(received))) return
      report.mistake(option, { expected: "an object", received, mend })
    },
  }
}
