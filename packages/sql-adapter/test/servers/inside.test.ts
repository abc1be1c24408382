/** What a transaction sees of others, and ids beyond what a number can hold. */
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { createPool } from "mysql2"
import pg from "pg"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { afterwards, newMariadb, newPostgresql, opened, pgPool, type TestDatabase } from "../support/databases.js"
import { account, expires, passkey, ada as user } from "../support/people.js"

/** After a read, another process removes what the transaction then changes. */
function seesOthers(make: () => Promise<TestDatabase>): void {
  const inside = async (change: string, work: (within: SqlAdapter) => Promise<unknown>): Promise<unknown> => {
    const database = await make()
    const adapter = opened(database.url, { migrate: "auto" })
    await adapter.createUserWithAccount(user, account)
    await adapter.createSession({ sessionToken: "s", userId: "1", expires })
    await adapter.createAuthenticator(passkey)
    return adapter.transaction(async (within) => {
      await within.getUser?.("1")
      await database.run(change)
      return work(within as SqlAdapter)
    })
  }

  it("a session that ended meanwhile is not extended", async () => {
    expect(
      await inside("delete from sessions", async (it) => it.updateSession({ sessionToken: "s", expires })),
    ).toBeNull()
    expect(await inside("delete from sessions", async (it) => it.getSessionAndUser("s"))).toBeNull()
  })

  it("a user, a passkey or an account that went meanwhile is not answered", async () => {
    await expect(inside("delete from users", async (it) => it.updateUser({ id: "1", name: "x" }))).rejects.toThrow(
      "no user",
    )
    const counter = inside("delete from authenticators", async (it) => it.updateAuthenticatorCounter("c", 1))
    await expect(counter).rejects.toThrow("no such credential")
    const tokens = async (it: SqlAdapter) => it.updateAccount({ ...account, access_token: "x" })
    expect(await inside("delete from accounts", tokens)).toBeNull()
  })
}

const ids = ["9007199254740995", "9007199254740996", "9007199254740997"]

/** The key of users begins at the first of the ids. */
async function stayApart(adapter: SqlAdapter, rows: () => Promise<unknown>): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const made = await adapter.createUserWithAccount(
      { ...user, id: "", email: `${index}@example.test` },
      { ...account, providerAccountId: id },
    )
    expect(made.id).toBe(id)
    await adapter.createSession({ sessionToken: id, userId: id, expires })
  }
  for (const id of ids) {
    expect((await adapter.getSessionAndUser(id))?.user.id).toBe(id)
    expect((await adapter.getUser(id))?.id).toBe(id)
    expect((await adapter.getUserByAccount({ ...account, providerAccountId: id }))?.id).toBe(id)
    expect((await adapter.listAccountsByUserId(id)).map(({ userId }) => userId)).toEqual([id])
    expect(await adapter.listSessionsByUserId(id)).toHaveLength(1)
  }
  await adapter.deleteUser(ids[1] as string)
  expect(await rows()).toEqual([{ id: ids[0] }, { id: ids[2] }])
}

describeServer("postgresql", (server) => {
  seesOthers(() => newPostgresql(server))

  it.each(["bigint", "person_id"])(
    "ids beyond 2^53 stay apart in %s, on a driver that is set to read numbers",
    { tags: ["threat:RC-10"] },
    async (type) => {
      const { url, run, rows } = await newPostgresql(server)
      await run(
        "create domain any_id as bigint check (value > 0)",
        "create domain person_id as any_id",
        `create sequence people start ${ids[0]}`,
        `create table users (id ${type} primary key default nextval('people'), name text, email text,
        "emailVerified" timestamptz, image text)`,
      )
      const getTypeParser = (oid: number, format: "text") => (oid === 20 ? Number : pg.types.getTypeParser(oid, format))
      const adapter = sqlAdapter(pgPool(url, { types: { getTypeParser } as pg.CustomTypesConfig }), { migrate: "auto" })
      await stayApart(adapter, () => rows("select id::text from users order by id"))
    },
  )
})

describeServer("mariadb", (server) => {
  seesOthers(() => newMariadb(server))

  it("ids beyond 2^53 stay apart, on a pool that reads numbers", { tags: ["threat:RC-10"] }, async () => {
    const database = await newMariadb(server)
    await database.run(
      `create table users (id bigint auto_increment primary key, name varchar(255), email varchar(255),
        emailVerified datetime(3), image text) auto_increment = ${ids[0]}`,
    )
    const pool = createPool({ uri: database.url })
    afterwards(() => pool.promise().end())
    const adapter = sqlAdapter(pool, { migrate: "auto" })
    await stayApart(adapter, () => database.rows("select cast(id as char) as id from users order by id"))
  })

  it("ids beyond 2^53 stay apart in a decimal, on a pool that reads numbers", { tags: ["threat:RC-10"] }, async () => {
    const { url, run } = await newMariadb(server)
    await run(
      `create table users (id decimal(20,0) primary key, name varchar(255), email varchar(255),
        emailVerified datetime(3), image text)`,
      ...ids.map((id) => `insert into users (id, email) values (${id}, '${id}@example.test')`),
    )
    const pool = createPool({ uri: url, decimalNumbers: true })
    afterwards(() => pool.promise().end())
    const adapter = sqlAdapter(pool, { migrate: "auto" })
    for (const id of ids) {
      expect((await adapter.getUserByEmail(`${id}@example.test`))?.id).toBe(id)
      await adapter.linkAccount({ ...account, userId: id, providerAccountId: id })
      await adapter.createSession({ sessionToken: id, userId: id, expires })
    }
    for (const id of ids) {
      expect((await adapter.getUserByAccount({ ...account, providerAccountId: id }))?.id).toBe(id)
      expect((await adapter.getSessionAndUser(id))?.user.id).toBe(id)
    }
  })
})
