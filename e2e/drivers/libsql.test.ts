/** The adapter on remote libsql, whose driver begins and ends transactions itself. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { formatContract, runContract } from "@latchkey/adapter-contract"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ada, type Drivers, loadDrivers } from "./fixture.js"
import { type HranaServer, startHrana } from "./hrana.js"

describe("remote libsql over HTTP", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-hrana-"))
  let server: HranaServer
  let client: ReturnType<Drivers["remoteLibsql"]>
  let adapter: SqlAdapter
  beforeAll(async () => {
    server = await startHrana(join(folder, "remote.db"))
    client = (await loadDrivers()).remoteLibsql(server.url)
    // A thousand statements at once wait for each other, in the database and on their way to it over HTTP.
    adapter = sqlAdapter(client.kysely, { busyTimeout: 30_000, statementTimeout: 60_000 })
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
    const report = await runContract(() => adapter, { timeout: 110_000 })
    expect(report.isKept, formatContract(report)).toBe(true)
  })
})
