/** Tables in memory with an undo log: every change since a savepoint can be rolled back. */

/** Rows by key. Rows are copied in and out, so that no caller holds a stored one. */
export interface Table<Row> {
  get(key: string): Row | undefined
  has(key: string): boolean
  put(key: string, row: Row): void
  /** Removes and returns the row. */
  drop(key: string): Row | undefined
  /** All rows with their keys, as they are now. */
  entries(): [string, Row][]
}

/** The undo log that the tables of one store share. */
export interface Journal {
  record(undo: () => void): void
  /** The current position in the log. */
  savepoint(): number
  /** Undoes every change made since the savepoint. */
  rollbackTo(savepoint: number): void
  /** Empties the log, once no transaction is open. */
  clear(): void
}

/** A copy that shares no object with the original. */
export function copy<T>(value: T): T {
  if (value instanceof Date) return new Date(value) as T
  if (Array.isArray(value)) return value.map(copy) as T
  if (value === null || typeof value !== "object") return value
  // Copied whole first, which engines do faster than member by member.
  const row = { ...value } as Record<string, unknown>
  for (const key of Object.keys(row)) {
    if (typeof row[key] === "object") row[key] = copy(row[key])
  }
  return row as T
}

/** The members of a patch that carry a value; `undefined` means "not given". */
export function given<T extends object>(patch: T): Partial<T> {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<T>
}

export function createJournal(): Journal {
  const undos: (() => void)[] = []
  return {
    record: (undo) => void undos.push(undo),
    savepoint: () => undos.length,
    rollbackTo(savepoint) {
      while (undos.length > savepoint) undos.pop()?.()
    },
    clear: () => void undos.splice(0),
  }
}

export function createTable<Row>(journal: Journal): Table<Row> {
  const rows = new Map<string, Row>()
  const restore = (key: string, before: Row | undefined): void => {
    if (before === undefined) rows.delete(key)
    else rows.set(key, before)
  }
  const change = (key: string, act: () => void): Row | undefined => {
    const before = rows.get(key)
    journal.record(() => restore(key, before))
    act()
    return before
  }
  return {
    get: (key) => copy(rows.get(key)),
    has: (key) => rows.has(key),
    put: (key, row) => void change(key, () => rows.set(key, copy(row))),
    drop: (key) => (rows.has(key) ? change(key, () => rows.delete(key)) : undefined),
    entries: () => [...rows].map(([key, row]) => [key, copy(row)]),
  }
}
