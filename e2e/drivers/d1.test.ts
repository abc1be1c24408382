/** The adapter on Cloudflare D1, which has no transactions that last longer than one call. */
import { contractCases, runCase } from "@latchkey/adapter-contract"
import { type SqlAdapterWithoutTransactions, sqlAdapter } from "@latchkey/sql-adapter"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { account, ada, type Drivers, loadDrivers, offeredWithoutTransactions } from "./fixture.js"

type Opened = Awaited<ReturnType<Drivers["cloudflareD1"]>>

/** A database of its own for the tests of one group, and the adapter on it. */
function onD1(): { readonly opened: () => Opened; readonly adapter: () => SqlAdapterWithoutTransactions } {
  let opened: Opened
  let adapter: SqlAdapterWithoutTransactions
  beforeAll(async () => {
    opened = await (await loadDrivers()).cloudflareD1()
    const { kysely, database } = opened
    adapter = sqlAdapter(kysely, {
      transactions: false,
      // A thousand statements at once wait for each other, in the database and on their way to it over HTTP.
      statementTimeout: 60_000,
      batch: (statements) =>
        database.batch(statements.map(({ sql, parameters }) => database.prepare(sql).bind(...parameters))),
    })
    await adapter.migrate()
  })
  afterAll(() => opened?.close())
  return { opened: () => opened, adapter: () => adapter }
}

describe("Cloudflare D1", () => {
  const { opened, adapter } = onD1()

  it("says what to set where transactions were left on", async () => {
    const unset = sqlAdapter(opened().kysely)
    await expect(unset.transaction(async () => "done")).rejects.toThrow('"transactions: false"')
  })

  it("migrates once", async () => {
    expect(await adapter().migrate()).toEqual([])
  })

  it("writes a user and an account together, or neither", async () => {
    const it = adapter()
    expect(await it.createUserWithAccount?.(ada, account)).toMatchObject(ada)
    expect(await it.getUserByAccount(account)).toMatchObject({ id: "ada" })
    const second = it.createUserWithAccount?.({ ...ada, id: "eve", email: "eve@example.test" }, account)
    await expect(second).rejects.toMatchObject({ name: "DuplicateError" })
    expect(await it.getUser("eve")).toBeNull()
    expect(await it.deleteUser("ada")).toMatchObject(ada)
    expect(await it.getUserByAccount(account)).toBeNull()
  })

  it("has no transaction, and without a batch no step of two rows", () => {
    expect("transaction" in adapter()).toBe(false)
    const bare = sqlAdapter(opened().kysely, { transactions: false })
    expect("createUserWithAccount" in bare).toBe(false)
  })
})

const cases = contractCases.filter(({ needs }) => offeredWithoutTransactions(needs))
const groups = [...new Set(cases.map(({ group }) => group))]

/** The connection to a database that has answered thousands of times is cut now and then. */
describe.each(groups)("Cloudflare D1, %s", (group) => {
  const { adapter } = onD1()

  it.each(cases.filter((one) => one.group === group))("$name", (one) => runCase(one, adapter(), 110_000))
})
