import { contractCases, runCase } from "@latchkey/adapter-contract"
import { describe, expect, it, vi } from "vitest"
import type { Adapter } from "../types/adapter.js"
import type { VerificationToken } from "../types/credential.js"
import type { AdapterSession } from "../types/session.js"
import { combine } from "./combine.js"
import { memoryAdapter } from "./memory.js"
import type { RecordPart, SessionStore, VerificationTokenStore } from "./parts.js"

const expires = new Date("2099-01-01T00:00:00.000Z")
const ada = { id: "ada", email: "ada@example.test", emailVerified: null }
const session = { sessionToken: "token", userId: "ada", expires }

/** Sessions in a map: knows no users and no transactions. */
function sessionStore(): Required<SessionStore> & { readonly rows: Map<string, AdapterSession> } {
  const rows = new Map<string, AdapterSession>()
  const ofUser = (userId: string): AdapterSession[] => [...rows.values()].filter((row) => row.userId === userId)
  const end = (sessionToken: string): AdapterSession | null => {
    const row = rows.get(sessionToken) ?? null
    rows.delete(sessionToken)
    return row
  }
  return {
    rows,
    getSession: (sessionToken) => structuredClone(rows.get(sessionToken)) ?? null,
    createSession(row) {
      if (rows.has(row.sessionToken)) throw new Error("taken")
      rows.set(row.sessionToken, structuredClone(row))
      return row
    },
    updateSession({ sessionToken, ...patch }) {
      const before = rows.get(sessionToken)
      if (!before) return null
      rows.set(sessionToken, structuredClone({ ...before, ...patch }))
      return { ...before, ...patch }
    },
    deleteSession: end,
    deleteSessionsByUserId: (userId) => ofUser(userId).map((row) => end(row.sessionToken)).length,
    listSessionsByUserId: ofUser,
    deleteExpired(now) {
      const over = [...rows.values()].filter((row) => row.expires < now)
      for (const row of over) rows.delete(row.sessionToken)
      return { sessions: over.length, verificationTokens: 0 }
    },
  }
}

function tokenStore(): Required<VerificationTokenStore> {
  const rows = new Map<string, VerificationToken>()
  const keyOf = ({ identifier, token }: { identifier: string; token: string }): string =>
    JSON.stringify([identifier, token])
  return {
    createVerificationToken(row) {
      rows.set(keyOf(row), structuredClone(row))
      return row
    },
    useVerificationToken(key) {
      const row = rows.get(keyOf(key)) ?? null
      rows.delete(keyOf(key))
      return row
    },
    deleteExpired(now) {
      const over = [...rows].filter(([, row]) => row.expires < now)
      for (const [key] of over) rows.delete(key)
      return { sessions: 0, verificationTokens: over.length }
    },
  }
}

function split(people: Adapter = memoryAdapter()): {
  adapter: Required<Adapter>
  sessions: ReturnType<typeof sessionStore>
} {
  const sessions = sessionStore()
  return { adapter: combine(people, { sessions, verificationTokens: tokenStore() }) as Required<Adapter>, sessions }
}

describe("combine", () => {
  const { adapter } = split()
  // Sign-ins that are cut off are tried with real stores.
  const offered = contractCases.filter((contractCase) => contractCase.group !== "crash")

  it("offers every operation when both sides do", () => {
    expect(Object.keys(adapter).sort()).toEqual(Object.keys(memoryAdapter()).sort())
  })

  it.each(offered.map((contractCase) => [contractCase.name, contractCase] as const))("keeps: %s", (_, contractCase) =>
    runCase(contractCase, adapter),
  )

  it("offers nothing of sessions that their store does not offer", () => {
    const { deleteSessionsByUserId: _, listSessionsByUserId: __, ...sessions } = sessionStore()
    const combined = combine(memoryAdapter(), { sessions })
    expect(combined.deleteSessionsByUserId).toBeUndefined()
    expect(combined.listSessionsByUserId).toBeUndefined()
  })

  it("offers no operation that the adapter lacks", () => {
    const { getUser, createUser } = memoryAdapter()
    const combined = combine({ getUser, createUser }, { sessions: sessionStore() })
    expect(combined).not.toHaveProperty("transaction")
    expect(combined).not.toHaveProperty("linkAccount")
    expect(combined).not.toHaveProperty("deleteUser")
  })

  it("moves links alone, and leaves sessions where they are", async () => {
    const people = memoryAdapter()
    const combined = combine(people, { verificationTokens: tokenStore() }) as Required<Adapter>
    await combined.createUser(ada)
    await combined.createSession(session)
    expect(await people.getSessionAndUser("token")).not.toBeNull()
    await combined.createVerificationToken({ identifier: "a", token: "b", expires })
    expect(await people.useVerificationToken({ identifier: "a", token: "b" })).toBeNull()
    expect(await combined.useVerificationToken({ identifier: "a", token: "b" })).not.toBeNull()
  })

  it("works with classes, whose operations need `this`", async () => {
    class People {
      readonly #users = new Map([["ada", ada]])
      getUser(id: string) {
        return this.#users.get(id) ?? null
      }
      async transaction<T>(work: (adapter: Adapter) => Promise<T>): Promise<T> {
        return work(this.#users ? this : {})
      }
    }
    const combined = combine(new People(), { sessions: sessionStore() }) as Required<Adapter>
    await combined.transaction(async (open) => open.createSession?.(session))
    expect(await combined.getSessionAndUser("token")).toEqual({ session, user: ada })
  })

  it.each([
    ["sessions", { sessions: memoryAdapter() as unknown as SessionStore }, "getSession"],
    ["verificationTokens", { verificationTokens: {} as VerificationTokenStore }, "createVerificationToken"],
  ])("says what a store for %s lacks", (part, parts, missing) => {
    expect(() => combine(memoryAdapter(), parts)).toThrow(`the store for ${part} lacks ${missing}`)
  })

  it("says that people need getUser", () => {
    expect(() => combine({}, { sessions: sessionStore() })).toThrow("the store for people lacks getUser")
  })

  it("asks every store once what it says of itself, and offers that where one can be asked", async () => {
    const redis = { ...sessionStore(), check: async () => ["evicts"] }
    const parts = { sessions: redis, records: { ...memoryAdapter(), check: async () => [] } as unknown as RecordPart }
    const tables = { pending: ["keys"] }
    const both = combine({ ...memoryAdapter(), check: () => tables } as Adapter, parts) as { check?: () => unknown }
    expect(await both.check?.()).toEqual([tables, ["evicts"], []])
    const one = combine(memoryAdapter(), parts) as { check?: () => unknown }
    expect(await one.check?.()).toEqual([["evicts"], []])
    expect(combine(memoryAdapter(), {})).not.toHaveProperty("check")
  })

  it("cleans up in every store once, and counts together", async () => {
    const people = memoryAdapter()
    const sessions = sessionStore()
    const combined = combine(people, { sessions, verificationTokens: tokenStore() }) as Required<Adapter>
    await people.createUser(ada)
    const over = { ...session, expires: new Date(0) }
    await people.createSession({ ...over, sessionToken: "left behind" })
    await combined.createSession(over)
    await combined.createVerificationToken({ identifier: "a", token: "b", expires: new Date(0) })
    expect(await combined.deleteExpired(new Date())).toEqual({ sessions: 2, verificationTokens: 1, records: 0 })
  })
})

describe("a session and its user in two stores", () => {
  it("counts as absent when the user is gone [A-044]", async () => {
    const people = memoryAdapter()
    const { adapter, sessions } = split(people)
    await adapter.createUser(ada)
    await adapter.createSession(session)
    await people.deleteUser("ada")
    expect(sessions.rows.size).toBe(1)
    expect(await adapter.getSessionAndUser("token")).toBeNull()
  })

  it("is refused for a user that does not exist, and leaves no row", async () => {
    const { adapter, sessions } = split()
    await expect(adapter.createSession(session)).rejects.toThrow("no user")
    expect(sessions.rows.size).toBe(0)
  })

  it("is refused when it is unknown whether the user exists, and leaves no row", async () => {
    const people = { ...memoryAdapter(), getUser: () => Promise.reject(new Error("down")) }
    const { adapter, sessions } = split(people)
    await expect(adapter.createSession(session)).rejects.toThrow("down")
    expect(sessions.rows.size).toBe(0)
  })

  it("ends with its user, also if the id is assigned again", async () => {
    const { adapter, sessions } = split()
    await adapter.createUser(ada)
    await adapter.createSession(session)
    await adapter.deleteUser("ada")
    await adapter.createUser(ada)
    expect(await adapter.getSessionAndUser("token")).toBeNull()
    expect(sessions.rows.size).toBe(0)
  })

  it("keeps the user when its sessions cannot be ended", async () => {
    const { adapter, sessions } = split()
    await adapter.createUser(ada)
    sessions.deleteSessionsByUserId = () => Promise.reject(new Error("down"))
    await expect(adapter.deleteUser("ada")).rejects.toThrow("down")
    expect(await adapter.getUser("ada")).not.toBeNull()
  })

  it("ends sessions that began while the user was removed", async () => {
    const people = memoryAdapter()
    const { adapter, sessions } = split({
      ...people,
      async deleteUser(id) {
        sessions.rows.set("late", { ...session, sessionToken: "late" })
        return people.deleteUser(id)
      },
    })
    await adapter.createUser(ada)
    await adapter.deleteUser("ada")
    expect(sessions.rows.size).toBe(0)
  })
})

describe("a transaction over two stores", () => {
  const reason = new Error("rolled back")

  it("undoes its writes in the other store, the last one first", async () => {
    const { adapter, sessions } = split()
    await adapter.createUser(ada)
    await adapter.createSession(session)
    const work = adapter.transaction(async (open) => {
      await open.createSession?.({ ...session, sessionToken: "new" })
      await open.updateSession?.({ sessionToken: "token", expires: new Date("2100-01-01") })
      await open.deleteSession?.("token")
      await open.deleteSession?.("new")
      throw reason
    })
    await expect(work).rejects.toBe(reason)
    expect([...sessions.rows.values()]).toEqual([session])
  })

  it("undoes a session whose creation failed after it was written", async () => {
    const { adapter, sessions } = split()
    await adapter.createUser(ada)
    const create = sessions.createSession
    sessions.createSession = async (row) => {
      await create(row)
      throw reason
    }
    await expect(adapter.transaction(async (open) => open.createSession?.(session))).rejects.toBe(reason)
    expect(sessions.rows.size).toBe(0)
  })

  it("leaves a row of somebody else that kept it from writing its own", { tags: ["threat:WO-03"] }, async () => {
    const tokens = tokenStore()
    const create = tokens.createVerificationToken
    tokens.createVerificationToken = async (row) => {
      const there = await tokens.useVerificationToken(row)
      await create(row)
      if (there) throw reason
      return row
    }
    const adapter = combine(memoryAdapter(), { verificationTokens: tokens }) as Required<Adapter>
    const row = { identifier: "a", token: "b", expires }
    await adapter.createVerificationToken(row)
    await expect(adapter.transaction(async (open) => open.createVerificationToken?.(row))).rejects.toBe(reason)
    expect(await adapter.useVerificationToken(row)).not.toBeNull()
  })

  it("passes its own error on when a step cannot be undone", async () => {
    const { adapter, sessions } = split()
    await adapter.createUser(ada)
    const work = adapter.transaction(async (open) => {
      await open.createSession?.(session)
      sessions.deleteSession = () => Promise.reject(new Error("down"))
      throw reason
    })
    await expect(work).rejects.toBe(reason)
  })

  it("undoes the writes of a run before the adapter runs it again", async () => {
    const people = memoryAdapter()
    const twice = vi.fn(async (work: (adapter: Adapter) => Promise<unknown>) => {
      await people.transaction(work)
      return people.transaction(work)
    })
    const { adapter, sessions } = split({
      ...people,
      transaction: twice as unknown as Required<Adapter>["transaction"],
    })
    await people.createUser(ada)
    let run = 0
    await adapter.transaction(async (open) => {
      run += 1
      await open.createSession?.({ ...session, sessionToken: `of run ${run}` })
    })
    expect([...sessions.rows.keys()]).toEqual(["of run 2"])
  })

  it("undoes an inner transaction with the outer one, and ends sessions only when everything is written", async () => {
    const { adapter, sessions } = split()
    await adapter.createUser(ada)
    const work = adapter.transaction(async (outer) => {
      await outer.transaction?.(async (inner) => {
        await inner.createSession?.(session)
      })
      expect(sessions.rows.size).toBe(1)
      throw reason
    })
    await expect(work).rejects.toBe(reason)
    expect(sessions.rows.size).toBe(0)
  })

  it("undoes only an inner transaction", async () => {
    const { adapter, sessions } = split()
    await adapter.createUser(ada)
    await adapter.transaction(async (outer) => {
      await outer.createSession?.(session)
      const inner = outer.transaction?.(async (open) => {
        await open.deleteSession?.("token")
        throw reason
      })
      await expect(inner).rejects.toBe(reason)
    })
    expect([...sessions.rows.keys()]).toEqual(["token"])
  })

  it("ends the sessions of a removed user after the commit", async () => {
    const people = memoryAdapter()
    const { adapter, sessions } = split(people)
    await adapter.createUser(ada)
    await adapter.transaction(async (outer) => {
      await outer.transaction?.(async (inner) => {
        await inner.deleteUser?.("ada")
      })
      sessions.rows.set("late", { ...session, sessionToken: "late" })
    })
    expect(await people.getUser("ada")).toBeNull()
    expect(sessions.rows.size).toBe(0)
  })
})
