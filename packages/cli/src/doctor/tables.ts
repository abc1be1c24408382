/** What an adapter says of its tables, as lines. */

/** What `check()` of an adapter answers. */
export interface TableCheck {
  readonly pending: readonly string[]
  readonly problems: readonly string[]
  readonly notes: readonly string[]
}

/** One line for each point. */
export function linesOf({ pending, problems, notes }: TableCheck): string[] {
  return [
    ...pending.map((step) => `Pending: ${step}`),
    ...problems.map((problem) => `Problem: ${problem}`),
    ...notes.map((note) => `Note: ${note}`),
  ]
}

/** Asks the adapter, if it can be asked. A database that is out of reach is a problem like others. */
export async function checkOf(adapter: unknown): Promise<TableCheck | undefined> {
  if (typeof adapter !== "object" || adapter === null || !("check" in adapter)) return undefined
  const { check } = adapter
  if (typeof check !== "function") return undefined
  try {
    return (await check.call(adapter)) as TableCheck
  } catch (error) {
    return { pending: [], problems: [error instanceof Error ? error.message : String(error)], notes: [] }
  }
}
