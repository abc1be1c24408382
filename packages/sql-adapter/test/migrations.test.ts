/** Migrations: by themselves, by hand, again, all at once, and on tables that are there already. */
import {
  DuplicateError,
  printMigrations,
  SchemaError,
  type SqlAdapter,
  sqlAdapter,
  sqliteDialect,
} from "@latchkey/sql-adapter"
import { type Dialect, type Driver, Kysely, sql } from "kysely"
import { afterEach, describe, expect, it } from "vitest"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()
const open: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  for (const { close } of open.splice(0)) await close()
})

function adapterOn(...args: Parameters<typeof sqlAdapter>): SqlAdapter {
  const adapter = sqlAdapter(...args)
  open.push(adapter)
  return adapter
}

function databaseOn(filename: string): Kysely<unknown> {
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
  open.push({ close: () => kysely.destroy() })
  return kysely
}

async function run(kysely: Kysely<unknown>, script: string): Promise<void> {
  for (const statement of script.split(";\n")) {
    if (statement.trim() !== "") await sql.raw(statement).execute(kysely)
  }
}

async function schemaOf(kysely: Kysely<unknown>): Promise<unknown> {
  const { rows } = await sql`select type, name, tbl_name, sql from sqlite_master order by name`.execute(kysely)
  return rows
}

/** A file behind a driver that answers some statements with success and does not run them. */
function leavingOut(statement: RegExp, filename: string): Dialect {
  const dialect = sqliteDialect({ filename })
  return Object.assign(Object.create(dialect), {
    createDriver(): Driver {
      const driver = dialect.createDriver()
      const acquire = driver.acquireConnection.bind(driver)
      driver.acquireConnection = async () => {
        const connection = await acquire()
        const run = connection.executeQuery.bind(connection)
        connection.executeQuery = async (query) => (statement.test(query.sql) ? { rows: [] } : run(query))
        return connection
      }
      return driver
    },
  })
}

const ada = { id: "1", email: "ada@example.test", emailVerified: null }

describe("migrations", () => {
  it("run before the first use of a file", async () => {
    const adapter = adapterOn({ filename: file() })
    expect(await adapter.getUser("nobody")).toBeNull()
    expect(await adapter.migrate()).toEqual([])
  })

  it("name the steps they take, once", async () => {
    const adapter = adapterOn({ filename: file() }, { migrate: "manual" })
    expect(await adapter.migrate()).toEqual(["1 tables", "2 keys", "3 definitions", "1 records"])
    expect(await adapter.migrate()).toEqual([])
  })

  it("do not run by themselves on a Kysely instance", async () => {
    const adapter = adapterOn(databaseOn(file()))
    await expect(adapter.getUser("1")).rejects.toThrow(SchemaError)
    await expect(adapter.getUser("1")).rejects.toThrow('There is no table "users". Run the migrations.')
    await adapter.migrate()
    expect(await adapter.getUser("1")).toBeNull()
  })

  it("are noticed when somebody else runs them", async () => {
    const filename = file()
    const adapter = adapterOn({ filename }, { migrate: "manual" })
    await expect(adapter.getUser("1")).rejects.toThrow("no table")
    await adapterOn({ filename }).migrate()
    expect(await adapter.getUser("1")).toBeNull()
  })

  it("printed and run by hand make the same tables", async () => {
    const byHand = databaseOn(file())
    await run(byHand, printMigrations())
    const bySelf = adapterOn({ filename: file() })
    await bySelf.migrate()
    expect(await schemaOf(byHand)).toEqual(await schemaOf(bySelf.kysely))
    expect(await adapterOn(byHand, { migrate: "auto" }).migrate()).toEqual([])
  })

  it("print mapped names", () => {
    const text = printMigrations({ names: { users: { table: "people", columns: { email: "mail" } } } })
    expect(text).toContain('create table if not exists "people"')
    expect(text).toContain('create unique index if not exists "people_mail_lower_key" on "people" (lower("mail"))')
    expect(text).toContain(`'people', 1, 'tables'`)
  })

  it("run once when many start at the same time", async () => {
    const filename = file()
    const adapters = Array.from({ length: 8 }, () => adapterOn({ filename }))
    const found = await Promise.all(adapters.map((adapter) => adapter.getUser("nobody")))
    expect(found).toEqual(adapters.map(() => null))
    const { rows } = await sql`select version from latchkey_migrations where "tables" = 'users'`.execute(
      adapters[0]?.kysely as Kysely<unknown>,
    )
    expect(rows).toHaveLength(3)
  })

  it("do not pretend that a key is there when the driver left its statement out", async () => {
    const kysely = new Kysely<unknown>({ dialect: leavingOut(/^create unique index .*"sessions"/, file()) })
    open.push({ close: () => kysely.destroy() })
    const adapter = adapterOn(kysely)
    await expect(adapter.migrate()).rejects.toThrow(SchemaError)
    await expect(adapter.migrate()).rejects.toThrow('afterwards "sessions" has no unique key on (sessionToken).')
    expect(await schemaOf(kysely)).toEqual([])
  })

  it("make two sets of tables in one database", async () => {
    const filename = file()
    const names = {
      users: "b_users",
      accounts: "b_accounts",
      sessions: "b_sessions",
      verificationTokens: "b_tokens",
      authenticators: "b_authenticators",
    }
    const [first, second] = [adapterOn({ filename }), adapterOn({ filename }, { names })]
    await first.createUser(ada)
    expect(await second.getUser("1")).toBeNull()
    await expect(second.createUser(ada)).resolves.toMatchObject(ada)
  })
})

describe("migrations on existing tables", () => {
  const table = `create table users (id integer primary key, name text, email text, "emailVerified" text, image text)`

  it("keep the rows and their integer ids", async () => {
    const kysely = databaseOn(file())
    const counting = table.replace("primary key", "primary key autoincrement")
    await run(kysely, `${counting};\ninsert into users (id, email) values (41, 'old@example.test')`)
    const adapter = adapterOn(kysely, { migrate: "auto" })
    expect(await adapter.getUserByEmail("old@example.test")).toMatchObject({ id: 41, name: null, emailVerified: null })
    expect(await adapter.createUser(ada)).toMatchObject({ id: 42, email: "ada@example.test" })
    expect(await adapter.getUser("42")).toMatchObject({ email: "ada@example.test" })
    expect(await adapter.getUser("42.0")).toBeNull()
  })

  it("count duplicates before they add unique keys, and change nothing", async () => {
    const kysely = databaseOn(file())
    const rows = "('A@example.test'), ('a@example.test'), (''), (''), (null), (null)"
    await run(kysely, `${table};\ninsert into users (email) values ${rows}`)
    const adapter = adapterOn(kysely)
    await expect(adapter.migrate()).rejects.toThrow('"users": 1 value(s) of (lower(email)) occur in more than one row')
    await expect(adapter.migrate()).rejects.not.toThrow("example.test")
    expect(await schemaOf(kysely)).toHaveLength(1)
  })

  it("until they ran, keys that are missing are kept by asking first", async () => {
    const kysely = databaseOn(file())
    await run(
      kysely,
      [
        table,
        `create table accounts (id integer primary key, "userId" integer, type text, provider text,
          "providerAccountId" text, refresh_token text, access_token text, expires_at integer, id_token text, scope text,
          session_state text, token_type text)`,
      ].join(";\n"),
    )
    const adapter = adapterOn(kysely)
    const account = { provider: "example", providerAccountId: "1", type: "oauth" as const }
    const drafts = ["a", "b", "c"].map((name) => ({ ...ada, email: `${name}@example.test` }))
    const outcomes = await Promise.allSettled(drafts.map((draft) => adapter.createUserWithAccount(draft, account)))
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
    expect((await sql`select id from users`.execute(kysely)).rows).toHaveLength(1)
    await expect(adapter.createUser(drafts[0] as typeof ada)).rejects.toThrow(DuplicateError)
    await adapter.createUser({ ...ada, email: "" })
    await adapter.createUser({ ...ada, email: "" })
  })

  it("tell which column is missing", { tags: ["threat:FD-28"] }, async () => {
    const kysely = databaseOn(file())
    await run(kysely, "create table users (id integer primary key, name text, email text)")
    const adapter = adapterOn(kysely, { migrate: "auto" })
    await expect(adapter.getUser("1")).rejects.toThrow('The table "users" has no column "emailVerified"')
  })

  it("pass columns of the application through", async () => {
    const kysely = databaseOn(file())
    await run(
      kysely,
      `create table users (id text primary key, name text, email text, "emailVerified" text, image text,
      role text default 'reader', joined text, "odd name" text)`,
    )
    const adapter = adapterOn(kysely, { migrate: "auto" })
    const created = await adapter.createUser({ ...ada, joined: new Date(1), stray: "left out" } as typeof ada)
    expect(created).toMatchObject({ role: "reader", joined: "1970-01-01T00:00:00.001Z" })
    expect(Object.keys(created)).not.toContain("stray")
    await adapter.updateUser({ id: "1", role: "editor" } as { id: string })
    expect(await adapter.getUser("1")).toMatchObject({ role: "editor" })
    await expect(adapter.updateUser({ id: "1", stray: 1 } as { id: string })).rejects.toThrow('no column for "stray"')
  })

  it("remove ended rows of every notation, and none that they cannot read", async () => {
    const kysely = databaseOn(file())
    await run(kysely, printMigrations())
    const adapter = adapterOn(kysely)
    await adapter.createUser(ada)
    // What other libraries wrote: text without a zone, milliseconds, seconds.
    const rows = {
      ended: ["'2020-01-01T00:00:00.000Z'", "1577836800000"],
      kept: ["'2099-01-01T00:00:00.000Z'", "'2020-01-01 00:00:00'", "4070908800000", "4070908800", "'soon'"],
    }
    for (const [index, expires] of [...rows.ended, ...rows.kept].entries()) {
      const values = `('${index}', '1', ${expires}, 't${index}')`
      await sql.raw(`insert into sessions (id, "userId", expires, "sessionToken") values ${values}`).execute(kysely)
    }
    // Text columns turn numbers into text; integers stay in columns without a type.
    expect((await adapter.deleteExpired(new Date("2026-01-01T00:00:00Z"))).sessions).toBe(1)
    const left = await sql<{ expires: string }>`select expires from sessions`.execute(kysely)
    expect(left.rows).toHaveLength(6)
  })

  it("leave users without passkeys alone when there is no such table", async () => {
    const kysely = databaseOn(file())
    await run(kysely, printMigrations())
    await sql.raw("drop table authenticators").execute(kysely)
    const adapter = adapterOn(kysely)
    await adapter.createUser(ada)
    await expect(adapter.getAuthenticator("1")).rejects.toThrow('There is no table "authenticators"')
    await adapter.deleteUser("1")
    expect(await adapter.getUser("1")).toBeNull()
  })
})
