/** Tables in a schema of their own. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newMariadb, newPostgresql, pgKysely } from "../support/databases.js"

const user = { id: "1", email: "ada@example.test", emailVerified: null }
const account = { provider: "example", providerAccountId: "1", type: "oauth" as const }
const expires = new Date("2037-01-02T03:04:05.678Z")

describeServer("postgresql", (server) => {
  it("withSchema of a Kysely instance is where the tables are made and read", async () => {
    const database = await newPostgresql(server)
    await database.run("create schema auth")
    const adapter = sqlAdapter(pgKysely(database.url).withSchema("auth"))
    expect(await adapter.migrate()).toEqual(["1 tables", "2 keys", "3 definitions", "1 records"])
    expect(await adapter.migrate()).toEqual([])
    const { id } = await adapter.createUserWithAccount(user, account)
    await adapter.createSession({ sessionToken: "s", userId: id, expires })
    expect((await adapter.getSessionAndUser("s"))?.user.id).toBe(id)
    expect(
      await database.rows("select table_name from information_schema.tables where table_schema = 'public'"),
    ).toEqual([])
    const tables = "select table_name as name from information_schema.tables where table_schema = 'auth'"
    expect(await database.rows(tables)).toHaveLength(7)
    await adapter.deleteUser(id)
    expect(await database.rows("select * from auth.sessions")).toEqual([])
  })

  it("the option names it, beside tables of another schema", async () => {
    const database = await newPostgresql(server)
    await database.run("create schema auth", "create table users (id serial primary key, login text)")
    const adapter = sqlAdapter(database.url, { schema: "auth", migrate: "auto" })
    await adapter.createUser(user)
    expect((await adapter.check()).problems).toEqual([])
    expect(await database.rows("select * from users")).toEqual([])
    await adapter.close()
  })
})

describeServer("mariadb", (server) => {
  it("is another database", async () => {
    const [database, other] = [await newMariadb(server), await newMariadb(server)]
    const adapter = sqlAdapter(database.url, { schema: new URL(other.url).pathname.slice(1), migrate: "auto" })
    await adapter.createUserWithAccount(user, account)
    expect((await adapter.check()).problems).toEqual([])
    expect(await other.rows("select id from users")).toHaveLength(1)
    expect(await database.rows("show tables")).toEqual([])
    await adapter.close()
  })
})

it("a file has none", () => {
  expect(() => sqlAdapter("app.db", { schema: "auth" })).toThrow("There are no schemas in sqlite.")
})
