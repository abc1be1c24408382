/** Requests of one browser that are the first to read its session after sessions are managed, all at once: they are one session. */
import { describe, expect, it, vi } from "vitest"
import { listSessions } from "../../src/ledger/session.js"
import { memoryRecords } from "../../src/memory.js"
import { endOne, endOthers, listEntries } from "../../src/sessions/control.js"
import { factsOfEarlier } from "../../src/sessions/jwt-earlier.js"
import { ledgerOf } from "../../src/sessions/managed.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { JWT } from "../../src/types/token.js"
import { cookiesAfter } from "../support/context.js"
import { type Cookies, managedStage } from "../support/managed-stage.js"

const day = 86_400

function stage() {
  const whole = managedStage({ strategy: "jwt", options: { atMost: 2 }, records: memoryRecords() })
  const read = async (cookies: Cookies, seconds: number): Promise<Cookies> => {
    const context = whole.at(cookies, seconds)
    return cookiesAfter(context, (await selectStrategy(context.settings).check(context)).cookies)
  }
  const sixTimes = (cookies: Cookies, seconds: number) =>
    Promise.all(Array.from({ length: 6 }, () => read(cookies, seconds)))
  return { ...whole, read, sixTimes }
}

describe("six first reads of a token from before sessions were managed", { tags: ["threat:V7-02"] }, () => {
  it("make one session, which each of the new tokens opens and a sign-in elsewhere does not push out", async () => {
    const { at, newUser, signIn, sixTimes, isOpen, idOf } = stage()
    const user = await newUser("ada@app.test")
    const after = await sixTimes(await signIn(user, {}, null), day + 1)
    expect(await listEntries(at(after[0], day + 2))).toMatchObject([{ current: true }])
    expect(new Set(await Promise.all(after.map(idOf))).size).toBe(1)
    await signIn(user, { seconds: day + 3 })
    for (const cookies of after) expect(await isOpen(cookies, day + 4)).toBe(true)
  })

  it("end together by their name", { tags: ["threat:SF-08"] }, async () => {
    const { at, newUser, signIn, sixTimes, isOpen, idOf } = stage()
    const after = await sixTimes(await signIn(await newUser("ada@app.test"), {}, null), day + 1)
    expect(await endOne(at(after[0], day + 2), await idOf(after[1] ?? {}))).toMatchObject({ count: 1 })
    for (const cookies of after) expect(await isOpen(cookies, day + 3)).toBe(false)
  })

  it("of two browsers are two sessions", async () => {
    const { at, newUser, signIn, read, idOf } = stage()
    const user = await newUser("ada@app.test")
    const [one, other] = [await signIn(user, {}, null), await signIn(user, {}, null)]
    const ids = [await idOf(await read(one, day + 1)), await idOf(await read(other, day + 1))]
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/)
    expect(await listSessions(ledgerOf(at()), user.id)).toHaveLength(2)
  })

  it("are named by a secret, of a token that has an id of its own, and otherwise each anew", async () => {
    const named = async (secret: string, claims: JWT): Promise<string> => {
      const { at } = managedStage({ strategy: "jwt", config: { secret: secret.repeat(64) } })
      return (await factsOfEarlier(at(), claims)).id
    }
    const claims = { sub: "ada", iat: 7, jti: "one" }
    const id = await named("x", claims)
    expect(await named("x", claims)).toBe(id)
    for (const other of [{ sub: "grace" }, { iat: 8 }, { jti: "other" }])
      expect(await named("x", { ...claims, ...other })).not.toBe(id)
    expect(await named("y", claims)).not.toBe(id)
    expect(await named("x", { sub: "ada", iat: 7 })).not.toBe(await named("x", { sub: "ada", iat: 7 }))
  })

  it("leave a session that has ended all others at that moment with the token that it got", {
    tags: ["threat:SF-08", "threat:RC-12"],
  }, async () => {
    const { at, records, newUser, signIn, isOpen } = stage()
    const before = await signIn(await newUser("ada@app.test"), {}, null)
    const { putRecord } = records
    let cookies: Cookies = {}
    // Another request has made the record. Before it asks whether all were ended, this one ends all others.
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      const isMade = await putRecord(...given)
      const context = at(before, day + 1)
      cookies = cookiesAfter(context, (await endOthers(context)).cookies)
      return isMade
    })
    const overtaken = at(before, day + 1)
    // It has no session any more, and takes none from the browser.
    expect(await selectStrategy(overtaken.settings).check(overtaken)).toMatchObject({ session: null, cookies: [] })
    expect(await isOpen(before, day + 2)).toBe(false)
    expect(await isOpen(cookies, day + 60)).toBe(true)
  })

  it("show the session, and leave its cookie alone, where it gets another token at that moment", {
    tags: ["threat:RC-10"],
  }, async () => {
    const { at, records, newUser, signIn, read, rotate, isOpen } = stage()
    const before = await signIn(await newUser("ada@app.test"), {}, null)
    const { putRecord } = records
    let after: Cookies | null = null
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      await read(before, day + 1)
      after = await rotate(before, day + 1)
      return putRecord(...given)
    })
    const context = at(before, day + 1)
    const { session, cookies } = await selectStrategy(context.settings).check(context)
    expect([session !== null, cookies]).toEqual([true, []])
    expect(await isOpen(after ?? {}, day + 60)).toBe(true)
  })

  it("get no record any more after all of them were ended", { tags: ["threat:SF-08"] }, async () => {
    const { at, records, newUser, signIn, sixTimes, isOpen } = stage()
    const user = await newUser("ada@app.test")
    const [before, managed] = [await signIn(user, {}, null), await signIn(user, { seconds: 1 })]
    const { putRecord } = records
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      await endOthers(at(managed, day + 2))
      return putRecord(...given)
    })
    for (const cookies of await sixTimes(before, day + 2)) expect(await isOpen(cookies, day + 3)).toBe(false)
    expect((await listSessions(ledgerOf(at()), user.id)).map(({ content }) => content.facts.startedAt)).toHaveLength(1)
  })
})
