/** Beginning and ending sessions in cookies, and who is signed in, where the session rests on more than its token. */
import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, later, makeAdapter, makeContext } from "../../test/support/context.js"
import { ann, claimsOf, cookieName, noStore, withJwt } from "../../test/support/signed-in.js"
import { memoryRecords } from "../adapters/records.js"
import { managedSessions } from "../engine/managed-sessions.js"
import { listSessions } from "../ledger/session.js"
import type { AuthConfig } from "../types/config.js"
import type { RecordStore } from "../types/records.js"
import type { JWT } from "../types/token.js"
import { selectControl } from "./control.js"
import { readClaim } from "./facts-claim.js"
import { jwtStrategy } from "./jwt.js"
import { ledgerOf } from "./managed.js"
import type { Login } from "./strategy.js"

type Cookies = Readonly<Record<string, string>>

/** A browser in front of sessions that are managed, unless the configuration says otherwise. */
function browser(config: Partial<AuthConfig> = {}, records: RecordStore = memoryRecords()) {
  const managed = { records, features: [managedSessions()], session: { strategy: "jwt" as const } }
  const at = (cookies: Cookies = {}, seconds = 0, more: Partial<AuthConfig> = {}) =>
    makeContext({ cookies, now: later(seconds), config: { ...managed, ...config, ...more } })
  const begin = async (
    cookies: Cookies = {},
    seconds = 0,
    login: Partial<Login> = {},
    more: Partial<AuthConfig> = {},
  ) => {
    const context = at(cookies, seconds, more)
    const begun = await jwtStrategy.begin(context, { ...ann, ...login }, noStore)
    expect(begun.events).toEqual([])
    return cookiesAfter(context, begun.cookies)
  }
  const isOpen = async (cookies: Cookies, seconds = 0) =>
    (await jwtStrategy.check(at(cookies, seconds))).session !== null
  const factsIn = async (cookies: Cookies, seconds = 0) =>
    readClaim((await claimsOf(at(cookies, seconds), { ...cookies }))["lk"]).facts
  return { at, begin, isOpen, factsIn }
}

const renaming = withJwt(({ token }: { token: JWT }) => ({ ...token, name: "Bea" }))
const removing = withJwt(() => null)
const down = (): Promise<never> => Promise.reject(new Error("down"))
const failing = withJwt(down)
const inUnmanaged: Partial<AuthConfig> = { features: [], session: { strategy: "jwt", overallMaxAge: 1000 } }

describe("a session that begins", () => {
  it("ends the one that the browser had, once its token is made", async () => {
    const { at, begin, isOpen } = browser()
    const first = await begin()
    await expect(jwtStrategy.begin(at(first, 0, failing), ann, noStore)).rejects.toMatchObject({
      type: "CallbackRouteError",
    })
    expect(await isOpen(first)).toBe(true)
    const second = await begin(first)
    expect([await isOpen(first), await isOpen(second)]).toEqual([false, true])
    expect(await isOpen(await begin({ [cookieName]: "garbage" }))).toBe(true)
  })

  it("leaves no record where the callback makes no token", async () => {
    const { at, begin } = browser()
    const records = () => listSessions(ledgerOf(at()), "u1")
    expect(await begin({ [cookieName]: "old" }, 0, {}, removing)).toEqual({})
    expect(await records()).toEqual([])
    await begin()
    expect(await records()).toHaveLength(1)
  })

  it("is not handed out where its record cannot be written, and needs none where sessions are not managed", async () => {
    const records = { ...memoryRecords(), putRecord: down }
    const { at } = browser({}, records)
    await expect(jwtStrategy.begin(at(), ann, noStore)).rejects.toMatchObject({ type: "AdapterError" })
    expect(await browser(inUnmanaged, records).begin()).toHaveProperty([cookieName])
  })

  it.each<[string, Partial<AuthConfig>]>([
    ["managed", {}],
    ["not managed", inUnmanaged],
  ])(
    "takes over the proofs and the beginning of the former one only where an account is added: %s",
    async (_, config) => {
      const { begin, factsIn } = browser(config)
      const first = await begin()
      const before = await factsIn(first)
      const added = await factsIn(await begin(first, 100, { addsAccount: true }), 100)
      expect(added).toEqual({ ...before, id: expect.not.stringMatching(before?.id ?? "") })
      const again = await factsIn(await begin(first, 100), 100)
      expect(again?.startedAt).toBe((before?.startedAt ?? 0) + 100)
    },
  )

  it("lasts no longer than all sessions may, whatever is added to it", async () => {
    const { at, begin } = browser(inUnmanaged)
    const first = await begin()
    const { cookies } = await jwtStrategy.begin(at(first, 400), { ...ann, addsAccount: true }, noStore)
    expect(cookies).toMatchObject([{ role: "sessionToken", expires: later(1000) }])
  })
})

describe("who is signed in", () => {
  it("is nobody once the session has ended, and no callback is asked", async () => {
    const { at, begin } = browser()
    const cookies = await begin()
    await jwtStrategy.end(at(cookies))
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    const context = at(cookies, 0, withJwt(jwt))
    expect(await jwtStrategy.peek(context)).toBeNull()
    expect(await jwtStrategy.leaves(context)).toEqual([])
    expect(await jwtStrategy.sessionUser(at(cookies))).toBeNull()
    expect(jwt).not.toHaveBeenCalled()
  })

  it("is asked of the jwt callback once for a request, and what that changed is kept to the end of the session", async () => {
    const { at, begin } = browser(inUnmanaged)
    const cookies = await begin()
    const jwt = vi.fn(({ token }: { token: JWT }) => ({ ...token, name: "Bea" }))
    const context = at(cookies, 400, withJwt(jwt))
    for (let times = 0; times < 2; times++)
      expect(await jwtStrategy.peek(context)).toMatchObject({ user: { id: "u1", name: "Bea" } })
    expect(jwt).toHaveBeenCalledOnce()
    const left = await jwtStrategy.leaves(context)
    expect(left).toMatchObject([{ role: "sessionToken", expires: later(1000) }])
    expect(await claimsOf(context, cookiesAfter(context, left))).toMatchObject({ name: "Bea" })
    const unchanged = at(cookies)
    expect(await jwtStrategy.peek(unchanged)).toMatchObject({ user: { name: "Ann" } })
    expect(await jwtStrategy.leaves(unchanged)).toEqual([])
  })

  it("is nobody where the jwt callback ends the session, which clears the cookie", async () => {
    const { at, begin } = browser()
    const context = at(await begin(), 0, removing)
    expect(await jwtStrategy.peek(context)).toBeNull()
    expect(cookiesAfter(context, await jwtStrategy.leaves(context))).toEqual({})
  })

  it("is known by a token that was replaced a moment ago, and no cookie comes of it", async () => {
    const { at, begin } = browser()
    const cookies = await begin()
    const renewing = at(cookies)
    expect(await selectControl(renewing).rotate(renewing)).not.toBeNull()
    for (const [callback, isThere] of [
      [renaming, true],
      [removing, false],
    ] as const) {
      const context = at(cookies, 1, callback)
      expect((await jwtStrategy.peek(context)) !== null).toBe(isThere)
      expect(await jwtStrategy.leaves(context)).toEqual([])
    }
  })

  it.each<[string, Partial<AuthConfig>, string]>([
    ["fails", failing, "CallbackRouteError"],
    ["answers more than cookies hold", withJwt(() => ({ text: "x".repeat(60_000) })), "InvalidConfiguration"],
  ])("is unknown, which is not nobody, where the jwt callback %s", async (_, callback, type) => {
    const { at, begin } = browser()
    await expect(jwtStrategy.peek(at(await begin(), 0, callback))).rejects.toMatchObject({ type })
  })

  it("is a user of the store, or of the claims where the application knows its people itself", async () => {
    const adapter = makeAdapter()
    const { at, begin } = browser({ adapter })
    const cookies = await begin()
    expect(await jwtStrategy.sessionUser(at(cookies))).toEqual({ user: adapter.users.get("u1"), isStored: true })
    const byPassword = { account: { provider: "password", providerAccountId: "7", type: "credentials" as const } }
    const own = await begin({}, 0, { ...byPassword, user: { id: "own", name: "Own" } })
    const user = { id: "own", name: "Own", email: "", image: null, emailVerified: null }
    expect(await jwtStrategy.sessionUser(at(own))).toEqual({ user, isStored: false })
    const nameless = await begin({}, 0, { ...byPassword, user: { name: "Own" } })
    expect(await jwtStrategy.sessionUser(at(nameless))).toEqual({ user: { ...user, id: "" }, isStored: false })
    adapter.users.clear()
    expect(await jwtStrategy.sessionUser(at(cookies))).toBeNull()
  })
})

describe("a session that is ended", () => {
  it("is announced with its token, opens nothing any more, and ends once", async () => {
    const { at, begin, isOpen } = browser()
    const cookies = await begin()
    const context = at(cookies)
    const { cookies: changes, ...ended } = await jwtStrategy.end(context)
    expect(ended).toEqual({ events: [{ kind: "signOut", message: { token: expect.objectContaining({ sub: "u1" }) } }] })
    expect(cookiesAfter(context, changes)).toEqual({})
    expect(await isOpen(cookies)).toBe(false)
    const again = await jwtStrategy.end(context)
    expect(again).toEqual({ cookies: changes, events: [] })
  })

  it("had ended where its user is gone: nothing is announced, and it opens nothing when the user comes back", async () => {
    const adapter = makeAdapter()
    const { at, begin, isOpen } = browser({ adapter })
    const cookies = await begin()
    const users = [...adapter.users]
    adapter.users.clear()
    const context = at(cookies)
    const { cookies: changes, events } = await jwtStrategy.end(context)
    expect([cookiesAfter(context, changes), events]).toEqual([{}, []])
    for (const [id, user] of users) adapter.users.set(id, user)
    expect(await isOpen(cookies)).toBe(false)
  })

  it("from before sessions were managed is ended as well", async () => {
    const { at, begin } = browser()
    const context = at(await begin({}, 0, {}, { features: [] }))
    const { cookies, events } = await jwtStrategy.end(context)
    expect([cookiesAfter(context, cookies), events]).toMatchObject([{}, [{ kind: "signOut" }]])
  })

  it("is cleared and reported where its record cannot be removed", async () => {
    const records = memoryRecords()
    const { begin } = browser({}, records)
    const cookies = await begin()
    const { at } = browser({}, { ...records, takeRecord: down })
    const context = at(cookies)
    const ended = await jwtStrategy.end(context)
    expect(cookiesAfter(context, ended.cookies)).toEqual({})
    expect(ended).toMatchObject({ events: [], failure: { type: "SignOutError" } })
  })

  it("in an encoding of the application that calls it none is announced without a token", async () => {
    const jwt = { encode: () => "text", decode: () => null }
    const { at } = browser({ jwt })
    const { events } = await jwtStrategy.end(at({ [cookieName]: "text" }))
    expect(events).toEqual([{ kind: "signOut", message: { token: null } }])
  })
})
