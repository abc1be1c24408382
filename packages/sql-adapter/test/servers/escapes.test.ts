/** MySQL in the mode in which a backslash escapes nothing, as drivers believe that write values into statements. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { Kysely, MysqlDialect, type MysqlPool } from "kysely"
import { createConnection } from "mysql2/promise"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { mysqlPool, newMariadb, opened } from "../support/databases.js"
import { account, ada, expires } from "../support/people.js"

const mode = "set session sql_mode = concat(@@sql_mode, ',NO_BACKSLASH_ESCAPES')"
const forged = ["x' or 1=1 -- ", "x') or 1=1 -- ", "x\\' or 1=1 -- ", "x\\", "'"]

describeServer("mariadb", (server) => {
  const withPeople = async () => {
    const { url } = await newMariadb(server)
    const own = opened(url)
    await own.migrate()
    await own.createUserWithAccount(ada, account)
    await own.createSession({ sessionToken: "s", userId: ada.id, expires })
    return url
  }

  describe("a value with quotes is never part of a statement", { tags: ["threat:A-183"] }, () => {
    it.each([true, false])("on a pool that was handed in, prepared: %s", async (preparedStatements) => {
      const pool = mysqlPool(await withPeople(), {}, mode)
      const adapter = sqlAdapter(pool, { preparedStatements })
      const looks = forged.map((text) => adapter.getSessionAndUser(text))
      if (preparedStatements) expect(await Promise.all(looks)).toEqual(forged.map(() => null))
      else for (const look of looks) await expect(look).rejects.toThrow("NO_BACKSLASH_ESCAPES")
      expect((await adapter.check()).problems.length).toBe(preparedStatements ? 0 : 1)
    })

    it("by a Kysely instance", async () => {
      const pool = mysqlPool(await withPeople(), {}, mode) as unknown as MysqlPool
      const adapter = sqlAdapter(new Kysely<unknown>({ dialect: new MysqlDialect({ pool }) }))
      for (const text of forged) await expect(adapter.getSessionAndUser(text)).rejects.toThrow("NO_BACKSLASH_ESCAPES")
    })

    describe("by a URL, where the server begins the sessions of this user so", () => {
      const name = "latchkey_escapes"
      const asAdmin = async (...statements: readonly string[]) => {
        const admin = await createConnection(server)
        for (const statement of statements) await admin.query(statement)
        await admin.end()
      }
      beforeAll(() =>
        asAdmin(
          `create user ${name}@'%' identified by 'p'`,
          `grant all on *.* to ${name}@'%'`,
          `revoke super, connection admin on *.* from ${name}@'%'`,
          `set global init_connect = "set session sql_mode = if(current_user() = '${name}@%',
            concat(@@sql_mode, ',NO_BACKSLASH_ESCAPES'), @@sql_mode)"`,
        ),
      )
      afterAll(() => asAdmin("set global init_connect = ''", `drop user ${name}@'%'`))

      it.each([true, false])("prepared: %s", async (preparedStatements) => {
        const url = Object.assign(new URL(await withPeople()), { username: name, password: "p" }).href
        const plain = await createConnection(url)
        const [rows] = await plain.query("select @@sql_mode as mode")
        await plain.end()
        expect(rows).toEqual([{ mode: expect.stringContaining("NO_BACKSLASH_ESCAPES") }])
        const adapter = opened(url, { preparedStatements })
        for (const text of forged) {
          expect(await adapter.getSessionAndUser(text)).toBeNull()
          await adapter.createSession({ sessionToken: text, userId: ada.id, expires })
          expect((await adapter.getSessionAndUser(text))?.user.id).toBe(ada.id)
        }
        expect((await adapter.check()).problems).toEqual([])
      })
    })
  })
})
