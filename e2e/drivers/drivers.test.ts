/** The adapter on drivers whose transactions are their own, or that have none. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { contractCases, formatContract, runCase, runContract } from "@latchkey/core/testing"
import { type SqlAdapter, type SqlAdapterWithoutTransactions, sqlAdapter } from "@latchkey/sql-adapter"
import type { Kysely } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type HranaServer, startHrana } from "./hrana.js"

interface D1Database {
  prepare(sql: string): { bind(...parameters: unknown[]): object }
  batch(statements: readonly object[]): Promise<readonly unknown[]>
}

interface Drivers {
  remoteLibsql(url: string): { kysely: Kysely<unknown>; close(): void }
  cloudflareD1(): Promise<{ kysely: Kysely<unknown>; database: D1Database; close(): Promise<void> }>
}

let drivers: Drivers
beforeAll(async () => {
  const fixture = new URL("../fixtures/drivers/", import.meta.url)
  drivers = (await import(/* @vite-ignore */ new URL("drivers.mjs", fixture).href)) as Drivers
})

const ada = { id: "ada", email: "ada@example.test", emailVerified: null }
const account = { provider: "github", providerAccountId: "1", type: "oauth" as const }

describe("remote libsql over HTTP", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-hrana-"))
  let server: HranaServer
  let client: ReturnType<Drivers["remoteLibsql"]>
  let adapter: SqlAdapter
  beforeAll(async () => {
    server = await startHrana(join(folder, "remote.db"))
    client = drivers.remoteLibsql(server.url)
    adapter = sqlAdapter(client.kysely, { busyTimeout: 30_000 })
    await adapter.migrate()
  })
  afterAll(async () => {
    client?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it("leaves nothing behind when a transaction fails", async () => {
    const failed = adapter.transaction(async (within) => {
      await within.createUser?.(ada)
      throw new Error("The provider is down.")
    })
    await expect(failed).rejects.toThrow("The provider is down.")
    expect(await adapter.getUser("ada")).toBeNull()
  })

  it("keeps what a transaction has written, and goes back inside it", async () => {
    await adapter.transaction(async (within) => {
      await within.createUser?.({ ...ada, id: "grace", email: "grace@example.test" })
      await within
        .transaction?.(async (inner) => {
          await inner.createUser?.({ ...ada, id: "alan", email: "alan@example.test" })
          throw new Error("not this one")
        })
        .catch(() => {})
    })
    expect([await adapter.getUser("grace"), await adapter.getUser("alan")]).toMatchObject([{ id: "grace" }, null])
  })

  it("keeps the contract", { timeout: 600_000 }, async () => {
    const report = await runContract(() => adapter, { timeout: 60_000 })
    expect(report.isKept, formatContract(report)).toBe(true)
  })
})

type Opened = Awaited<ReturnType<Drivers["cloudflareD1"]>>

function adapterOn({ kysely, database }: Opened): SqlAdapterWithoutTransactions {
  return sqlAdapter(kysely, {
    transactions: false,
    batch: (statements) =>
      database.batch(statements.map(({ sql, parameters }) => database.prepare(sql).bind(...parameters))),
  })
}

describe("Cloudflare D1", () => {
  let opened: Opened
  let adapter: SqlAdapterWithoutTransactions
  beforeAll(async () => {
    opened = await drivers.cloudflareD1()
    adapter = adapterOn(opened)
    await adapter.migrate()
  })
  afterAll(() => opened?.close())

  it("says what to set where transactions were left on", async () => {
    const unset = sqlAdapter(opened.kysely)
    await expect(unset.transaction(async () => "done")).rejects.toThrow('"transactions: false"')
  })

  it("migrates once", async () => {
    expect(await adapter.migrate()).toEqual([])
  })

  it("writes a user and an account together, or neither", async () => {
    expect(await adapter.createUserWithAccount?.(ada, account)).toMatchObject(ada)
    expect(await adapter.getUserByAccount(account)).toMatchObject({ id: "ada" })
    const second = adapter.createUserWithAccount?.({ ...ada, id: "eve", email: "eve@example.test" }, account)
    await expect(second).rejects.toMatchObject({ name: "DuplicateError" })
    expect(await adapter.getUser("eve")).toBeNull()
    expect(await adapter.deleteUser("ada")).toMatchObject(ada)
    expect(await adapter.getUserByAccount(account)).toBeNull()
  })

  it("has no transaction, and without a batch no step of two rows", () => {
    expect("transaction" in adapter).toBe(false)
    const bare = sqlAdapter(opened.kysely, { transactions: false })
    expect("createUserWithAccount" in bare).toBe(false)
  })
})

const offered = (needs: readonly string[]): boolean => !needs.includes("transaction")
const groups = [...new Set(contractCases.filter(({ needs }) => offered(needs)).map(({ group }) => group))]

/** A database of its own for each group: the connection to one that has answered thousands of times is cut now and then. */
describe.each(groups)("Cloudflare D1, %s", (group) => {
  let opened: Opened
  let adapter: SqlAdapterWithoutTransactions
  beforeAll(async () => {
    opened = await drivers.cloudflareD1()
    adapter = adapterOn(opened)
    await adapter.migrate()
  })
  afterAll(() => opened?.close())

  it.each(contractCases.filter((it) => it.group === group && offered(it.needs)))("$name", async (contractCase) => {
    await runCase(contractCase, adapter, 110_000)
  })
})
