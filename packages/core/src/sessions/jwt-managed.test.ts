import { describe, expect, it, vi } from "vitest"
import { noon, settingsOf } from "../../test/support/facts.js"
import { plainSettings } from "../../test/support/password-service.js"
import { readIncoming } from "../../test/support/read-incoming.js"
import { memoryRecords } from "../adapters/records.js"
import { type Context, createContext } from "../context/context.js"
import { managedSessions } from "../engine/managed-sessions.js"
import { toSeconds } from "../std/time.js"
import type { AuthConfig } from "../types/config.js"
import type { ManagedSessionsOptions } from "../types/managed-sessions.js"
import type { JWT } from "../types/token.js"
import { writeClaim } from "./facts.js"
import { claimOf, endSurplusTokens, recordToken } from "./jwt-begin.js"
import { endEarlierTokens } from "./jwt-earlier.js"
import { believedSession, endsWithUser, isTokenDue, type LiveToken, limitOf, orForgotten } from "./jwt-managed.js"
import { extendToken, rotateToken } from "./jwt-next.js"
import { endToken } from "./jwt-record.js"
import { ledgerOf } from "./managed.js"
import type { Login } from "./strategy.js"

const day = 86_400
const month = 30 * day
const start = toSeconds(noon)
const after = (seconds: number): Date => new Date(noon.getTime() + seconds * 1000)
const account = { provider: "op", type: "oidc", providerAccountId: "1" } as const
const login: Login = { user: { id: "ada" }, account, isNew: false }
const digest = "d".repeat(22)
/** No store gives it to anybody else. */
const lasting = "b3f7c1a0-5f0e-4a52-9c1d-0c6c1d7e2f10"

function stage(options: ManagedSessionsOptions | null = {}, config: Partial<AuthConfig> = {}) {
  const records = memoryRecords()
  const features = options === null ? [] : [managedSessions(options)]
  const settings = settingsOf({ ...plainSettings, records, features, ...config })
  const at = async (seconds: number): Promise<Context> => {
    const incoming = await readIncoming(new Request("https://app.test/auth/session"), settings)
    return createContext({ settings, incoming, now: after(seconds) })
  }
  /** A session that begins: what its token says. */
  const begin = async (given: Partial<Login> = {}, sub: string | undefined = "ada"): Promise<JWT> => {
    const context = await at(0)
    const whole = { ...login, ...given }
    const { facts, claim } = claimOf(context, whole)
    const claims = { lk: claim, iat: start, ...(sub !== undefined && { sub }) }
    await recordToken(context, { facts, login: whole, claims })
    await endSurplusTokens(context, { facts, claims })
    return claims
  }
  const read = async (claims: JWT, seconds = 0) => believedSession(await at(seconds), claims)
  return { records, settings, at, begin, read }
}

/** What is sealed of its next token. */
const extend = (context: Context, token: LiveToken) => planned(extendToken(context, token, async () => []))
const rotate = (context: Context, token: LiveToken) => planned(rotateToken(context, token, async () => []))

async function planned(next: ReturnType<typeof extendToken>) {
  const sealed = await next
  return sealed && { claim: sealed.claim, until: sealed.until }
}

const live = <T>(session: T | null): T => {
  if (session === null) throw new Error("the session has ended")
  return session
}

describe("the session of a token", () => {
  it("is there as long as its record is", async () => {
    const { at, begin, read } = stage()
    const claims = await begin()
    const session = live(await read(claims))
    expect(session).toMatchObject({ isReplaced: false, record: { userId: "ada", expires: after(month) } })
    expect(session.facts.proofs).toEqual([{ how: "oidc", provider: "op", at: start, passive: true }])
    expect(await endToken(await at(0), session.facts.id)).toBe(true)
    expect(await endToken(await at(0), session.facts.id)).toBe(false)
    expect(await read(claims)).toBeNull()
  })

  it("ends at its overall end, to the second", async () => {
    for (const options of [null, {}]) {
      const { begin, read } = stage(options, { session: { strategy: "jwt", overallMaxAge: 60 } })
      const claims = await begin()
      expect(await read(claims, 59)).not.toBeNull()
      expect(await read(claims, 60)).toBeNull()
    }
  })

  it("is believed for as long as is said, and asked for again after that", async () => {
    const { at, begin, read, records } = stage({ staleness: 10 })
    const claims = await begin({}, lasting)
    const get = vi.spyOn(records, "getRecord")
    for (const seconds of [0, 5, 9.999]) expect(await read(claims, seconds)).not.toBeNull()
    expect(get).toHaveBeenCalledOnce()
    await read(claims, 10)
    expect(get).toHaveBeenCalledTimes(2)
    await endToken(await at(10), live(await read(claims, 10)).facts.id)
    expect(await read(claims, 10)).toBeNull()
    const again = await begin({}, lasting)
    get.mockClear()
    for (const seconds of [3, 3]) await read(again, seconds)
    expect(get).toHaveBeenCalledOnce()
    const { begin: beginHere, read: readHere, records: own } = stage()
    const other = await beginHere({}, lasting)
    const asked = vi.spyOn(own, "getRecord")
    for (const seconds of [0, 0]) await readHere(other, seconds)
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it("is asked for again where the clock was put back: nothing is younger for that", async () => {
    const { begin, read, records } = stage({ staleness: 10 })
    const claims = await begin({}, lasting)
    await read(claims, 3600)
    const get = vi.spyOn(records, "getRecord")
    await read(claims, 20)
    expect(get).toHaveBeenCalledOnce()
  })

  it.each([
    ["may be given again", "1"],
    ["is a name", "ada"],
    ["is missing", undefined],
  ])("is asked for each time where the id of its user %s", async (_, sub) => {
    const { at, read, records } = stage({ staleness: 10 })
    const context = await at(0)
    const { facts, claim } = claimOf(context, login)
    const claims = { lk: claim, iat: start, ...(sub !== undefined && { sub }) }
    await recordToken(context, { facts, login, claims })
    const get = vi.spyOn(records, "getRecord")
    for (const seconds of [1, 2]) expect(await read(claims, seconds)).not.toBeNull()
    expect(get).toHaveBeenCalledTimes(2)
  })

  it("of a token from before lives until all of those are ended", async () => {
    const { at, read } = stage()
    for (const claims of [{ sub: "ada", iat: start }, { sub: "ada" }, { sub: "ada", iat: start, lk: digest }])
      expect(await read(claims)).toMatchObject({ record: undefined, isReplaced: false })
    expect((await read({ sub: "ada", iat: 7 }))?.facts.startedAt).toBe(7)
    expect((await read({ sub: "ada" }))?.facts.startedAt).toBe(start)
    await endEarlierTokens(await at(0), "ada")
    expect(await read({ sub: "ada", iat: start })).toBeNull()
    expect(await read({ sub: "ada" })).toBeNull()
    expect(await read({ sub: "ada", iat: start + 1 })).not.toBeNull()
    expect(await read({ sub: "grace", iat: start })).not.toBeNull()
    expect(await read({ sub: "ada", iat: start }, month)).not.toBeNull()
  })
})

describe("a new token", () => {
  it("takes the place of the one before, which is believed for half a minute", async () => {
    const { at, begin, read } = stage()
    const claims = await begin({ unprovenAccount: digest })
    const session = live(await read(claims))
    const rotated = live(await rotate(await at(0), { claims, session }))
    expect(rotated).toEqual({
      claim: writeClaim({ facts: session.facts, generation: 1, unprovenAccount: digest }),
      until: after(month),
    })
    const next = { ...claims, lk: rotated.claim }
    expect(await read(next)).toMatchObject({ isReplaced: false })
    expect(await read(claims, 29)).toMatchObject({ isReplaced: true })
    expect(await read(claims, 30)).toBeNull()
    const again = live(await rotate(await at(1), { claims: next, session: live(await read(next)) }))
    expect(await read({ ...claims, lk: again.claim }, 2)).toMatchObject({ isReplaced: false })
    expect(await read(next, 2)).toMatchObject({ isReplaced: true })
    expect(await read(claims, 2)).toBeNull()
  })

  it("is given once of two requests, also where the session was extended meanwhile, and none that has ended", async () => {
    const { at, begin, read } = stage()
    const claims = await begin()
    const session = live(await read(claims))
    await extend(await at(day), { claims, session })
    const rotated = live(await rotate(await at(day), { claims, session }))
    expect(rotated.until).toEqual(after(day + month))
    expect(await rotate(await at(day), { claims, session })).toBeNull()
    await endToken(await at(day), session.facts.id)
    expect(await rotate(await at(day), { claims, session })).toBeNull()
  })

  it("is none where the store takes no record, though nobody has changed it", async () => {
    const { at, begin, read, records } = stage()
    const claims = await begin()
    const session = live(await read(claims))
    const put = vi.spyOn(records, "putRecord").mockResolvedValueOnce(false)
    expect(await rotate(await at(0), { claims, session })).toBeNull()
    expect(put).toHaveBeenCalledOnce()
  })

  it("of a session from before is its first with a record, unless all of those were ended", async () => {
    const { at, read } = stage()
    const claims = { sub: "ada", iat: start }
    const session = live(await read(claims))
    const rotated = live(await rotate(await at(1), { claims, session }))
    expect(await read({ ...claims, lk: rotated.claim })).toMatchObject({ isReplaced: false, record: { userId: "ada" } })
    await endEarlierTokens(await at(2), "ada")
    const late = { ...session, facts: { ...session.facts, id: "e".repeat(22) } }
    expect(await rotate(await at(3), { claims, session: late })).toBeNull()
    const lk = writeClaim({ facts: late.facts })
    expect(await read({ sub: "ada", iat: start, lk })).toBeNull()
  })
})

describe("an extension", () => {
  it("is due a day after the last one, by the record where there is one", async () => {
    const { at, begin, read } = stage()
    const claims = await begin()
    const session = live(await read(claims))
    expect(isTokenDue(await at(day - 1), session, { iat: 0 })).toBe(false)
    expect(isTokenDue(await at(day), session, { iat: start + day })).toBe(true)
    const before = { ...session, record: undefined }
    expect(isTokenDue(await at(day - 1), before, { iat: start })).toBe(false)
    expect(isTokenDue(await at(day), before, { iat: start })).toBe(true)
    expect(isTokenDue(await at(0), before, {})).toBe(true)
  })

  it("moves the end of the record when it is due, and else the token follows the record", async () => {
    const { at, begin, read } = stage()
    const claims = await begin({ unprovenAccount: digest })
    const session = live(await read(claims))
    const claim = writeClaim({ facts: session.facts, unprovenAccount: digest })
    expect(await extend(await at(5), { claims, session })).toEqual({ claim, until: after(month) })
    expect(await extend(await at(day), { claims, session })).toEqual({ claim, until: after(day + month) })
    expect(await read(claims, day)).toMatchObject({ record: { content: { seenAt: start + day } } })
    expect(await extend(await at(day), { claims, session })).toEqual({ claim, until: after(day + month) })
    await endToken(await at(day), session.facts.id)
    expect(await extend(await at(day), { claims, session })).toBeNull()
  })

  it("writes nothing where sessions are not managed", async () => {
    const { at, records } = stage(null, { session: { strategy: "jwt", overallMaxAge: day } })
    const put = vi.spyOn(records, "putRecord")
    const { facts, claim } = claimOf(await at(0), login)
    const session = { facts, record: undefined, isReplaced: false }
    expect(await extend(await at(5), { claims: { lk: claim }, session })).toEqual({ claim, until: after(day) })
    expect(put).not.toHaveBeenCalled()
    expect(limitOf(await at(5), session)).toEqual(after(day))
  })
})

describe("the record of a session that begins", () => {
  it("says whether its user stands in the store, so that it ends with them", async () => {
    const stored = async (given: Partial<Login>, adapter: object, sub?: string) => {
      const { at, begin, read } = stage({}, { adapter: adapter as never })
      const session = live(await read(await begin(given, sub)))
      return endsWithUser(await at(0), session)
    }
    const credentials = { account: { ...account, type: "credentials" } } as const
    expect(await stored({}, { getUser: async () => null })).toBe(true)
    expect(await stored({}, {})).toBe(false)
    expect(await stored(credentials, { getUser: async () => null })).toBe(false)
    expect(await stored(credentials, { getUser: async () => ({ id: "ada" }) })).toBe(true)
    const { at, begin, read } = stage(
      {},
      { adapter: { getUser: async () => null } as never, session: { strategy: "jwt", verifyUser: false } },
    )
    expect(endsWithUser(await at(0), live(await read(await begin())))).toBe(false)
  })

  it("ends the oldest where there are too many, and belongs to nobody where the token names none", async () => {
    const { begin, read, at } = stage({ atMost: 1 })
    const [first, second] = [await begin(), await begin()]
    expect([await read(first), await read(second)]).toEqual([null, expect.anything()])
    const context = await at(0)
    const { facts } = claimOf(context, login)
    await recordToken(context, { facts, login, claims: {} })
    await endSurplusTokens(context, { facts, claims: {} })
    expect(await ledgerOf(context).records.getRecord({ kind: "session", key: facts.id }, noon)).toMatchObject({
      userId: null,
    })
    expect(limitOf(context, live(await read(second)))).toEqual(after(month))
  })
})

describe("a token that cannot be sealed", () => {
  it("takes with it the record that was made for it, and no other", async () => {
    const { at, begin, read, records } = stage()
    const claims = await begin()
    const { id } = live(await read(claims)).facts
    const taken = vi.spyOn(records, "takeRecord")
    const failing = () => Promise.reject(new Error("sealed by nobody"))
    await expect(orForgotten(await at(0), undefined, failing)).rejects.toThrow("sealed by nobody")
    expect(taken).not.toHaveBeenCalled()
    expect(await orForgotten(await at(0), id, async () => "sealed")).toBe("sealed")
    expect(await read(claims)).not.toBeNull()
    await expect(orForgotten(await at(0), id, failing)).rejects.toThrow("sealed by nobody")
    expect(await read(claims)).toBeNull()
  })

  it("fails with its own error where the records are away as well", async () => {
    const { at, records } = stage()
    vi.spyOn(records, "takeRecord").mockRejectedValue(new Error("away"))
    const failing = () => Promise.reject(new Error("sealed by nobody"))
    await expect(orForgotten(await at(0), "a session", failing)).rejects.toThrow("sealed by nobody")
  })
})
