/** All operations on one runner. A transaction makes the same ones again on its own runner. */
import type { Adapter } from "@latchkey/core/adapters"
import { type RecordStore, recordVerbs } from "@latchkey/core/records"
import type { Desk } from "../desk.js"
import { SchemaError } from "../layout.js"
import type { Runner } from "../runner.js"
import { accountOperations } from "./accounts.js"
import { credentialOperations } from "./credentials.js"
import { expiredOperation } from "./expired.js"
import { sessionOperations } from "./sessions.js"
import { userOperations } from "./users.js"

/** The verbs on records. Without their table each of them fails, and nothing else does. */
function recordOperations({ records }: Desk, runner: Runner): RecordStore {
  if (!(records instanceof SchemaError)) return records.on(runner)
  const refuse = (): Promise<never> => Promise.reject(records)
  return Object.fromEntries(recordVerbs.map((verb) => [verb, refuse])) as unknown as RecordStore
}

export function createOperations(desk: Desk, runner: Runner): Required<Adapter> {
  return {
    ...userOperations(desk, runner),
    ...accountOperations(desk, runner),
    ...sessionOperations(desk, runner),
    ...credentialOperations(desk, runner),
    ...recordOperations(desk, runner),
    emptyEmail: true,
    comparesExactly: true,
    transaction: (work) => runner.atomically((within) => work(createOperations(desk, within))),
    ...expiredOperation(desk, runner),
  }
}
