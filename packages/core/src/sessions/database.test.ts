import { describe, expect, it } from "vitest"
import { cookiesAfter, later, makeContext, startOfTests } from "../../test/support/context.js"
import { mailProvider } from "../../test/support/password-service.js"
import { account, cookieName, month, stage } from "../../test/support/signed-in.js"
import { accountDigest } from "./current-session.js"
import * as databaseStrategy from "./database.js"

describe("begin", () => {
  const login = { user: { id: "u1" }, account, isNew: false }

  it("stores a row under a new random token of 256 bits, and ends the session before it [spec adapter-session sessionToken] [spec adapter-session userId] [spec adapter-session expires] [spec options session.maxAge]", {
    tags: ["threat:SF-01", "threat:SF-03"],
  }, async () => {
    const { adapter, context } = stage()
    const { cookies } = await databaseStrategy.begin(context, login, context.settings.store)
    const [row] = [...adapter.sessions.values()]
    expect(adapter.sessions.size).toBe(1)
    expect(row).toMatchObject({ userId: "u1", expires: later(month) })
    expect(row?.sessionToken).toMatch(/^[0-9a-f]{64}$/)
    expect(cookies).toEqual([{ role: "sessionToken", value: row?.sessionToken, expires: later(month) }])
  })

  it.each(["nobody's", "a".repeat(5000)])(
    "creates no row for a planted token",
    { tags: ["threat:SF-01"] },
    async (planted) => {
      const { adapter, context } = stage({ cookies: { [cookieName]: planted } })
      await databaseStrategy.begin(context, login, context.settings.store)
      expect(adapter.sessions.has(planted)).toBe(false)
      expect(adapter.calls).not.toContain("deleteSession")
    },
  )

  it("works in the store it is given", async () => {
    const { adapter, context } = stage()
    const other = stage()
    await databaseStrategy.begin(context, login, other.context.settings.store)
    expect(adapter.calls).toEqual([])
    expect(other.adapter.calls).toEqual(["createSession", "getSessionAndUser", "deleteSession"])
  })

  it("takes token and end as they were stored", async () => {
    const { adapter, context } = stage({ cookies: {} })
    Object.assign(adapter, { createSession: () => ({ sessionToken: "stored", userId: "u1", expires: later(9) }) })
    const { cookies } = await databaseStrategy.begin(context, login, context.settings.store)
    expect(cookies).toEqual([{ role: "sessionToken", value: "stored", expires: later(9) }])
  })

  it("uses the generator of the application [spec options session.generateSessionToken]", async () => {
    const { adapter, context } = stage({ cookies: {}, config: { session: { generateSessionToken: () => "mine" } } })
    await databaseStrategy.begin(context, login, context.settings.store)
    expect([...adapter.sessions.keys()]).toContain("mine")
  })

  it.each([[""], [undefined], [7], ["x".repeat(4097)]])("refuses the generated token %j", async (made) => {
    const session = { generateSessionToken: () => made as string }
    const { context } = stage({ cookies: {}, config: { session } })
    await expect(databaseStrategy.begin(context, login, context.settings.store)).rejects.toMatchObject({
      type: "InvalidConfiguration",
    })
  })

  it("takes a generated token of 4,096 characters", async () => {
    const session = { generateSessionToken: () => "x".repeat(4096) }
    const { context } = stage({ cookies: {}, config: { session } })
    const { cookies, events } = await databaseStrategy.begin(context, login, context.settings.store)
    expect(cookies).toMatchObject([{ value: "x".repeat(4096) }])
    expect(events).toEqual([])
  })

  it("needs a user that is stored", async () => {
    const { adapter, context } = stage({ cookies: {} })
    const anybody = { ...login, user: { name: "Ann" } } as never
    await expect(databaseStrategy.begin(context, anybody, context.settings.store)).rejects.toMatchObject({
      type: "SessionTokenError",
    })
    expect(adapter.calls).toEqual([])
  })

  it("creates no session when the row cannot be stored, and leaves the signed-in user alone", {
    tags: ["threat:FD-06"],
  }, async () => {
    const { adapter, context } = stage()
    adapter.broken = "createSession"
    await expect(databaseStrategy.begin(context, login, context.settings.store)).rejects.toMatchObject({
      type: "AdapterError",
    })
    expect([...adapter.sessions.keys()]).toEqual(["t1"])
  })

  it("does not end the session it has just begun", async () => {
    const { adapter, context } = stage({ config: { session: { generateSessionToken: () => "t1" } } })
    await databaseStrategy.begin(context, login, context.settings.store)
    expect([...adapter.sessions.keys()]).toEqual(["t1"])
  })
})

describe("peek", () => {
  it("returns user and row, and writes nothing", async () => {
    const { adapter, context } = stage({ now: later(90_000) })
    const current = await databaseStrategy.peek(context)
    expect(current).toMatchObject({ user: { id: "u1" }, session: { sessionToken: "t1" }, token: "t1" })
    expect(Object.keys(current ?? {}).toSorted()).toEqual(["session", "token", "user"])
    expect(adapter.calls).toEqual(["getSessionAndUser"])
    const { user } = current ?? {}
    expect(await databaseStrategy.sessionUser(context)).toEqual({ user, isStored: true })
  })

  it.each([
    ["a row that is over", stage({ expires: later(-1) })],
    ["no cookie", stage({ cookies: {} })],
    ["an unknown token", stage({ cookies: { [cookieName]: "t2" } })],
  ])("finds nobody for %s", async (_, { adapter, context }) => {
    const asked = context.incoming.cookies.size > 0 ? ["getSessionAndUser"] : []
    expect(await databaseStrategy.peek(context)).toBeNull()
    expect(adapter.calls).toEqual(asked)
    expect(await databaseStrategy.sessionUser(context)).toBeNull()
  })

  it("passes on that the store fails", async () => {
    const { adapter, context } = stage()
    adapter.broken = "getSessionAndUser"
    await expect(databaseStrategy.peek(context)).rejects.toMatchObject({ type: "AdapterError" })
  })
})

describe("end", () => {
  it("deletes row and cookie, chunks as well, and announces the row that ended [spec state sign-out] [spec event signOut]", {
    tags: ["threat:SF-05", "threat:SF-25"],
  }, async () => {
    const { adapter, context } = stage({ cookies: { [cookieName]: "t1", [`${cookieName}.0`]: "old" } })
    const { cookies, events, failure } = await databaseStrategy.end(context)
    expect(adapter.sessions.size).toBe(0)
    expect(cookiesAfter(context, cookies)).toEqual({})
    expect(events).toEqual([
      { kind: "signOut", message: { session: { sessionToken: "t1", userId: "u1", expires: later(month) } } },
    ])
    expect(failure).toBeUndefined()
  })

  it("clears the cookie also when the row cannot be deleted, and reports the failure", {
    tags: ["threat:SF-07"],
  }, async () => {
    const { adapter, context } = stage()
    adapter.broken = "deleteSession"
    const { cookies, events, failure } = await databaseStrategy.end(context)
    expect(cookiesAfter(context, cookies)).toEqual({})
    expect(events).toEqual([])
    expect(failure).toMatchObject({ type: "SignOutError" })
  })

  it("ignores a store that fails to delete a missing row", { tags: ["threat:SF-05"] }, async () => {
    const { adapter, context } = stage({ cookies: { [cookieName]: "gone" } })
    adapter.broken = "deleteSession"
    const { cookies, events, failure } = await databaseStrategy.end(context)
    expect(cookiesAfter(context, cookies)).toEqual({})
    expect([events, failure]).toEqual([[], undefined])
  })

  it("reports a store that fails to say whether the row is gone", { tags: ["threat:SF-07"] }, async () => {
    const { adapter, context } = stage()
    const failing = (): never => {
      throw new Error("down")
    }
    Object.assign(adapter, { deleteSession: failing, getSessionAndUser: failing })
    expect(await databaseStrategy.end(context)).toMatchObject({ events: [], failure: { type: "SignOutError" } })
  })

  describe("of a value that a store may show in place of a token", () => {
    const value = `sha256:${"a".repeat(64)}`
    const given = (named: string) => {
      const { adapter, context } = stage({ cookies: { [cookieName]: named } })
      const [row] = [...adapter.sessions.values()]
      const deleted: string[] = []
      // As adapters do that take what their lists show.
      Object.assign(adapter, { deleteSession: (token: string) => void deleted.push(token) })
      return { adapter, context, deleted, row }
    }

    it.each([value, value.toUpperCase(), ` ${value}`])(
      "ends no session that it does not open: %j",
      {
        tags: ["threat:TL-08"],
      },
      async (named) => {
        const { context, deleted } = given(named)
        const { cookies, events, failure } = await databaseStrategy.end(context)
        expect([deleted, cookiesAfter(context, cookies), events, failure]).toEqual([[], {}, [], undefined])
      },
    )

    it("ends the session of the application's own token of that form", async () => {
      const { adapter, context, deleted, row } = given(value)
      if (row) adapter.sessions.set(value, { ...row, sessionToken: value })
      expect(await databaseStrategy.end(context)).toMatchObject({ events: [{ kind: "signOut" }] })
      expect(deleted).toEqual([value])
    })

    it("clears the cookie where the store fails", { tags: ["threat:SF-07"] }, async () => {
      const { adapter, context, deleted } = given(value)
      adapter.broken = "getSessionAndUser"
      const { cookies, failure } = await databaseStrategy.end(context)
      expect([cookiesAfter(context, cookies), deleted]).toEqual([{}, []])
      expect(failure).toMatchObject({ type: "SignOutError" })
    })
  })

  it("is harmless without a session", { tags: ["threat:SF-05"] }, async () => {
    const { adapter, context } = stage({ cookies: {} })
    expect(await databaseStrategy.end(context)).toMatchObject({ cookies: [], events: [] })
    expect(adapter.calls).toEqual([])
  })

  it("clears a value that cannot be a token without a query", async () => {
    const { adapter, context } = stage({ cookies: { [cookieName]: "a".repeat(5000) } })
    const { cookies, events } = await databaseStrategy.end(context)
    expect(cookiesAfter(context, cookies)).toEqual({})
    expect(events).toEqual([])
    expect(adapter.calls).toEqual([])
  })
})

describe("two reads at once", () => {
  it("both find nobody when the row is over, and none throws", { tags: ["threat:SF-09"] }, async () => {
    const { context } = stage({ expires: startOfTests })
    const both = await Promise.all([databaseStrategy.check(context), databaseStrategy.check(context)])
    expect(both.map(({ session }) => session)).toEqual([null, null])
  })

  it("do not restore a session that was ended meanwhile", { tags: ["threat:RC-11"] }, async () => {
    const { adapter, context } = stage({ now: later(90_000) })
    await Promise.all([databaseStrategy.check(context), databaseStrategy.end(context)])
    expect(adapter.sessions.size).toBe(0)
  })
})

describe("a session that began at an unproven address", () => {
  /** Such a session, and the same request again after the owner of the address has proven it. */
  async function unproven() {
    const digest = await accountDigest(account)
    const { adapter, context } = stage({ cookies: {} })
    const login = { user: { id: "u1" }, account, isNew: false, unprovenAccount: digest }
    const { cookies } = await databaseStrategy.begin(context, login, context.settings.store)
    const request = makeContext({
      cookies: cookiesAfter(context, cookies),
      config: { adapter, providers: [mailProvider(() => {})] },
    })
    const prove = () => adapter.users.set("u1", { id: "u1", email: "ann@app.test", emailVerified: startOfTests })
    return { adapter, request, digest, prove }
  }

  it("is its user's, and says with which account it began, until the owner proves the address", async () => {
    const { request, digest, prove } = await unproven()
    expect(await databaseStrategy.peek(request)).toMatchObject({ user: { id: "u1" }, unprovenAccount: digest })
    expect((await databaseStrategy.check(request)).session).not.toBeNull()
    prove()
    expect(await databaseStrategy.peek(request)).toBeNull()
  })

  it("is removed by the first request after that", async () => {
    const { adapter, request, prove } = await unproven()
    prove()
    const { session, cookies } = await databaseStrategy.check(request)
    expect([session, cookiesAfter(request, cookies)]).toEqual([null, {}])
    expect([...adapter.sessions.keys()]).toEqual(["t1"])
  })

  it("is none of those that began with a proven address, which stay", async () => {
    const { adapter, context } = stage()
    adapter.users.set("u1", { id: "u1", email: "ann@app.test", emailVerified: startOfTests })
    expect(await databaseStrategy.peek(context)).toMatchObject({ user: { id: "u1" } })
    expect((await databaseStrategy.check(context)).session).not.toBeNull()
  })
})

it("a session that the session callback does not show is not announced", async () => {
  const { context } = stage({ config: { callbacks: { session: (() => null) as never } } })
  expect(await databaseStrategy.check(context)).toMatchObject({ session: null, cookies: [], events: [] })
})
