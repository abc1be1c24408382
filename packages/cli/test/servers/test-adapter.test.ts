/** The contract of adapters inside transactions of servers: everything holds there, and nothing stays. */
import * as contract from "@latchkey/adapter-contract"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newMariadb, newPostgresql, opened, type TestDatabase } from "../../../sql-adapter/test/support/databases.js"
import { contractInside } from "../../src/doctor/contract-inside.js"

const world = { importTool: async () => contract }
const tables = ["users", "accounts", "sessions", "verification_token", "authenticators", "latchkey_records"]

function holdsInside(make: () => Promise<TestDatabase>): void {
  it("the contract holds in transactions that are rolled back, and no table has a row afterwards", async () => {
    const database = await make()
    const adapter = opened(database.url, { migrate: "manual" })
    expect((await contractInside(adapter, true, world)).notes.join()).toContain("its tables are not as they have to be")
    await adapter.migrate()
    const { findings, notes } = await contractInside(adapter, true, world)
    expect(findings).toEqual([])
    expect(notes.join()).toMatch(/^1\d\d cases of the contract of adapters hold/)
    for (const table of tables) expect(await database.rows(`select * from ${table}`)).toEqual([])
  })
}

describeServer("postgresql", (server) => {
  holdsInside(() => newPostgresql(server))

  it("of an adapter that lets a refused statement end the transaction, that promise alone is named as broken", async () => {
    const database = await newPostgresql(server)
    const adapter = opened(database.url, { migrate: "auto" })
    await adapter.getUser("1")
    const careless = {
      ...adapter,
      transaction: (work: Parameters<typeof adapter.transaction>[0]) =>
        adapter.transaction(async (inner) => {
          let isAborted = false
          const refusing = new Proxy(inner, {
            get(target, name) {
              const operation: unknown = Reflect.get(target, name)
              if (typeof operation !== "function") return operation
              return async (...args: unknown[]) => {
                if (isAborted) throw new Error("current transaction is aborted, commands ignored")
                try {
                  return await operation.apply(target, args)
                } catch (error) {
                  isAborted = true
                  throw error
                }
              }
            },
          })
          return work(refusing)
        }),
    }
    const { findings } = await contractInside(careless as typeof adapter, false, world)
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/a refusal inside a transaction can be caught, and the rest is kept, received \d+ cases/),
    ])
  })
})

describeServer("mariadb", (server) => holdsInside(() => newMariadb(server)))
