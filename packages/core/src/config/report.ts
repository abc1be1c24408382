/** What is found wrong while a configuration is read: collected, never thrown. */
import type { AuthError } from "../errors.js"
import type { WarningCode } from "../types/hooks.js"
import { type Mistake, mistake } from "./mistake.js"

/** Collects problems and warnings in the order they are found. */
export interface Report {
  readonly problems: readonly AuthError[]
  /** Those of `problems` that refuse every request: all that are not one provider's. */
  readonly general: readonly AuthError[]
  /** Those of one provider, by its id: they refuse that provider alone. */
  readonly ofProviders: ReadonlyMap<string, readonly AuthError[]>
  readonly warnings: readonly WarningCode[]
  problem(error: AuthError): void
  mistake(option: string, given: Mistake): void
  /** `detail` says what it is about, where the code alone does not. */
  warn(code: WarningCode, detail?: string): void
  readonly details: Readonly<Partial<Record<WarningCode, string>>>
  /** The same report for what is wrong with one provider; without an id, with an entry that cannot be named. */
  ofProvider(id: string | undefined): Report
}

/** An empty report. */
export function createReport(): Report {
  const found: Found = { problems: [], general: [], ofProviders: new Map(), warnings: [], details: {} }
  return reportOn(found, (error) => found.general.push(error))
}

interface Found {
  readonly problems: AuthError[]
  readonly general: AuthError[]
  readonly ofProviders: Map<string, readonly AuthError[]>
  readonly warnings: WarningCode[]
  readonly details: Partial<Record<WarningCode, string>>
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
