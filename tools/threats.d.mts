/** A row of the catalogue of threats. */
export interface Threat {
  readonly id: string
  readonly threat: string
  readonly source: string
}

/** The rows that a source names: for certain, or perhaps, in a table of cases. */
export interface Named {
  readonly certain: ReadonlySet<string>
  readonly possible: ReadonlySet<string>
}

export function readThreats(text?: string): Threat[]
export function readTests(): readonly ({ readonly file: string } & Named)[]
export function namedIn(text: string): Named
export function problemsOf(threats: readonly Threat[], tests: readonly ({ readonly file: string } & Named)[]): string[]
