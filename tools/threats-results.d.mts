/** How many tests passed and failed. */
export interface Counts {
  readonly passed: number
  readonly failed: number
}

/** What a run came to: the tests of each row by file, and all tests of each file. */
export interface Results {
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, Counts>>
  readonly files: ReadonlyMap<string, Counts>
}

/** A row of the page. */
export interface ResultRow {
  readonly id: string
  readonly tests: readonly string[]
  readonly result: string
}

/** The runner's JSON report, as far as it is read. */
export interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly tags?: readonly string[]
    }[]
  }[]
}

export const resultsPage: string
export function resultsOf(report: TestReport, fileOf?: (name: string) => string): Results
export function resultOf(
  row: string,
  results: Results,
  files: { readonly naming: readonly string[]; readonly elsewhere: readonly string[] },
): ResultRow
export function renderResults(
  rows: readonly ResultRow[],
  facts: { readonly tests: number; readonly version: string; readonly node: string },
): string
export function updateResults(page: string, rows: readonly (ResultRow & { readonly isComplete: boolean })[]): string
export function readResults(text?: string): readonly { readonly id: string; readonly result: string }[]
export function problemsOfResults(
  threats: readonly { readonly id: string }[],
  results: readonly { readonly id: string; readonly result: string }[],
): string[]
