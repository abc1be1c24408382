import { describe, expect, it, vi } from "vitest"
import { later, startOfTests } from "../../test/support/context.js"
import { managedStage } from "../../test/support/managed-stage.js"
import type { Context } from "../context/context.js"
import { markEnded } from "../ledger/ended.js"
import { readEpoch } from "../ledger/epoch.js"
import { listSessions, readSession, takeSession, writeSession } from "../ledger/session.js"
import { memoryRecords } from "../memory.js"
import { toSeconds } from "../std/time.js"
import type { AuthConfig } from "../types/config.js"
import type { JWT } from "../types/token.js"
import { writeClaim } from "./facts.js"
import { adopt, endEarlierTokens, factsOfEarlier, isEndedEarlier } from "./jwt-earlier.js"
import { believedSession, endSession, type LiveToken, sessionBeyond, sessionOfToken } from "./jwt-managed.js"
import { extendToken, rotateToken } from "./jwt-next.js"
import { ledgerOf } from "./managed.js"

const start = toSeconds(startOfTests)
const until = later(3600)
const claims: JWT = { sub: "ada", iat: start, jti: "the token" }

/** What is sealed of its next token. */
const extended = (context: Context, live: LiveToken) => planned(extendToken(context, live, async () => []))
const rotated = (context: Context, live: LiveToken) => planned(rotateToken(context, live, async () => []))

async function planned(next: ReturnType<typeof extendToken>) {
  const sealed = await next
  return sealed && { claim: sealed.claim, until: sealed.until }
}

const stage = (config?: Partial<AuthConfig>) => {
  const records = memoryRecords()
  return managedStage({ strategy: "jwt", records, ...(config && { config }) })
}

describe("the facts of a token from before", () => {
  it("are when it was sealed, and a name that is the same for all that carry it", async () => {
    const { at } = stage()
    const facts = await factsOfEarlier(at({}, 5), claims)
    expect(facts).toEqual({ id: expect.stringMatching(/^[\w-]{22}$/), startedAt: start, proofs: [] })
    expect(await factsOfEarlier(at({}, 9), claims)).toEqual(facts)
  })

  it.each([{ sub: "grace" }, { iat: start + 1 }, { jti: "another token" }])(
    "have another name where the token says %j",
    async (other) => {
      const { at } = stage()
      const { id } = await factsOfEarlier(at(), claims)
      expect((await factsOfEarlier(at(), { ...claims, ...other })).id).not.toBe(id)
    },
  )

  it.each([undefined, 7])("have a name of their own where the id of the token is %j", async (jti) => {
    const { at } = stage()
    const [one, other] = [
      await factsOfEarlier(at(), { ...claims, jti: jti as never }),
      await factsOfEarlier(at(), { ...claims, jti: jti as never }),
    ]
    expect(one.id).toMatch(/^[\w-]{22}$/)
    expect(other.id).not.toBe(one.id)
  })

  it("have the same name where sessions are not managed yet: a token that is made there anew keeps it", async () => {
    const { at } = stage()
    expect(await factsOfEarlier(at({}, 0, null), claims)).toEqual(await factsOfEarlier(at(), claims))
  })

  it("have a name made with a key that no version changes, or every session from before would get another one", async () => {
    const { at } = stage()
    const context = at()
    const derive = vi.spyOn(context.settings.recordKeyring, "derive")
    await factsOfEarlier(context, claims)
    expect(derive.mock.calls).toEqual([[0, "latchkey.session.earlier"]])
  })
})

describe("a token from before", { tags: ["threat:SF-08"] }, () => {
  it("has ended once its session was marked by its name, where the token gives it one", async () => {
    const { at } = stage()
    const facts = await factsOfEarlier(at(), claims)
    expect(await isEndedEarlier(at(), claims, facts)).toBe(false)
    await markEnded(ledgerOf(at()), facts.id, until)
    expect(await isEndedEarlier(at(), claims, facts)).toBe(true)
    expect(await isEndedEarlier(at(), { sub: "ada", iat: start }, facts)).toBe(false)
  })

  it.each([
    ["session", { session: { maxAge: 9 }, jwt: { maxAge: 5 } }],
    ["token", { session: { maxAge: 5 }, jwt: { maxAge: 9 } }],
  ])("has ended with all others for as long as a %s may live", async (_, config) => {
    const { at, records } = stage(config)
    await endEarlierTokens(at(), "ada")
    expect(await readEpoch(ledgerOf(at()), "ada")).toStrictEqual({ at: start, milliseconds: start * 1000 })
    expect(await records.scanRecords("epoch", { limit: 10 })).toMatchObject([{ expires: later(9) }])
  })

  it("is marked by its name when its session ends, and no record is needed for that", async () => {
    const { at } = stage()
    const facts = await factsOfEarlier(at(), claims)
    await endSession(at(), { facts, record: undefined })
    expect(await isEndedEarlier(at(), claims, facts)).toBe(true)
  })

  it.each([
    ["is marked once where its token has a name", { jti: "1" }, 1],
    ["gets no mark that nobody would find where its token has none", {}, 0],
  ])("%s", async (_, named, marks) => {
    const { at, records } = stage()
    const count = vi.spyOn(records, "countRecord")
    const session = await believedSession(at(), { sub: "ada", iat: start, ...named })
    if (session) await endSession(at(), session)
    expect(session).not.toBeNull()
    expect(count.mock.calls.filter(([{ kind }, { add }]) => kind === "ended" && add > 0)).toHaveLength(marks)
  })

  it("leaves no record where it cannot be marked when its session ends, and the answer says so", async () => {
    const { at, records } = stage()
    const facts = await factsOfEarlier(at(), claims)
    await adopt(at(), { facts, claims, until })
    const record = (await readSession(ledgerOf(at()), facts.id)) ?? undefined
    vi.spyOn(records, "countRecord").mockRejectedValue(new Error("the store is full"))
    expect(await endSession(at(), { facts, record })).toMatchObject({ unmarked: { reason: { type: "AdapterError" } } })
    expect(await readSession(ledgerOf(at()), facts.id)).toBeNull()
  })

  it("gets a record under its name, and the next request that carries it finds that", async () => {
    const { at } = stage()
    const facts = await factsOfEarlier(at(), claims)
    expect(await adopt(at(), { facts, claims, until })).toStrictEqual({ found: undefined })
    const record = await readSession(ledgerOf(at()), facts.id)
    expect(record).toMatchObject({ userId: "ada", expires: until, content: { facts, generation: 0 } })
    expect(await adopt(at(), { facts, claims, until })).toEqual({ found: record })
  })

  it("gets no record where its session has a newer token, and that stays", async () => {
    const { at } = stage()
    const facts = await factsOfEarlier(at(), claims)
    await adopt(at(), { facts, claims, until })
    const record = await readSession(ledgerOf(at()), facts.id)
    if (!record) throw new Error("it was written")
    await writeSession(ledgerOf(at()), { ...record, content: { ...record.content, generation: 1 } })
    expect(await adopt(at(), { facts, claims, until })).toBeNull()
    expect(await readSession(ledgerOf(at()), facts.id)).toMatchObject({ content: { generation: 1 } })
  })

  it("gets no record where the one of another request went in the same moment", async () => {
    const { at, records } = stage()
    const facts = await factsOfEarlier(at(), claims)
    await adopt(at(), { facts, claims, until })
    const { countRecord } = records
    vi.spyOn(records, "countRecord").mockImplementationOnce(async (...given) => {
      await takeSession(ledgerOf(at()), facts.id)
      return countRecord(...given)
    })
    expect(await adopt(at(), { facts, claims, until })).toBeNull()
  })

  it.each(["session", "epoch"])("gets no record where it ends in the same moment: its %s", async (what) => {
    const { at, records } = stage()
    const facts = await factsOfEarlier(at(), claims)
    const { putRecord } = records
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      if (what === "session") await markEnded(ledgerOf(at()), facts.id, until)
      else await endEarlierTokens(at(), "ada")
      return putRecord(...given)
    })
    expect(await adopt(at(), { facts, claims, until })).toBeNull()
    expect(await listSessions(ledgerOf(at()), "ada")).toEqual([])
  })

  it("leaves the record of who ended all others with the same token", async () => {
    const { at } = stage()
    const facts = await factsOfEarlier(at(), claims)
    await adopt(at(), { facts, claims, until })
    await endEarlierTokens(at(), "ada", facts)
    expect(await adopt(at(), { facts, claims, until })).toBeNull()
    expect(await readSession(ledgerOf(at()), facts.id)).not.toBeNull()
    await markEnded(ledgerOf(at()), facts.id, until)
    expect(await adopt(at(), { facts, claims, until })).toBeNull()
    expect(await readSession(ledgerOf(at()), facts.id)).toBeNull()
  })
})

describe("a new token for a session from before", { tags: ["threat:SF-08"] }, () => {
  const digest = "d".repeat(22)
  const day = 86_400

  /** Its session, and the requests that carry it. */
  async function earlier() {
    const whole = stage()
    const carried = { ...claims, lk: digest }
    const session = await sessionOfToken(whole.at(), carried)
    if (!session) throw new Error("the session has ended")
    return { ...whole, live: { claims: carried, session }, facts: session.facts }
  }

  it("takes the place of the one from before, and says at which account it began", async () => {
    const { at, live, facts } = await earlier()
    expect(await rotated(at(), live)).toEqual({
      claim: writeClaim({ facts, generation: 1, unprovenAccount: digest }),
      until: later(30 * day),
    })
    expect(await readSession(ledgerOf(at()), facts.id)).toMatchObject({ content: { generation: 1 } })
  })

  it("is given to no copy of the one from before, once that has been replaced", {
    tags: ["threat:RC-12"],
  }, async () => {
    const { at, live } = await earlier()
    await rotated(at(), live)
    expect(await rotated(at({}, 5), live)).toBeNull()
    expect(await extended(at({}, 5), live)).toBeNull()
  })

  it("is the next where another request has extended the session first", async () => {
    const { at, live, facts } = await earlier()
    await extended(at(), live)
    expect(await rotated(at({}, 5), live)).toEqual({
      claim: writeClaim({ facts, generation: 1, unprovenAccount: digest }),
      until: later(30 * day),
    })
  })

  it("ends with the record that another request has made, where it is extended", async () => {
    const { at, live, facts } = await earlier()
    const claim = writeClaim({ facts, unprovenAccount: digest })
    expect(await extended(at(), live)).toEqual({ claim, until: later(30 * day) })
    expect(await extended(at({}, 5), live)).toEqual({ claim, until: later(30 * day) })
  })

  it("leaves the one from before believed for half a minute, unless all of those were ended", async () => {
    const { at, live, facts } = await earlier()
    expect(await sessionBeyond(at(), live)).toBeNull()
    await extended(at(), live)
    expect(await sessionBeyond(at(), live)).toMatchObject({ facts, isReplaced: false })
    await rotated(at(), live)
    expect(await sessionBeyond(at({}, 29), live)).toMatchObject({ facts, isReplaced: true })
    expect(await sessionBeyond(at({}, 30), live)).toMatchObject({ isReplaced: false })
    await endEarlierTokens(at(), "ada", facts)
    expect(await sessionBeyond(at({}, 29), live)).toMatchObject({ isReplaced: false })
    // A token with facts of its own is none of those.
    const own = { ...live, claims: { ...claims, lk: writeClaim({ facts, unprovenAccount: digest }) } }
    expect(await sessionBeyond(at({}, 29), own)).toMatchObject({ isReplaced: true })
  })
})
