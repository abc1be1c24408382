import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, type FakeAdapter, later } from "../../test/support/context.js"
import { answer, cookieName, month, stage } from "../../test/support/signed-in.js"
import * as databaseStrategy from "./database.js"

describe("check", () => {
  it("answers null and asks nothing without a cookie", async () => {
    const { adapter, context } = stage({ cookies: {} })
    expect(await databaseStrategy.check(context)).toEqual({ session: null, cookies: [], events: [] })
    expect(adapter.calls).toEqual([])
  })

  it("shows name, e-mail, image and the end with one read [spec callback session] [spec session expires] [spec session user] [spec event session]", async () => {
    const { adapter, context } = stage({ now: later(3600) })
    const session = {
      user: { name: "Ann", email: "ann@app.test", image: "/ann.png" },
      expires: later(month).toISOString(),
    }
    expect(await databaseStrategy.check(context)).toEqual({
      session,
      cookies: [],
      events: [{ kind: "session", message: { session } }],
    })
    expect(adapter.calls).toEqual(["getSessionAndUser"])
  })

  it.each([
    ["just before", 86_399.999, false],
    ["when", 86_400, true],
    ["long after", 2_000_000, true],
  ])(
    "extends row and cookie together %s it is due [spec limits session.updateAge] [spec options session.updateAge] [spec state database-session-extended]",
    { tags: ["threat:SF-11", "threat:CK-33"] },
    async (_, seconds, isExtended) => {
      const { adapter, context } = stage({ now: later(seconds) })
      const { session, cookies } = await databaseStrategy.check(context)
      const end = later(isExtended ? seconds + month : month)
      expect(adapter.calls).toEqual(["getSessionAndUser", ...(isExtended ? ["updateSession"] : [])])
      expect(adapter.sessions.get("t1")?.expires).toEqual(end)
      expect(session?.expires).toBe(end.toISOString())
      expect(cookies).toEqual(isExtended ? [{ role: "sessionToken", value: "t1", expires: end }] : [])
    },
  )

  it("extends at every access when updateAge is 0 [spec limits session.updateAge] [spec options session.updateAge]", {
    tags: ["threat:SF-11"],
  }, async () => {
    const { adapter, context } = stage({ config: { session: { updateAge: 0 } }, now: later(1) })
    await databaseStrategy.check(context)
    expect(adapter.calls).toEqual(["getSessionAndUser", "updateSession"])
  })

  it("extends nothing when no cookie can be set any more, so that row and cookie agree", async () => {
    const { adapter, context } = stage({ now: later(2_000_000) })
    const { session, cookies } = await databaseStrategy.check(context, true)
    expect(session?.expires).toBe(later(month).toISOString())
    expect(cookies).toEqual([])
    expect(adapter.calls).toEqual(["getSessionAndUser"])
  })

  it("never extends beyond when updateAge is longer than the session lives", { tags: ["threat:SF-11"] }, async () => {
    const config = { session: { maxAge: 100, updateAge: 200 } }
    const { adapter, context } = stage({ config, expires: later(100), now: later(99) })
    expect((await databaseStrategy.check(context)).session).not.toBeNull()
    expect(adapter.calls).toEqual(["getSessionAndUser"])
  })

  it("survives a clock that went back an hour", { tags: ["threat:SF-23"] }, async () => {
    const { adapter, context } = stage({ now: later(-3600) })
    expect((await databaseStrategy.check(context)).session).not.toBeNull()
    expect(adapter.calls).toEqual(["getSessionAndUser"])
  })

  it.each([
    ["a millisecond before", 0.001, true],
    ["at", 0, false],
    ["a millisecond after", -0.001, false],
  ])(
    "handles a row %s its end [spec limits session.maxAge]",
    { tags: ["threat:SF-10"] },
    async (_, seconds, isThere) => {
      const { context } = stage({ expires: later(seconds), config: { session: { updateAge: 9_999_999 } } })
      expect((await databaseStrategy.check(context)).session !== null).toBe(isThere)
    },
  )

  it("removes a row that is over and clears the cookie [spec state database-session-expired]", {
    tags: ["threat:SF-09"],
  }, async () => {
    const { adapter, context } = stage({ expires: later(-1) })
    const { session, cookies, events } = await databaseStrategy.check(context)
    expect([session, events]).toEqual([null, []])
    expect(cookiesAfter(context, cookies)).toEqual({})
    expect(adapter.calls).toEqual(["getSessionAndUser", "deleteSession"])
    expect(adapter.sessions.size).toBe(0)
  })

  it("answers null also when the row that is over cannot be removed, and logs that", {
    tags: ["threat:SF-09"],
  }, async () => {
    const { adapter, context } = stage({ expires: later(-1) })
    adapter.broken = "deleteSession"
    expect((await databaseStrategy.check(context)).session).toBeNull()
    expect(context.logged).toEqual([expect.objectContaining({ type: "AdapterError" })])
  })

  it("reads an end that the adapter keeps as text", async () => {
    const { adapter, context } = stage()
    const stored = { sessionToken: "t1", userId: "u1", expires: later(-1).toISOString() as unknown as Date }
    adapter.sessions.set("t1", stored)
    expect((await databaseStrategy.check(context)).session).toBeNull()
  })

  it("fails for an end that is not a date", async () => {
    const { adapter, context } = stage()
    adapter.sessions.set("t1", { sessionToken: "t1", userId: "u1", expires: new Date(Number.NaN) })
    await expect(databaseStrategy.check(context)).rejects.toMatchObject({ status: 503 })
    expect(adapter.sessions.size).toBe(1)
  })

  it.each<[string, (adapter: FakeAdapter) => void]>([
    ["there is no row", ({ sessions }) => sessions.clear()],
    ["the user is gone [SF-20] [RC-13]", ({ users }) => users.clear()],
    ["the adapter answers a row without user [SF-21]", (adapter) => answer(adapter, { user: null })],
    ["the adapter answers a user without row [SF-21]", (adapter) => answer(adapter, { session: null })],
    ["the adapter answers the user of another row [SF-21]", (adapter) => answer(adapter, { user: { id: "u2" } })],
    [
      "the adapter answers nothing [FD-04]",
      (adapter) => Object.assign(adapter, { getSessionAndUser: () => undefined }),
    ],
  ])("answers null and clears the cookie when %s", async (_, spoil) => {
    const { adapter, context } = stage()
    spoil(adapter)
    const { session, cookies, events } = await databaseStrategy.check(context)
    expect([session, events]).toEqual([null, []])
    expect(cookiesAfter(context, cookies)).toEqual({})
  })

  it("takes a numeric id and its text for the same", async () => {
    const { adapter, context } = stage()
    answer(adapter, { user: { id: 7 }, session: { sessionToken: "t1", userId: "7", expires: later(month) } })
    expect((await databaseStrategy.check(context)).session).not.toBeNull()
  })

  it("does not query the store for a value that is too long to be a token", { tags: ["threat:AL-11"] }, async () => {
    const { adapter, context } = stage({ cookies: { [cookieName]: "a".repeat(5000) } })
    const { session, cookies } = await databaseStrategy.check(context)
    expect(session).toBeNull()
    expect(cookiesAfter(context, cookies)).toEqual({})
    expect(adapter.calls).toEqual([])
  })

  it("queries the store once for a value that may just be a token", { tags: ["threat:AL-11"] }, async () => {
    const { adapter, context } = stage({ cookies: { [cookieName]: "a".repeat(4096) } })
    await databaseStrategy.check(context)
    expect(adapter.calls).toEqual(["getSessionAndUser"])
  })

  it("keeps the session when only its extension fails, with the end it has, and logs that", {
    tags: ["threat:FD-09"],
  }, async () => {
    const { adapter, context } = stage({ now: later(90_000) })
    adapter.broken = "updateSession"
    const { session, cookies } = await databaseStrategy.check(context)
    expect(session?.expires).toBe(later(month).toISOString())
    expect(cookies).toEqual([])
    expect(context.logged).toEqual([expect.objectContaining({ type: "AdapterError" })])
  })
})

describe("an unknown session is not signed out", () => {
  it("throws when the store fails, and leaves the cookie alone", {
    tags: ["threat:FD-01", "threat:CK-36"],
  }, async () => {
    const { adapter, context } = stage()
    adapter.broken = "getSessionAndUser"
    for (const work of [databaseStrategy.check(context), databaseStrategy.update(context, {})]) {
      await expect(work).rejects.toMatchObject({ type: "SessionTokenError", status: 503 })
    }
  })

  it.each([
    ["getSessionAndUser", month],
    ["updateSession", 0.5 * month],
    ["deleteSession", -1],
  ] as const)(
    "names the operation when the adapter has no %s [spec errors 3]",
    { tags: ["threat:FD-29"] },
    async (operation, seconds) => {
      const { adapter, context } = stage({ expires: later(seconds) })
      Object.assign(adapter, { [operation]: undefined })
      await expect(databaseStrategy.check(context)).rejects.toMatchObject({
        type: "MissingAdapterMethods",
        message: expect.stringContaining(operation),
      })
    },
  )

  it.each([
    ["throws", () => Promise.reject(new Error("boom"))],
    ["answers nothing", () => undefined],
  ])("throws when the session callback %s", { tags: ["threat:SF-13"] }, async (_, session) => {
    const { context } = stage({ config: { callbacks: { session: session as never } } })
    await expect(databaseStrategy.check(context)).rejects.toMatchObject({ type: "SessionTokenError", status: 500 })
  })
})

describe("the session callback", () => {
  const asked = async (work: "check" | "update"): Promise<{ params: object; session: unknown }> => {
    const session = vi.fn(({ session: given }: { session: object }) => given)
    const { context } = stage({ config: { callbacks: { session: session as never } } })
    const checked = await (work === "check"
      ? databaseStrategy.check(context)
      : databaseStrategy.update(context, { name: "Anna" }))
    return { params: session.mock.calls[0]?.[0] ?? {}, session: checked.session }
  }

  it("gets the row with its user, and the user [spec callback session] [spec user origin]", async () => {
    const { params } = await asked("check")
    const user = { id: "u1", name: "Ann", email: "ann@app.test", image: "/ann.png", emailVerified: null }
    expect(params).toEqual({ session: { userId: "u1", expires: later(month).toISOString(), user }, user })
  })

  it("may read the token of the row, but returning the row does not reveal it to the page", async () => {
    const { params, session } = await asked("check")
    expect(params).toHaveProperty("session.sessionToken", "t1")
    expect(JSON.stringify(session)).not.toContain("t1")
    expect(JSON.parse(JSON.stringify(session))).toHaveProperty("userId", "u1")
  })

  it("gets what was sent with an update, and the trigger [spec callback session]", async () => {
    expect((await asked("update")).params).toMatchObject({ newSession: { name: "Anna" }, trigger: "update" })
    expect((await asked("check")).params).not.toHaveProperty("trigger")
  })

  it("may answer a date: the client gets text", async () => {
    const { context } = stage({ config: { callbacks: { session: (() => ({ expires: later(5) })) as never } } })
    expect((await databaseStrategy.check(context)).session).toEqual({ expires: later(5).toISOString() })
  })

  it("changes no stored row by what it writes", { tags: ["threat:CF2-12"] }, async () => {
    const session = ({ session: given }: { session: { user: { name: string } } }): object => {
      given.user.name = "Mallory"
      return given
    }
    const { adapter, context } = stage({ config: { callbacks: { session: session as never } } })
    await databaseStrategy.check(context)
    expect(adapter.users.get("u1")?.name).toBe("Ann")
  })
})
