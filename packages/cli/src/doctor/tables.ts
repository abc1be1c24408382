/** What an adapter says of its tables, as lines. */

/** What `check()` of an adapter answers. */
export interface TableCheck {
  readonly pending: readonly string[]
  readonly problems: readonly string[]
  readonly notes: readonly string[]
  /** The adapter takes pending steps itself, before its first use. */
  readonly isAutomatic?: true
}

/** One line for each point. */
export function linesOf({ pending, problems, notes }: TableCheck): string[] {
  return [
    ...pending.map((step) => `Pending: ${step}`),
    ...problems.map((problem) => `Problem: ${problem}`),
    ...notes.map((note) => `Note: ${note}`),
  ]
}

/** What is left to be found: tables that the adapter is going to make itself are no fault. */
function afterMigration(check: TableCheck): TableCheck {
  if (check.isAutomatic !== true || check.pending.length === 0) return check
  // The numbers of the steps would be read as numbers of tables and keys.
  const steps = check.pending.map((step) => step.replace(/^\d+ /, "")).join(", ")
  return {
    pending: [],
    problems: check.problems.filter((problem) => !/^there is no table /i.test(problem)),
    notes: [...check.notes, `The adapter brings the tables up to date at its first use, in these steps: ${steps}.`],
  }
}

/** Asks the adapter, if it can be asked. A database that cannot be reached is a problem like any other. */
export async function tablesOf(adapter: unknown): Promise<TableCheck | undefined> {
  if (typeof adapter !== "object" || adapter === null || !("check" in adapter)) return undefined
  const { check } = adapter
  if (typeof check !== "function") return undefined
  try {
    return (await check.call(adapter)) as TableCheck
  } catch (error) {
    return { pending: [], problems: [error instanceof Error ? error.message : String(error)], notes: [] }
  }
}

/** The same, as it is going to be once the adapter has done what it does by itself. */
export async function checkOf(adapter: unknown): Promise<TableCheck | undefined> {
  const check = await tablesOf(adapter)
  return check && afterMigration(check)
}
