/** A test by the name the runner gives it: the titles of its suites and its own. */
export interface NamedTest {
  readonly file: string
  readonly name: string
}
export interface Rule {
  readonly id: string
  readonly rule: string
}
export interface Mutant {
  readonly rule: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** The file with a test of the rule that has to notice it. */
  readonly test: string
}
/** The parts of Vitest's JSON report that are read. */
export interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly title: string
      readonly ancestorTitles: readonly string[]
    }[]
  }[]
}
export declare function testsOfList(list: readonly NamedTest[]): NamedTest[]
export declare function testsOfReport(report: Report): NamedTest[]
export declare function byRule(tests: readonly NamedTest[]): Map<string, NamedTest[]>
/** Without a folder, or where its reports are missing, the runner is asked for its list. */
export declare function specTests(folder?: string): Map<string, NamedTest[]>
export declare function readRules(): Rule[]
export declare function readMutants(): Mutant[]
export declare function changeMutants(change: (mutant: Mutant) => Mutant): void
export declare function misplaced(mutant: Mutant): string[]
export declare function problemsOf(facts: {
  readonly rules: readonly Rule[]
  readonly tests: ReadonlyMap<string, readonly NamedTest[]>
  readonly mutants: readonly Mutant[]
}): string[]
