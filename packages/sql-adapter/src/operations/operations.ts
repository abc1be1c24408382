/** All operations on one runner. A transaction makes the same ones again on its own runner. */
import type { Adapter, RecordStore } from "@latchkey/core/adapters"
import type { Desk } from "../desk.js"
import type { Runner } from "../runner.js"
import { accountOperations } from "./accounts.js"
import { credentialOperations } from "./credentials.js"
import { expiredOperation } from "./expired.js"
import { sessionOperations } from "./sessions.js"
import { userOperations } from "./users.js"

export function createOperations(desk: Desk, runner: Runner): Required<Omit<Adapter, keyof RecordStore>> {
  return {
    ...userOperations(desk, runner),
    ...accountOperations(desk, runner),
    ...sessionOperations(desk, runner),
    ...credentialOperations(desk, runner),
    emptyEmail: true,
    transaction: (work) => runner.atomically((within) => work(createOperations(desk, within))),
    ...expiredOperation(desk, runner),
  }
}
