/** Changing tables while others use them: alone, and without holding them up. */
import { CompiledQuery } from "kysely"
import { log } from "./migration-log.js"
import type { Runner } from "./runner.js"
import type { Plan } from "./statements.js"
import { pause } from "./turns.js"

/** Milliseconds after which tables that somebody else holds are no longer waited for. */
const longest = 600_000

/**
 * Changes tables. Of several processes one works, the others wait and find the work done. All or nothing, where the
 * database can do that with tables.
 */
export async function underLock<T>(
  runner: Runner,
  { dialect: { faults, definitions } }: Plan,
  change: (within: Runner) => Promise<T>,
): Promise<T> {
  const work = (): Promise<T> =>
    runner.locked(
      log,
      async (within) => {
        for (const setting of definitions.settings ?? []) await within.write(CompiledQuery.raw(setting))
        return change(within)
      },
      { isSlow: true },
    )
  // A statement that waits for a table blocks all later ones, so it gives up and tries again.
  for (const end = performance.now() + longest; ; ) {
    try {
      return await work()
    } catch (error) {
      if (!faults.isBusy(error) || performance.now() > end) throw error
      await pause(1000)
    }
  }
}
