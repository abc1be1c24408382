/** What can go wrong on a server that runs: each fault is a rejected promise, and the adapter recovers by itself. */
import { randomBytes } from "node:crypto"
import { inspect } from "node:util"
import { createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { DuplicateError } from "@latchkey/sql-adapter"
import { describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { freePort } from "../../../../tools/servers/server.js"
import { account, adapterOn, type FaultGround, mariadb, outcomeOf, postgresql, user } from "../support/fault-grounds.js"
import { gate } from "../support/gate.js"

/** What a reader of the session is answered, and what is logged of it. */
async function throughEngine(adapter: Adapter): Promise<{ status: number; answered: string; logged: string }> {
  const errors: unknown[] = []
  const logger = { error: (error: unknown) => void errors.push(error), warn() {}, debug() {} }
  const env = { AUTH_SECRET: "a secret that is long enough, really", AUTH_URL: "http://localhost:3000" }
  const { handle } = createAuth({ providers: [], adapter, logger }, { env })
  const headers = { cookie: "authjs.session-token=token-of-ada" }
  const response = await handle(new Request("http://localhost:3000/auth/session", { headers }))
  return { status: response.status, answered: await response.text(), logged: inspect(errors, { depth: 9 }) }
}

function faults(ground: FaultGround, server: string): void {
  it("a server that is down at the start is reported with its reason", { tags: ["threat:FD-01"] }, async () => {
    const adapter = adapterOn(`${ground.scheme}://app:hunter2@127.0.0.1:${await freePort()}/db`)
    const error = await outcomeOf(() => adapter.getUser("1"))
    expect(error).toMatchObject({ code: "ECONNREFUSED" })
    expect(String((error as Error).message)).not.toContain("hunter2")
    await expect(adapter.migrate()).rejects.toMatchObject({ code: "ECONNREFUSED" })
  })

  it("tables that are missing are named", { tags: ["threat:FD-28"] }, async () => {
    const adapter = adapterOn((await ground.make(server)).url, { migrate: "manual" })
    await expect(adapter.getUser("1")).rejects.toThrow('There is no table "users". Run the migrations.')
    const { status, answered, logged } = await throughEngine(adapter)
    expect(status).toBe(503)
    expect(logged).toContain('"getSessionAndUser"')
    expect(logged).toContain('There is no table "sessions". Run the migrations.')
    for (const text of [answered, logged]) expect(text).not.toMatch(/token-of-ada|app:|password/)
    expect(answered).not.toContain("sessions")
    await adapter.migrate()
    expect(await adapter.getUser("1")).toBeNull()
  })

  it("a pool that is exhausted is waited for, and then an error", { tags: ["threat:FD-16"] }, async () => {
    const adapter = adapterOn((await ground.make(server)).url, { connections: 1, busyTimeout: 200 })
    await adapter.createUser(user("1"))
    await adapter.transaction(async (within) => {
      await expect(adapter.getUser("1")).rejects.toThrow("No database connection became free within 200 ms")
      await within.updateUser?.({ id: "1", name: "inside" })
    })
    expect(await adapter.getUser("1")).toMatchObject({ name: "inside" })
  })

  it("a pool of one connection does not wait for itself inside a transaction", { tags: ["threat:FD-15"] }, async () => {
    const adapter = adapterOn((await ground.make(server)).url, { connections: 1 })
    await adapter.transaction(async (within) => {
      await within.createUserWithAccount?.(user("1"), account)
      await within.transaction?.((inner) => inner.createUser?.(user("2")) as Promise<unknown>)
      await within.deleteUser?.("2")
    })
    expect(await adapter.getUser("1")).not.toBeNull()
    expect(await adapter.getUser("2")).toBeNull()
  })

  it("a row that is there already is one error on every database, without the values", {
    tags: ["threat:FD-18"],
  }, async () => {
    const adapter = adapterOn((await ground.make(server)).url)
    await adapter.createUserWithAccount(user("1"), account)
    const refused = await outcomeOf(() => adapter.linkAccount({ ...account, userId: "1" }))
    expect(refused).toBeInstanceOf(DuplicateError)
    expect(String(refused)).not.toContain("secret-account")
    await expect(adapter.createUser({ ...user("2"), email: "1@example.test" })).rejects.toThrow(DuplicateError)
    await adapter.createUser(user("2"))
    await adapter.transaction(async (within) => {
      await expect(within.updateUser?.({ id: "2", email: "1@example.test" })).rejects.toThrow(DuplicateError)
      await within.updateUser?.({ id: "2", name: "after the refusal" })
    })
    expect(await adapter.getUser("2")).toMatchObject({ name: "after the refusal", email: "2@example.test" })
  })

  it("transactions that lock each other out both take effect", { tags: ["threat:FD-17", "threat:RC-27"] }, async () => {
    const adapter = adapterOn((await ground.make(server)).url)
    await adapter.createUser(user("1"))
    await adapter.createUser(user("2"))
    let waiting = 0
    const met = gate()
    const work = (first: string, second: string) =>
      adapter.transaction(async (within) => {
        await within.updateUser?.({ id: first, name: `by ${first}` })
        waiting += 1
        if (waiting >= 2) met.open()
        await met.opened
        await within.updateUser?.({ id: second, image: `by ${first}` })
      })
    await Promise.all([work("1", "2"), work("2", "1")])
    expect(waiting).toBe(3)
    expect(await adapter.getUser("1")).toMatchObject({ name: "by 1", image: "by 2" })
    expect(await adapter.getUser("2")).toMatchObject({ name: "by 2", image: "by 1" })
  })

  it("a conflict runs the transaction again, all of it, and a single statement, too", {
    tags: ["threat:FD-17", "threat:RC-27"],
  }, async () => {
    const database = await ground.make(server)
    const adapter = adapterOn(database.url)
    await adapter.createUser(user("0"))
    for (const statement of ground.conflicts) await database.run(statement)
    let runs = 0
    const expires = new Date("2037-01-01T00:00:00Z")
    await adapter.transaction(async (within) => {
      runs += 1
      await within.createUser?.(user("1"))
      // A work that goes on after the conflict must not write outside of the transaction.
      await outcomeOf(() => within.createSession?.({ sessionToken: "s", userId: "1", expires }))
      await outcomeOf(() => within.createUser?.(user("2")))
    })
    expect(runs).toBe(3)
    expect(await adapter.getSessionAndUser("s")).not.toBeNull()
    expect(await database.rows("select id from users")).toHaveLength(3)
  })

  it("a transaction that swallows an error does not pretend to be kept", async () => {
    const adapter = adapterOn((await ground.make(server)).url)
    const work = adapter.transaction(async (within) => {
      await within.createUser?.(user("1"))
      await outcomeOf(() => within.linkAccount?.({ ...account, userId: "nobody" }))
    })
    const isKept = await work.then(
      () => true,
      () => false,
    )
    expect((await adapter.getUser("1")) !== null).toBe(isKept)
  })

  it("values that the database cannot hold are refused before they reach it", {
    tags: ["threat:FD-22", "threat:FD-24"],
  }, async () => {
    const adapter = adapterOn((await ground.make(server)).url)
    await expect(adapter.createUser({ ...user("1"), name: "zero\u0000byte" })).rejects.toThrow(TypeError)
    await expect(adapter.createUser({ ...user("1"), name: "half \ud800" })).rejects.toThrow(TypeError)
    expect(await adapter.getUserByEmail("1@example.test\u0000")).toBeNull()
    expect(await adapter.getSessionAndUser("s\u0000")).toBeNull()
  })

  it("an address that is too long is kept whole or refused, never cut", { tags: ["threat:FD-22"] }, async () => {
    const adapter = adapterOn((await ground.make(server)).url)
    // Nothing that a database could compress.
    const email = randomBytes(50_000).toString("hex")
    await expect(adapter.createUser({ ...user("1"), email })).rejects.toThrow()
    for (const length of [100_000, 640, 255]) expect(await adapter.getUserByEmail(email.slice(0, length))).toBeNull()
    expect(await adapter.getUser("1")).toBeNull()
  })
}

describeServer("postgresql", (server) => {
  describe("faults of PostgreSQL", () => faults(postgresql, server))
})

describeServer("mariadb", (server) => {
  describe("faults of MariaDB", () => faults(mariadb, server))
})
