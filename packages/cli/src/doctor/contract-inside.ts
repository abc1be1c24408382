/** The contract of adapters on the store of the application: each case in a transaction of its own, which is rolled back. */
import { randomUUID } from "node:crypto"
import type * as Contract from "@latchkey/adapter-contract"
import type { Adapter } from "@latchkey/core"
import type { World } from "../world.js"
import { broken } from "./contract.js"
import type { Finding, Part } from "./finding.js"
import { type TableCheck, tablesOf } from "./tables.js"

type Transactional = Adapter & Required<Pick<Adapter, "transaction">>

const rollBack = new Error("rolled back by the doctor")

/** Nothing of the work stays. `undefined`: the work was done; else what it, or the transaction, failed with. */
async function undone(
  adapter: Transactional,
  work: (inner: Adapter) => Promise<unknown>,
): Promise<{ readonly thrown: unknown } | undefined> {
  try {
    await adapter.transaction(async (inner) => {
      await work(inner)
      throw rollBack
    })
    return { thrown: new Error("a transaction that throws does not pass the error on") }
  } catch (thrown) {
    return thrown === rollBack ? undefined : { thrown }
  }
}

const notRun = (why: string): Part => ({
  findings: [],
  notes: [
    `The contract of adapters was not run on the store of the application: ${why} Name a store for tests with --test-store.`,
  ],
})

/** Why nothing may be written, not even for a moment. */
function objection(adapter: Adapter, tables: TableCheck | undefined, isProduction: boolean): string | undefined {
  if (!adapter.transaction) return "the adapter has no transaction that could be rolled back."
  if (!adapter.createUser || !adapter.getUserByEmail) return "the adapter keeps no users."
  // The first use would make what is missing, and no rollback takes that back.
  if (tables && tables.pending.length + tables.problems.length > 0) return "its tables are not as they have to be."
  if (isProduction && !tables) return "the mode is production, and the adapter cannot say whether its tables roll back."
  return undefined
}

/** Writes one user and rolls back. A user who is still there is removed. */
async function rollsBack(adapter: Transactional): Promise<Finding | undefined> {
  const email = `${randomUUID()}@example.com`
  const draft = { id: randomUUID(), email, emailVerified: null, name: null, image: null }
  const failed = await undone(adapter, async (inner) => inner.createUser?.(draft))
  const left = await adapter.getUserByEmail?.(email)
  if (left) await adapter.deleteUser?.(left.id)
  const expected = "a transaction that throws passes the error on and leaves nothing"
  if (left) return broken(expected, new Error(`a user who is still there: ${email}.`))
  return failed && broken(expected, failed.thrown)
}

/** PostgreSQL runs nothing more in a transaction after a statement that failed, unless the adapter set a savepoint before it. */
const isAborted = (thrown: unknown): boolean =>
  thrown instanceof Error && /current transaction is aborted/.test(thrown.message)

interface Count {
  held: number
  left: number
  /** Cases that could not go on. */
  aborted: number
}

async function runInside(
  { contractCases, appliesTo, missingOperations, runCase }: typeof Contract,
  adapter: Transactional,
): Promise<{ readonly findings: readonly Finding[]; readonly count: Count }> {
  const findings: Finding[] = []
  const count: Count = { held: 0, left: 0, aborted: 0 }
  for (const contractCase of contractCases) {
    let isLeft = contractCase.group === "crash" || contractCase.needs.includes("deleteExpired")
    const failed = isLeft
      ? undefined
      : await undone(adapter, async (inner) => {
          isLeft = !appliesTo(contractCase, inner) || missingOperations(contractCase, inner).length > 0
          if (!isLeft) await runCase(contractCase, inner, 10_000)
        })
    if (failed && isAborted(failed.thrown)) count.aborted++
    else if (failed) findings.push(broken(contractCase.name, failed.thrown))
    if (isLeft) count.left++
    else if (!failed) count.held++
  }
  if (count.aborted > 0) {
    const received = `${count.aborted} cases that could not go on after one: the transaction was aborted`
    findings.push(broken("a refusal inside a transaction can be caught, and the rest is kept", new Error(received)))
  }
  return { findings, count }
}

/**
 * Runs the contract where nothing of it stays. Left out: cases about processes that are killed, which need several
 * connections, and those about removing what has expired, which would lock rows of others.
 */
export async function contractInside(
  adapter: Adapter | undefined,
  isProduction: boolean,
  world: Pick<World, "importTool">,
): Promise<Part> {
  if (adapter === undefined) return notRun("there is none.")
  const objected = objection(adapter, await tablesOf(adapter), isProduction)
  if (objected !== undefined) return notRun(objected)
  const kit = (await world.importTool("@latchkey/adapter-contract")) as unknown as typeof Contract
  const lasting = await rollsBack(adapter as Transactional)
  if (lasting) return { findings: [lasting], notes: [] }
  const { findings, count } = await runInside(kit, adapter as Transactional)
  const left =
    count.left === 0 ? "" : ` ${count.left} cases cannot be run there or do not apply: --test-store runs all.`
  return {
    findings,
    notes: [`${count.held} cases of the contract of adapters hold in transactions that were rolled back.${left}`],
  }
}
