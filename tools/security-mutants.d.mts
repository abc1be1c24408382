/** A change of a source, and the tests that have to notice it. */
export interface SecurityMutant {
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly tests: readonly string[]
}

export function readSecurityMutants(): readonly SecurityMutant[]
