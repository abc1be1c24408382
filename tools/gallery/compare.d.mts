/** Types of the comparison, for its tests. */
export function difference(
  expected: Buffer,
  actual: Buffer,
): { readonly text: string; readonly diff: Buffer } | undefined
