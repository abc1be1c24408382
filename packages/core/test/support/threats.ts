/** The rows of the catalogue of threats that the title of a case names, as tags of its test. */
export function rowsIn(title: string): string[] {
  return [...title.matchAll(/\b[A-Z]{1,2}-\d+/g)].map(([row]) => `threat:${row}`)
}
