/** What the adapter does when a server goes away, stops answering or refuses to write. Each test has a server of its own. */
import type { SqlAdapter } from "@latchkey/sql-adapter"
import { describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { startPostgresql } from "../../../../tools/servers/postgresql.js"
import type { Server } from "../../../../tools/servers/server.js"
import { newPostgresql, pgKysely } from "../support/databases.js"
import {
  account,
  adapterOn,
  type FaultGround,
  mariadb,
  open,
  outcomeOf,
  postgresql,
  user,
} from "../support/fault-grounds.js"
import { gate } from "../support/gate.js"

/** What a read says. A server that is being frozen may still answer a moment longer. */
const said = async (adapter: SqlAdapter): Promise<string> => String(await outcomeOf(() => adapter.getUser("1")))

function outages(ground: FaultGround): void {
  const start = async (): Promise<Server> => {
    const server = await ground.start()
    open.push({ close: () => server.stop() })
    return server
  }

  it("a server that goes away in the middle and comes back is used again, on a URL and on a pool", {
    tags: ["threat:FD-01", "threat:FD-03"],
  }, async () => {
    const server = await start()
    const { url } = await ground.make(server.url)
    const adapters = [adapterOn(url), adapterOn(ground.pool(url))]
    for (const adapter of adapters) {
      await adapter.deleteUser("1")
      await adapter.createUser(user("1"))
    }
    const [begun, killed] = [gate(), gate()]
    const cutOff = adapters[0]?.transaction(async (within) => {
      await within.updateUser?.({ id: "1", name: "half" })
      begun.open()
      await killed.opened
      await within.updateUser?.({ id: "1", image: "half" })
    })
    const outcome = expect(cutOff).rejects.toThrow()
    await begun.opened
    await server.kill()
    killed.open()
    await outcome
    for (const adapter of adapters) {
      await expect(adapter.getUser("1")).rejects.toThrow()
      await expect(adapter.createUser(user("2"))).rejects.toThrow()
    }
    await server.restart()
    for (const adapter of adapters) expect(await adapter.getUser("1")).toMatchObject({ name: null, image: null })
    await expect(adapters[0]?.createUser(user("2"))).resolves.toMatchObject({ email: "2@example.test" })
  })

  it("a server that answers nothing is waited for as long as was said, and used again", {
    tags: ["threat:FD-14"],
  }, async () => {
    const server = await start()
    const { url } = await ground.make(server.url)
    const adapter = adapterOn(url, { statementTimeout: 300, busyTimeout: 300 })
    await adapter.createUser(user("1"))
    server.pause()
    try {
      await expect.poll(() => said(adapter), { timeout: 20_000 }).toContain("did not answer within 300 ms")
      await expect(adapter.transaction((within) => within.getUser?.("1") as Promise<unknown>)).rejects.toThrow(
        /300|timeout/i,
      )
      await expect(adapter.createUser(user("2"))).rejects.toThrow(/300|timeout/i)
    } finally {
      server.resume()
    }
    await expect.poll(() => outcomeOf(() => adapter.getUser("1")), { timeout: 20_000 }).toMatchObject({ id: "1" })
  })

  it("a replica that may not be written refuses with its reason, and is read", { tags: ["threat:FD-19"] }, async () => {
    const server = await start()
    const database = await ground.make(server.url)
    await adapterOn(database.url).createUser(user("1"))
    await database.run(ground.readOnly(new URL(database.url).pathname.slice(1)))
    const adapter = adapterOn(database.url)
    expect(await adapter.getUser("1")).not.toBeNull()
    await expect(adapter.createUser(user("2"))).rejects.toMatchObject({ code: ground.readOnlyCode })
    await expect(adapter.createUserWithAccount(user("2"), account)).rejects.toMatchObject({ code: ground.readOnlyCode })
  })
}

describeServer("postgresql", () => {
  describe("a PostgreSQL server", () => outages(postgresql))

  it("a Kysely instance recovers from a server without an answer, too", async () => {
    const own = await startPostgresql()
    open.push({ close: () => own.stop() })
    const { url } = await newPostgresql(own.url)
    const adapter = adapterOn(pgKysely(url), { statementTimeout: 300, busyTimeout: 300 })
    await adapter.createUser(user("1"))
    own.pause()
    await expect.poll(() => said(adapter), { timeout: 20_000 }).toContain("did not answer within 300 ms")
    own.resume()
    await expect.poll(() => outcomeOf(() => adapter.getUser("1")), { timeout: 20_000 }).toMatchObject({ id: "1" })
  })
})

describeServer("mariadb", () => {
  describe("a MariaDB server", () => outages(mariadb))
})
