/** What is found wrong while a configuration is read: collected, never thrown. */
import type { AuthError } from "../errors.js"
import type { WarningCode } from "../types/hooks.js"
import { type Mistake, mistake } from "./mistake.js"

/** Collects problems and warnings in the order they are found. */
export interface Report {
  readonly problems: readonly AuthError[]
  readonly warnings: readonly WarningCode[]
  problem(error: AuthError): void
  mistake(option: string, given: Mistake): void
  warn(code: WarningCode): void
}

/** An empty report. */
export function createReport(): Report {
  const problems: AuthError[] = []
  const warnings: WarningCode[] = []
  return {
    problems,
    warnings,
    problem: (error) => {
      problems.push(error)
    },
    mistake: (option, given) => {
      problems.push(mistake(option, given))
    },
    warn: (code) => {
      if (!warnings.includes(code)) warnings.push(code)
    },
  }
}
