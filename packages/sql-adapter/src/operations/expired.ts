/** Removal of rows whose time has passed, in small steps: sign-ins meanwhile never wait for all of them. */
import type { Adapter, DeleteExpiredOptions, ExpiredRows } from "@latchkey/core/adapters"
import type { Desk } from "../desk.js"
import type { SqlDialect } from "../dialects/dialect.js"
import { SchemaError, type TableLayout } from "../layout.js"
import type { Runner } from "../runner.js"

/** How large the steps are. The number of rows follows from how long the step before took. */
export interface Pace {
  /** Rows of the first step. */
  readonly first: number
  /** Rows of a step, at most. */
  readonly most: number
  /** Milliseconds a step is meant to take. */
  readonly target: number
  /** Milliseconds, from any beginning. */
  readonly clock: () => number
  /** Leaves the database, and this process, to others. */
  readonly rest: (milliseconds: number) => Promise<void>
}

/** Half of the time is left to other statements, and the event loop runs at least once between two steps. */
export const calmPace: Pace = {
  first: 200,
  most: 10_000,
  target: 15,
  clock: () => performance.now(),
  rest: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

/** The size of the next step: never more than twice the last one, because one quick step says little. */
function nextSize(size: number, taken: number, { most, target }: Pace): number {
  const wanted = taken <= 0 ? size * 2 : Math.floor((size * target) / taken)
  return Math.max(1, Math.min(wanted, size * 2, most))
}

interface Removal {
  readonly dialect: SqlDialect
  readonly runner: Runner
  readonly pace: Pace
  readonly now: Date
}

/** Removes what has expired from one table. */
export async function removeFrom(
  layout: TableLayout,
  { dialect, runner, pace, now }: Removal,
  onStep: (rows: number) => void,
): Promise<void> {
  const column = layout.columns.get("expires")
  if (!column) return
  for (let size = pace.first; ; ) {
    const query = dialect.deleteSome(layout.table, { time: now, column, most: size })
    const start = pace.clock()
    const { numAffectedRows } = await runner.atomically((within) => within.write(query))
    const taken = pace.clock() - start
    const rows = Number(numAffectedRows ?? 0)
    if (rows > 0) onStep(rows)
    if (rows < size) return
    size = nextSize(size, taken, pace)
    await pace.rest(taken)
  }
}

/** The operation `deleteExpired` on a runner. */
export function expiredOperation(
  desk: Desk,
  runner: Runner,
  pace: Pace = calmPace,
): Pick<Required<Adapter>, "deleteExpired"> {
  return {
    async deleteExpired(now: Date, { onProgress }: DeleteExpiredOptions = {}): Promise<ExpiredRows> {
      const { records } = desk
      const removed: ExpiredRows = {
        sessions: 0,
        verificationTokens: 0,
        ...(records instanceof SchemaError ? {} : { records: 0 }),
      }
      const tables = [
        ["sessions", desk.table("sessions").layout],
        ["verificationTokens", desk.table("verificationTokens").layout],
        ...(records instanceof SchemaError ? [] : [["records", records.layout] as const]),
      ] as const
      for (const [key, layout] of tables) {
        await removeFrom(layout, { dialect: desk.dialect, runner, pace, now }, (rows) => {
          removed[key] = (removed[key] ?? 0) + rows
          onProgress?.({ ...removed })
        })
      }
      return removed
    },
  }
}
