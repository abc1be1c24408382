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
  /** `detail` says what it is about, where the code alone does not. */
  warn(code: WarningCode, detail?: string): void
  readonly details: Readonly<Partial<Record<WarningCode, string>>>
}

/** An empty report. */
export function createReport(): Report {
  const problems: AuthError[] = []
  const warnings: WarningCode[] = []
  const details: Partial<Record<WarningCode, string>> = {}
  return {
    details,
    problems,
    warnings,
    problem: (error) => {
      problems.push(error)
    },
    mistake: (option, given) => {
      problems.push(mistake(option, given))
    },
    warn: (code, detail) => {
      if (detail !== undefined) details[code] = detail
      if (!warnings.includes(code)) warnings.push(code)
    },
  }
}
