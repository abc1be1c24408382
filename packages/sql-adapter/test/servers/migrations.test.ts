/** Migrations on servers: on the tables of another library with their rows, all at once, and printed. */
import {
  printMigrations,
  SchemaError,
  type SqlAdapter,
  type SqlAdapterOptions,
  sqlAdapter,
} from "@latchkey/sql-adapter"
import { describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { mysqlPool, newMariadb, newPostgresql, opened, type TestDatabase } from "../support/databases.js"
import { foreignMariadb, foreignPostgresql } from "../support/foreign-tables.js"

const adapterOn = ({ url }: TestDatabase, options?: SqlAdapterOptions): SqlAdapter => opened(url, options)

const expires = new Date("2037-01-02T03:04:05.678Z")
const draft = (name: string) => ({ id: "", email: `${name}@example.test`, emailVerified: null })
const account = { provider: "example", providerAccountId: "1", type: "oauth" as const }

/** One dialect: its databases, the tables of another library, and rows in them. */
interface Ground {
  readonly make: (server: string) => Promise<TestDatabase>
  readonly dialect: "postgresql" | "mysql"
  readonly tables: readonly string[]
  readonly quote: (name: string) => string
  readonly structure: string
}

const postgresql: Ground = {
  make: newPostgresql,
  dialect: "postgresql",
  tables: foreignPostgresql,
  quote: (name) => `"${name}"`,
  structure: `select 'index' as kind, indexdef as text from pg_indexes where schemaname = 'public'
    union all select 'key', conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'column', table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable || coalesce(column_default, '')
      from information_schema.columns where table_schema = 'public' order by 1, 2`,
}

const mariadb: Ground = {
  make: (server) => newMariadb(server, "default character set utf8mb4 collate utf8mb4_general_ci"),
  dialect: "mysql",
  tables: foreignMariadb,
  quote: (name) => `\`${name}\``,
  structure: `select 'index' as kind, concat(table_name, index_name, non_unique, seq_in_index, column_name) as text
      from information_schema.statistics where table_schema = database()
    union all select 'key', concat(table_name, column_name, referenced_table_name) from information_schema.key_column_usage
      where table_schema = database() and referenced_table_name is not null
    union all select 'column', concat(table_name, column_name, column_type, is_nullable, coalesce(collation_name, ''))
      from information_schema.columns where table_schema = database() order by 1, 2`,
}

function rowsOf({ quote }: Ground): string[] {
  const [userId, paid, token] = ["userId", "providerAccountId", "sessionToken"].map(quote)
  return [
    "insert into users (name, email) values ('Old', 'old@example.test'), ('Nobody', ''), ('Nothing', null)",
    `insert into accounts (${userId}, type, provider, ${paid}) values (1, 'oauth', 'example', 'old-1')`,
    `insert into sessions (${userId}, expires, ${token}) values (1, '2037-01-02 03:04:05.678', 'plain-token')`,
    "insert into verification_token (identifier, token, expires) values ('old@example.test', 'hash', '2037-01-02 03:04:05.678')",
  ]
}

function migrations(ground: Ground, server: string): void {
  it("keep rows and integer ids, and add keys, indices, owners and the missing table", async () => {
    const database = await ground.make(server)
    await database.run(...ground.tables, ...rowsOf(ground))
    const adapter = adapterOn(database)
    expect(await adapter.migrate()).toEqual(["1 tables", "2 keys", "3 definitions", "1 records"])
    expect(await adapter.migrate()).toEqual([])
    expect(await adapter.getUserByEmail("old@example.test")).toMatchObject({ id: 1, name: "Old" })
    expect(await adapter.getUserByAccount({ provider: "example", providerAccountId: "old-1" })).toMatchObject({ id: 1 })
    const found = await adapter.getSessionAndUser("plain-token")
    expect(found?.user.id).toBe(1)
    const later = new Date("2037-02-03T04:05:06.789Z")
    expect(await adapter.updateSession({ sessionToken: "plain-token", expires: later })).toMatchObject({
      expires: later,
    })
    const [stored] = await database.rows<{ token: string }>(
      `select ${ground.quote("sessionToken")} as token from sessions`,
    )
    expect(stored?.token).toMatch(/^sha256:/)
    expect(await adapter.useVerificationToken({ identifier: "old@example.test", token: "hash" })).not.toBeNull()
    const user = await adapter.createUserWithAccount(draft("new"), account)
    expect(user.id).toBe(4)
    expect(await adapter.getUser("4")).toMatchObject({ email: "new@example.test" })
    for (const id of ["4.0", "04", "9007199254740993", "99999999999999999999", "x", ""]) {
      expect(await adapter.getUser(id)).toBeNull()
    }
    const authenticator = {
      credentialID: "c",
      providerAccountId: "c",
      credentialPublicKey: "k",
      counter: 3_000_000_000,
    }
    const device = { credentialDeviceType: "singleDevice" as const, credentialBackedUp: true, transports: null }
    await adapter.createAuthenticator({ ...authenticator, ...device, userId: user.id })
    expect(await adapter.getAuthenticator("c")).toMatchObject({ counter: 3_000_000_000, credentialBackedUp: true })
    await database.run("delete from users where id = 4")
    expect(await adapter.getAccount("1", "example")).toBeNull()
    expect(await adapter.getAuthenticator("c")).toBeNull()
  })

  it("count what stands in the way, show nothing of it, and change nothing", async () => {
    const database = await ground.make(server)
    const [userId, paid, token] = ["userId", "providerAccountId", "sessionToken"].map(ground.quote)
    await database.run(
      ...ground.tables,
      ...rowsOf(ground),
      "insert into users (email) values ('OLD@example.test')",
      `insert into accounts (${userId}, type, provider, ${paid}) values (2, 'oauth', 'example', 'old-1')`,
      `insert into sessions (${userId}, expires, ${token}) values (77, '2037-01-02 03:04:05.678', 'orphan')`,
    )
    const before = await database.rows(ground.structure)
    const adapter = adapterOn(database)
    const refusal = await adapter.migrate().catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SchemaError)
    const { message } = refusal as Error
    expect(message).toContain('"users": 1 value(s) of (lower(email)) occur in more than one row')
    expect(message).toContain('"accounts": 1 value(s) of (provider, providerAccountId) occur in more than one row')
    expect(message).toContain('"sessions": 1 row(s) belong to no user')
    expect(message).not.toMatch(/example\.test|old-1|orphan/)
    const isOfOurs = ({ text }: Record<string, unknown>): boolean => /latchkey|authenticators/.test(String(text))
    expect((await database.rows(ground.structure)).filter((row) => !isOfOurs(row))).toEqual(before)
    await database.run("delete from users where id = 4", `delete from accounts where ${userId} = 2`)
    await database.run(`delete from sessions where ${userId} = 77`)
    expect((await adapter.migrate()).slice(-2)).toEqual(["3 definitions", "1 records"])
  })

  it("run once when many start at the same time", async () => {
    const database = await ground.make(server)
    const adapters = Array.from({ length: 8 }, () => adapterOn(database, { connections: 1 }))
    const taken = await Promise.all(adapters.map((adapter) => adapter.migrate()))
    expect(taken.filter(({ length }) => length > 0)).toEqual([["1 tables", "2 keys", "3 definitions", "1 records"]])
  })

  it("printed and run by hand make the same tables", async () => {
    const [byHand, bySelf] = [await ground.make(server), await ground.make(server)]
    const statements = printMigrations({ dialect: ground.dialect }).split(";\n")
    await byHand.run(...statements.filter((text) => text.trim() !== ""))
    await adapterOn(bySelf).migrate()
    expect(await byHand.rows(ground.structure)).toEqual(await bySelf.rows(ground.structure))
    expect(await adapterOn(byHand).migrate()).toEqual([])
  })

  it("until they ran, first sign-ins at the same time take a lock and make one user", {
    tags: ["threat:RC-05", "threat:RC-06"],
  }, async () => {
    const database = await ground.make(server)
    await database.run(...ground.tables)
    const adapters = Array.from({ length: 3 }, () => adapterOn(database))
    const signIn = (adapter: SqlAdapter, name: string) => async () => {
      const enter = (): Promise<string> =>
        adapter.transaction(async (within) => {
          const owner = await within.getUserByAccount?.(account)
          if (owner) return owner.id
          const user = await within.createUser?.(draft(name))
          if (!user) throw new Error("nobody")
          await within.linkAccount?.({ ...account, userId: user.id })
          await within.createSession?.({ sessionToken: `${name}-token`, userId: user.id, expires })
          return user.id
        })
      return enter().catch(enter)
    }
    const works = adapters.flatMap((adapter, index) =>
      ["a", "b", "c"].map((name) => signIn(adapter, `${name}${index}`)),
    )
    const ids = await Promise.all(works.map((work) => work()))
    expect(new Set(ids).size).toBe(1)
    expect(await database.rows("select id from users")).toHaveLength(1)
    expect(await database.rows("select id from accounts")).toHaveLength(1)
    const again = adapters[0] as SqlAdapter
    await expect(again.linkAccount({ ...account, userId: ids[0] as string })).rejects.toThrow("exists already")
    await expect(again.createUser(draft("twin"))).resolves.toBeDefined()
    await expect(again.createUser(draft("twin"))).rejects.toThrow("exists already")
    expect(await again.getSessionAndUser("A0-TOKEN")).toBeNull()
  })
}

describeServer("postgresql", (server) => {
  describe("migrations on PostgreSQL", () => migrations(postgresql, server))

  it("columns of the application pass through", { tags: ["threat:FD-28"] }, async () => {
    const database = await newPostgresql(server)
    const adapter = adapterOn(database)
    await adapter.migrate()
    await database.run(
      `alter table users add role text default 'reader', add settings jsonb, add tags text[], add since timestamptz`,
    )
    const later = adapterOn(database)
    const more = { settings: { a: [1] }, tags: ["x", 'y"'], since: new Date(1), stray: 1 }
    const created = await later.createUser({ ...draft("app"), ...more } as ReturnType<typeof draft>)
    expect(created).toMatchObject({ role: "reader", settings: { a: [1] }, tags: ["x", 'y"'], since: new Date(1) })
    await later.updateUser({ id: created.id, settings: ["b"] } as { id: string })
    expect(await later.getUser(created.id)).toMatchObject({ settings: ["b"] })
  })
})

describeServer("mariadb", (server) => {
  describe("migrations on MariaDB", () => migrations(mariadb, server))

  it("columns of the application pass through", { tags: ["threat:FD-28"] }, async () => {
    const database = await newMariadb(server)
    const adapter = adapterOn(database)
    await adapter.migrate()
    await database.run("alter table users add role varchar(20) default 'reader', add since datetime(3)")
    const later = adapterOn(database)
    const created = await later.createUser({ ...draft("app"), since: new Date(1) } as ReturnType<typeof draft>)
    expect(created).toMatchObject({ role: "reader", since: new Date(1) })
    expect(Object.keys(created)).not.toContain("latchkey_address")
    await expect(later.updateUser({ id: created.id, role: "x".repeat(21) } as { id: string })).rejects.toThrow("longer")
  })

  it("instants keep their moment in a session that is elsewhere", { tags: ["threat:FD-20"] }, async () => {
    const database = await newMariadb(server)
    await database.run(...foreignMariadb.map((text) => text.replaceAll("datetime(3)", "timestamp(3) null")))
    const pool = mysqlPool(database.url, { timezone: "local" }, "set time_zone = '-03:30'")
    const adapter = sqlAdapter(pool, { migrate: "auto" })
    const user = await adapter.createUser(draft("ada"))
    await adapter.createSession({ sessionToken: "s", userId: user.id, expires })
    expect((await adapter.getSessionAndUser("s"))?.session.expires).toEqual(expires)
    expect(await adapter.deleteExpired(new Date(expires.getTime()))).toMatchObject({ sessions: 0 })
    expect(await adapter.deleteExpired(new Date(expires.getTime() + 1))).toMatchObject({ sessions: 1 })
  })

  it("columns that compare loosely find nobody else, also before the migrations", {
    tags: ["threat:FD-21"],
  }, async () => {
    const database = await newMariadb(server, "default character set utf8mb4 collate utf8mb4_general_ci")
    await database.run(...foreignMariadb, ...rowsOf(mariadb))
    const adapter = adapterOn(database)
    for (const email of ["OLD@example.test", "öld@example.test", "old@example.test "]) {
      expect(await adapter.getUserByEmail(email)).toBeNull()
    }
    for (const token of ["PLAIN-TOKEN", "plain-token ", "pläin-token"]) {
      expect(await adapter.getSessionAndUser(token)).toBeNull()
      expect(await adapter.deleteSession(token)).toBeNull()
    }
    expect(await adapter.getSessionAndUser("plain-token")).not.toBeNull()
    expect(await adapter.getUserByAccount({ provider: "Example", providerAccountId: "old-1" })).toBeNull()
  })
})
