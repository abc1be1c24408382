/** All operations on one runner. A transaction makes the same ones again on its own runner. */
import type { Adapter } from "@latchkey/core/adapters"
import type { Desk } from "../desk.js"
import type { TableKey } from "../names.js"
import type { Runner } from "../runner.js"
import { accountOperations } from "./accounts.js"
import { credentialOperations } from "./credentials.js"
import { sessionOperations } from "./sessions.js"
import { userOperations } from "./users.js"

/** Removes rows whose end lies before the given time. */
async function removeEnded(desk: Desk, runner: Runner, { key, now }: { key: TableKey; now: Date }): Promise<number> {
  const { layout } = desk.table(key)
  const column = layout.columns.get("expires")
  if (!column) return 0
  const ended = desk.dialect.isBefore(column.name, now, column)
  const result = await runner.write(desk.dialect.builder.deleteFrom(layout.table).where(ended).compile())
  return Number(result.numAffectedRows ?? 0)
}

export function createOperations(desk: Desk, runner: Runner): Required<Adapter> {
  return {
    ...userOperations(desk, runner),
    ...accountOperations(desk, runner),
    ...sessionOperations(desk, runner),
    ...credentialOperations(desk, runner),
    transaction: (work) => runner.atomically((within) => work(createOperations(desk, within))),
    deleteExpired: async (now) => ({
      sessions: await removeEnded(desk, runner, { key: "sessions", now }),
      verificationTokens: await removeEnded(desk, runner, { key: "verificationTokens", now }),
    }),
  }
}
