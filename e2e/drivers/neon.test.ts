/** The adapter on Neon's driver: over HTTP, where a transaction cannot be held open, and through a WebSocket, where it can. */
import { contractCases, runCase } from "@latchkey/adapter-contract"
import { type SqlAdapter, type SqlAdapterWithoutTransactions, sqlAdapter } from "@latchkey/sql-adapter"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { newPostgresql } from "../../packages/sql-adapter/test/support/databases.js"
import { titled } from "../../packages/sql-adapter/test/support/titled.js"
import { describeServer } from "../../tools/servers/describe-server.js"
import { account, ada, type Drivers, loadDrivers, offeredWithoutTransactions } from "./fixture.js"
import { type NeonServer, startNeon } from "./neon-server.js"

describeServer("postgresql", (postgresql) => {
  let drivers: Drivers
  let neon: NeonServer
  beforeAll(async () => {
    drivers = await loadDrivers()
    neon = await startNeon(postgresql, drivers.webSockets())
  })
  afterAll(() => neon?.stop())

  describe("Neon over HTTP", () => {
    let adapter: SqlAdapterWithoutTransactions
    let opened: ReturnType<Drivers["neonHttp"]>
    beforeAll(async () => {
      opened = drivers.neonHttp((await newPostgresql(postgresql)).url, neon.http)
      adapter = sqlAdapter(opened.kysely, {
        transactions: false,
        batch: (statements) =>
          opened.sql.transaction(statements.map(({ sql, parameters }) => opened.sql.query(sql, [...parameters]))),
      })
      await adapter.migrate()
    })

    it("says what to set where transactions were left on", async () => {
      const unset = sqlAdapter(opened.kysely)
      await expect(unset.transaction(async () => "done")).rejects.toThrow('"transactions: false"')
    })

    it("migrates once", async () => {
      expect(await adapter.migrate()).toEqual([])
    })

    it("writes a user and an account together, or neither", async () => {
      expect(await adapter.createUserWithAccount?.(ada, account)).toMatchObject(ada)
      const second = adapter.createUserWithAccount?.({ ...ada, id: "eve", email: "eve@example.test" }, account)
      await expect(second).rejects.toMatchObject({ name: "DuplicateError" })
      expect(await adapter.getUser("eve")).toBeNull()
      expect(await adapter.deleteUser("ada")).toMatchObject(ada)
    })

    it.each(titled(contractCases.filter(({ needs }) => offeredWithoutTransactions(needs))))("%s", (_, it) =>
      runCase(it, adapter, 110_000),
    )
  })

  describe("Neon's pool through a WebSocket", () => {
    let adapter: SqlAdapter
    let pool: ReturnType<Drivers["neonPool"]>
    beforeAll(async () => {
      pool = drivers.neonPool((await newPostgresql(postgresql)).url, neon.socket)
      adapter = sqlAdapter(pool)
      await adapter.migrate()
    })
    afterAll(() => pool?.end())

    it.each(titled(contractCases.filter(({ group }) => group !== "crash")))("%s", (_, it) =>
      runCase(it, adapter, 110_000),
    )
  })
})
