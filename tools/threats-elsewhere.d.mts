/** A row that no test names, and what it says of where it stands. */
export interface Elsewhere {
  readonly id: string
  readonly where: string
}

export function rowsElsewhere(pages?: readonly string[]): Elsewhere[]
export function problemsElsewhere(
  threats: readonly { readonly id: string }[],
  elsewhere: readonly Elsewhere[],
  conformance?: string,
): string[]
