/** Servers in modes of their own: nothing is clipped or rounded in silence, and the whole contract is kept. */
import { contractCases, runCase } from "@latchkey/adapter-contract"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { mysqlPool, newMariadb, opened } from "../support/databases.js"
import { account, ada, expires } from "../support/people.js"
import { titled } from "../support/titled.js"

const lenient = "set session sql_mode = ''"

describeServer("mariadb", (server) => {
  async function loosely(...changes: readonly string[]) {
    const database = await newMariadb(server)
    await opened(database.url).migrate()
    await database.run(...changes)
    return { ...database, adapter: sqlAdapter(mysqlPool(database.url, {}, lenient)) }
  }

  it("times beyond a column are refused where the server would put another one there", async () => {
    const { adapter, rows } = await loosely(
      "alter table sessions modify column expires timestamp(3) not null default '2000-01-01 00:00:00'",
      "alter table users modify column emailVerified timestamp(3) null",
    )
    await adapter.createUser(ada)
    const session = (time: string) =>
      adapter.createSession({ sessionToken: time, userId: ada.id, expires: new Date(time) })
    const outOfRange = /^A time is out of range for the column \((timestamp|datetime)\(3\)\)\.$/
    await expect(session("2038-01-19T03:14:08Z")).rejects.toThrow(outOfRange)
    await expect(session("1970-01-01T00:00:00.999Z")).rejects.toThrow(outOfRange)
    await expect(adapter.updateUser({ id: ada.id, emailVerified: new Date("2099-01-01") })).rejects.toThrow(outOfRange)
    const link = { identifier: "i", token: "t", expires: new Date("+010000-01-01T00:00:00Z") }
    await expect(adapter.createVerificationToken(link)).rejects.toThrow(outOfRange)
    expect(await rows("select * from sessions")).toEqual([])
    expect(await rows("select * from verification_token")).toEqual([])
    const last = "2038-01-19T03:14:07.999Z"
    expect((await session(last)).expires).toEqual(new Date(last))
    expect((await adapter.getSessionAndUser(last))?.session.expires).toEqual(new Date(last))
  })

  it("fractions in columns for whole numbers are refused, and none is rounded", async () => {
    const { adapter, rows } = await loosely("alter table users add column points smallint")
    await adapter.createUser(ada)
    const link = (expires_at: number) => adapter.linkAccount({ ...account, userId: ada.id, expires_at })
    await expect(link(1_700_000_000.5)).rejects.toThrow(/^A number with a fraction does not fit the column \(bigint/)
    expect(await rows("select * from accounts")).toEqual([])
    const update = (points: unknown) => adapter.updateUser({ id: ada.id, ...({ points } as object) })
    await expect(update(1.5)).rejects.toThrow("A number with a fraction does not fit the column (smallint")
    await expect(update("many")).rejects.toThrow(TypeError)
    await expect(update("40000")).rejects.toThrow("A number is out of range for the column (smallint")
    expect(await update("7")).toMatchObject({ points: 7 })
  })

  it("numbers beyond a decimal or a short float are refused", async () => {
    const { adapter } = await loosely(
      "alter table users add column credit decimal(5,2), add column debt decimal(5,2) unsigned, add column weight float",
    )
    await adapter.createUser(ada)
    const update = (to: object) => adapter.updateUser({ id: ada.id, ...to })
    const outOfRange = /^A number is out of range for the column \((decimal\(5,2\)( unsigned)?|float)\)\.$/
    for (const to of [{ credit: 1000 }, { credit: -1000 }, { credit: 999.999 }, { debt: -0.01 }, { weight: 1e39 }]) {
      await expect(update(to)).rejects.toThrow(outOfRange)
    }
    // As everywhere in SQL, a decimal keeps the digits that it was declared with.
    expect(await update({ credit: 999.99, debt: 0.125, weight: -0.5 })).toMatchObject({
      credit: "999.99",
      debt: "0.13",
      weight: -0.5,
    })
  })

  it("words that an enumeration does not have are refused", async () => {
    const { adapter } = await loosely(
      "alter table users add column role enum('Reader','editor''s'), add column groups set('a','b')",
    )
    await adapter.createUser(ada)
    const update = (to: object) => adapter.updateUser({ id: ada.id, ...to })
    await expect(update({ role: "admin" })).rejects.toThrow("does not have this value")
    await expect(update({ groups: "a,c" })).rejects.toThrow("does not have this value")
    expect(await update({ role: "Reader", groups: "a,b" })).toMatchObject({ role: "Reader", groups: "a,b" })
    expect(await update({ role: "editor's", groups: "" })).toMatchObject({ role: "editor's", groups: "" })
  })

  describe("a server in the mode of another database", () => {
    let adapter: SqlAdapter
    beforeAll(async () => {
      const { url } = await newMariadb(server)
      adapter = sqlAdapter(mysqlPool(url, {}, "set session sql_mode = 'ORACLE'"), { migrate: "auto" })
    })
    afterAll(() => adapter.close())

    it("is migrated once", async () => {
      await adapter.getUser("1")
      expect(await adapter.migrate()).toEqual([])
      expect((await adapter.check()).problems).toEqual([])
    })

    it("takes a sign-in", async () => {
      await adapter.createUserWithAccount(ada, account)
      await adapter.createSession({ sessionToken: "s", userId: ada.id, expires })
      expect((await adapter.getSessionAndUser("s"))?.user).toMatchObject(ada)
      await adapter.deleteUser(ada.id)
    })

    it.each(titled(contractCases.filter(({ group }) => group !== "crash")))("%s", (_, it) => runCase(it, adapter))
  })
})
