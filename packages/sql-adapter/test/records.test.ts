/** Records in a SQLite file: beside other adapters, and beside people and sessions without holding them up. */
import { contractCases, runCase } from "@latchkey/adapter-contract"
import { SchemaError, type SqlAdapter, sqlAdapter, sqliteDialect, sqlRecords } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { afterAll, describe, expect, it } from "vitest"
import { temporaryFiles } from "./support/temporary.js"
import { titled } from "./support/titled.js"

const file = temporaryFiles()
const open: { close(): Promise<unknown> }[] = []

afterAll(async () => {
  for (const { close } of open.splice(0).reverse()) await close()
})

function kept<T extends { close(): Promise<unknown> }>(opened: T): T {
  open.push(opened)
  return opened
}

const now = new Date("2026-01-01T00:00:00Z")
const expires = new Date("2030-01-01T00:00:00Z")
const key = { kind: "sample", key: "one" }
const record = { ...key, userId: "ada", value: "sealed", version: 7, expires }
const ada = { id: "ada", email: "ada@example.test", emailVerified: null }
const withoutTransactions = contractCases.filter(
  ({ group, needs }) => group === "records" && !needs.includes("transaction"),
)

async function run(filename: string, ...statements: readonly string[]): Promise<void> {
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
  for (const statement of statements) await sql.raw(statement).execute(kysely)
  await kysely.destroy()
}

describe("sqlRecords on a file", () => {
  const store = kept(sqlRecords({ filename: file() }))
  it.each(titled(withoutTransactions))("%s", (_, it) => runCase(it, store))

  it("makes its own table and no other", async () => {
    const filename = file()
    const records = kept(sqlRecords({ filename }, { migrate: "manual" }))
    await expect(records.getRecord(key)).rejects.toThrow('There is no table "latchkey_records". Run the migrations.')
    expect(await records.check()).toEqual({ pending: ["1 records"], problems: [], notes: [] })
    expect(await records.migrate()).toEqual(["1 records"])
    expect(await records.migrate()).toEqual([])
    expect(await records.check()).toEqual({ pending: [], problems: [], notes: [] })
    const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
    const { rows } = await sql`select name from sqlite_master where type = 'table' order by name`.execute(kysely)
    await kysely.destroy()
    expect(rows).toEqual([{ name: "latchkey_migrations" }, { name: "latchkey_records" }])
  })

  it("has the name that it was given, and shares nothing with the table of another name", async () => {
    const filename = file()
    const [one, two] = [kept(sqlRecords({ filename })), kept(sqlRecords({ filename }, { table: "other_records" }))]
    await one.putRecord(record, { expected: 0, now })
    expect(await two.getRecord(key)).toBeNull()
    expect(await kept(sqlAdapter({ filename })).getRecord(key)).toEqual(record)
    const adapter = kept(sqlAdapter({ filename }, { names: { records: "other_records" } }))
    expect(await adapter.getRecord(key)).toBeNull()
  })

  it("rejects after it was closed", async () => {
    const records = sqlRecords({ filename: file() })
    await records.getRecord(key)
    await records.close()
    await expect(records.getRecord(key)).rejects.toThrow("closed")
  })
})

describe("records beside people and sessions", () => {
  it("are removed once they have ended, however long ago, and nothing else is", async () => {
    const adapter = kept(sqlAdapter({ filename: file() }))
    for (const [name, time] of [
      ["first", 0],
      ["second", expires.getTime() - 1],
      ["third", expires.getTime()],
    ] as const) {
      await adapter.putRecord({ ...record, key: name, expires: new Date(time) }, { expected: 0, now })
    }
    expect(await adapter.deleteExpired(expires)).toEqual({ sessions: 0, verificationTokens: 0, records: 2 })
    expect((await adapter.scanRecords("sample", { limit: 9 })).map(({ key: name }) => name)).toEqual(["third"])
  })

  it("without their table fail alone, and no lock stands in for keys", async () => {
    const filename = file()
    await kept(sqlAdapter({ filename })).migrate()
    await run(
      filename,
      "drop table latchkey_records",
      "delete from latchkey_migrations where \"tables\" = 'latchkey_records'",
    )
    const seen: string[] = []
    const kysely = new Kysely<unknown>({
      dialect: sqliteDialect({ filename }),
      log: (it) => void seen.push(it.query.sql),
    })
    const adapter = sqlAdapter(kysely)
    await adapter.getUser("1")
    seen.length = 0
    await adapter.createUser(ada)
    // With a key missing, this would be a transaction that asks first.
    expect(seen).toHaveLength(1)
    await expect(adapter.putRecord(record, { expected: 0, now })).rejects.toThrow(SchemaError)
    expect(await adapter.deleteExpired(now)).toEqual({ sessions: 0, verificationTokens: 0 })
    expect(await adapter.check()).toMatchObject({ pending: ["1 records"], problems: [] })
    expect(await adapter.migrate()).toEqual(["1 records"])
    expect(await adapter.putRecord(record, { expected: 0, now })).toBe(true)
    await kysely.destroy()
  })

  it("whose table has gone are noted, and the table is brought back", async () => {
    const filename = file()
    const adapter: SqlAdapter = kept(sqlAdapter({ filename }, { migrate: "manual" }))
    await adapter.migrate()
    await run(filename, "drop index latchkey_records_expires_idx")
    const lack = '"latchkey_records" has no index on (expires)'
    expect(await adapter.check()).toMatchObject({ pending: [], problems: [`${lack}.`] })
    expect(await adapter.migrate()).toEqual([`repaired: ${lack}`])
    expect((await adapter.check()).problems).toEqual([])
  })

  it("whose table is something else are refused with its name", async () => {
    const filename = file()
    await run(filename, "create table latchkey_records (artist text)")
    const adapter = kept(sqlAdapter({ filename }))
    expect(await adapter.getUser("1")).toBeNull()
    await expect(adapter.getRecord(key)).rejects.toThrow('"latchkey_records" has no column "kind"')
    await expect(adapter.migrate()).rejects.toThrow('"latchkey_records" has no column "kind"')
  })

  it("whose table cannot be made stop nobody from reading", async () => {
    const filename = file()
    const before = sqlAdapter({ filename })
    await before.createUser(ada)
    await before.close()
    await run(filename, "drop table latchkey_records")
    const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
    open.push({ close: () => kysely.destroy() })
    await sql`pragma query_only = on`.execute(kysely)
    const adapter = sqlAdapter(kysely, { migrate: "auto" })
    expect(await adapter.getUser("ada")).toMatchObject({ id: "ada" })
    await expect(adapter.getRecord(key)).rejects.toThrow('The table "latchkey_records" could not be made.')
    await sql`pragma query_only = off`.execute(kysely)
    expect(await adapter.getRecord(key)).toBeNull()
  })
})
