/** What the adapter does when the server is down, frozen or restarted. */
import { createAuth } from "@latchkey/core"
import { combine } from "@latchkey/core/adapters"
import { memoryAdapter } from "@latchkey/core/memory"
import { type RedisAdapter, RedisError, redisAdapter } from "@latchkey/redis-adapter"
import { createClient, createClientPool } from "redis"
import { describe, expect, it } from "vitest"
import { ada, afterwards, expires, faultOf, open, server, signedIn, url } from "./support/fault-server.js"

describe("a server that is away", () => {
  it("is reported at once, with the cause and without the password", {
    tags: ["threat:FD-01", "threat:FD-25"],
  }, async () => {
    const adapter = open({ url: "redis://user:hunter2@127.0.0.1:1" })
    const error = await adapter.getSessionAndUser("token").catch((thrown: unknown) => thrown as Error)
    expect(error).toMatchObject({ name: "RedisError", fault: "unreachable", cause: { code: "ECONNREFUSED" } })
    expect(JSON.stringify([String(error), (error as Error).stack])).not.toContain("hunter2")
  })

  it("fails every operation, and not one silently", async () => {
    const adapter = open({ url: "redis://127.0.0.1:1" })
    const works = [
      adapter.getUserByEmail("ada@example.test"),
      adapter.getUserByAccount({ provider: "a", providerAccountId: "b" }),
      adapter.createVerificationToken({ identifier: "a", token: "b", expires }),
      adapter.useVerificationToken({ identifier: "a", token: "b" }),
      adapter.deleteSession("token"),
    ]
    expect(await Promise.all(works.map(faultOf))).toEqual(works.map(() => "unreachable"))
  })

  it("is found again when it comes back, by itself and with scripts it does not know yet", async () => {
    const adapter = open({ timeout: 10_000 })
    await signedIn(adapter)
    await server().kill()
    expect(await faultOf(adapter.getSessionAndUser("token"))).toBe("unreachable")
    await server().restart()
    await expect
      .poll(() => adapter.getSessionAndUser("token").catch(() => null), { timeout: 10_000 })
      .toMatchObject({
        user: { id: "ada" },
      })
    expect(await adapter.deleteSession("token")).toMatchObject({ userId: "ada" })
  })

  it("killed in the middle of many first sign-ins leaves whole people only", {
    tags: ["threat:FP-07", "threat:RC-28"],
  }, async () => {
    const adapter = open({ timeout: 10_000 })
    const accountOf = (index: number) => ({ provider: "a", providerAccountId: String(index), type: "oauth" as const })
    const emailOf = (index: number): string => `${index}@example.test`
    const crowd = Array.from({ length: 400 }, (_, index) => index)
    const works = crowd.map((index) =>
      adapter.createUserWithAccount({ id: "", email: emailOf(index), emailVerified: null }, accountOf(index)),
    )
    const outcomes = Promise.allSettled(works)
    await works[40]
    await server().kill()
    await outcomes
    await server().restart()
    await expect.poll(() => adapter.getUser("nobody").catch(() => "away"), { timeout: 10_000 }).toBeNull()
    for (const index of crowd) {
      const [byEmail, byAccount] = [
        await adapter.getUserByEmail(emailOf(index)),
        await adapter.getUserByAccount(accountOf(index)),
      ]
      expect(byAccount).toEqual(byEmail)
    }
    expect(await adapter.getUserByEmail(emailOf(0))).not.toBeNull()
  })

  it("may be a restart between two requests: nobody notices", async () => {
    const adapter = open({ timeout: 10_000 })
    await signedIn(adapter)
    await server().restart()
    await expect.poll(() => adapter.getSessionAndUser("token").catch(() => null)).toMatchObject({ user: { id: "ada" } })
  })

  it("never lets a session read answer `null`: cannot tell is not signed out", { tags: ["threat:FD-01"] }, async () => {
    const auth = createAuth(
      { providers: [], adapter: open({ url: "redis://127.0.0.1:1" }), logger: { error() {}, warn() {}, debug() {} } },
      { env: { AUTH_SECRET: "a secret that is long enough, really", AUTH_URL: "http://localhost:3000" } },
    )
    const headers = { cookie: "authjs.session-token=token" }
    const response = await auth.handle(new Request("http://localhost:3000/auth/session", { headers }))
    expect(response.status).toBe(503)
    expect(response.headers.get("set-cookie")).toBeNull()
  })
})

describe("a server that is frozen", () => {
  it.each(["address", "client", "pool"] as const)(
    "is given up within the time, and used again later, by %s",
    { tags: ["threat:FD-25"] },
    async (kind) => {
      const make = (): RedisAdapter => {
        if (kind === "address") return open({ timeout: 1500 })
        const client = kind === "pool" ? createClientPool({ url: url() }) : createClient({ url: url() })
        afterwards(() => client.destroy())
        return redisAdapter({ client }, { prefix: "faults", timeout: 1500 })
      }
      const adapter = make()
      await signedIn(adapter)
      server().pause()
      expect(await faultOf(adapter.getSessionAndUser("token"))).toBe("timeout")
      // Connecting anew ends as well: the kernel accepts, nobody answers.
      expect(await faultOf(adapter.getSessionAndUser("token"))).toBe("timeout")
      server().resume()
      await expect
        .poll(() => adapter.getSessionAndUser("token").catch(() => null), { timeout: 10_000 })
        .toMatchObject({
          user: { id: "ada" },
        })
    },
  )

  it("stays closed when the application has closed its client", async () => {
    const client = createClient({ url: url() })
    const adapter = redisAdapter({ client }, { prefix: "faults" })
    await adapter.createUser(ada)
    await client.close()
    expect(await faultOf(adapter.getUser("ada"))).toBe("closed")
    expect(client.isOpen).toBe(false)
  })

  it("does not hold up closing", async () => {
    const adapter = open({ timeout: 1500 })
    await adapter.createUser(ada)
    server().pause()
    await adapter.close()
    expect(await faultOf(adapter.getUser("ada"))).toBe("closed")
  })
})

describe("people in one store, sessions in a Redis that is away", () => {
  it("removes nobody by halves and begins no session", async () => {
    const people = memoryAdapter()
    const adapter = combine(people, { sessions: open({ url: "redis://127.0.0.1:1" }) })
    await people.createUser(ada)
    await expect(Promise.resolve(adapter.deleteUser?.("ada"))).rejects.toThrow(RedisError)
    expect(await people.getUser("ada")).not.toBeNull()
    const work = adapter.transaction?.(async (open) => {
      await open.createUser?.({ ...ada, id: "bob", email: "bob@example.test" })
      await open.createSession?.({ sessionToken: "token", userId: "bob", expires })
    })
    await expect(Promise.resolve(work)).rejects.toThrow(RedisError)
    expect(await people.getUser("bob")).toBeNull()
  })
})
