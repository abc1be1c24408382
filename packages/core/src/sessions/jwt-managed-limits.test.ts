import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, later } from "../../test/support/context.js"
import { type Cookies, managedStage } from "../../test/support/managed-stage.js"
import { claimsOf } from "../../test/support/signed-in.js"
import { listSessions } from "../ledger/session.js"
import type { AuthConfig } from "../types/config.js"
import { endAll, endOthers } from "./control.js"
import { jwtStrategy } from "./jwt.js"
import { believedSession } from "./jwt-managed.js"
import { ledgerOf } from "./managed.js"

const day = 86_400
const nobody = { id: undefined } as never

const stage = (config: Partial<AuthConfig> = {}, options = {}) => managedStage({ strategy: "jwt", config, options })

describe("a session that keeps facts without being managed", () => {
  const kept = () => managedStage({ strategy: "jwt", options: null, config: { session: { overallMaxAge: 60 * day } } })

  it("needs no record, and is extended when it is due", async () => {
    const { at, newUser, records, signIn } = kept()
    const user = await newUser("ada@app.test")
    const cookies = await signIn(user)
    expect(await records.listRecords("session", user.id)).toEqual([])
    const { session, cookies: changes } = await jwtStrategy.check(at(cookies, day))
    expect(session?.expires).toBe(later(31 * day).toISOString())
    expect(changes).toMatchObject([{ role: "sessionToken" }])
  })
})

describe("a managed session in a token", () => {
  it.each([
    ["session.maxAge", { session: { maxAge: day }, jwt: { maxAge: 7 * day } }],
    ["jwt.maxAge", { session: { maxAge: 7 * day }, jwt: { maxAge: day } }],
  ])("ends by `%s` where that is sooner", async (_, config) => {
    const { newUser, signIn, isOpen } = stage(config)
    const cookies = await signIn(await newUser("ada@app.test"))
    expect(await isOpen(cookies, day - 1)).toBe(true)
    const other = await signIn(await newUser("grace@app.test"))
    expect(await isOpen(other, day)).toBe(false)
  })

  it("ends with its record, to the second, however lately that was read", async () => {
    const { at, newUser, signIn } = stage({}, { staleness: 60 })
    const cookies = await signIn(await newUser("ada@app.test"))
    const context = at(cookies, 30 * day - 1)
    const claims = await claimsOf(context, cookies)
    expect(await believedSession(context, claims)).not.toBeNull()
    expect(await believedSession({ ...context, now: later(30 * day) }, claims)).toBeNull()
  })

  it("that has ended is looked for again by each request, also where records are believed for a while", async () => {
    const { at, newUser, records, signIn } = stage({}, { staleness: 60 })
    const user = await newUser("ada@app.test")
    const cookies = await signIn(user)
    await records.deleteRecords(user.id, { kind: "session" })
    const context = at(cookies)
    const claims = await claimsOf(context, cookies)
    for (const seconds of [0, 1]) expect(await believedSession({ ...context, now: later(seconds) }, claims)).toBeNull()
  })
})

describe("sessions in tokens that name no user", () => {
  it("end none of each other, however few somebody may have", async () => {
    const { records, signIn, isOpen } = stage({}, { atMost: 1 })
    const list = vi.spyOn(records, "listRecords")
    const [one, other] = [await signIn(nobody), await signIn(nobody, { seconds: 1 })]
    expect([await isOpen(one, 1), await isOpen(other, 1)]).toEqual([true, true])
    expect(list).not.toHaveBeenCalled()
  })

  it("from before they were managed get a record that is nobody's", async () => {
    const { at, records, signIn } = stage()
    const cookies: Cookies = await signIn(nobody, {}, null)
    const context = at(cookies, day)
    const { session, cookies: changes } = await jwtStrategy.check(context)
    expect(session).not.toBeNull()
    const { lk } = await claimsOf(context, cookiesAfter(context, changes))
    expect(await records.getRecord({ kind: "session", key: (lk as { i: string }).i })).toMatchObject({
      userId: null,
    })
  })
})

describe("sessions from before they were managed", { tags: ["threat:SF-08"] }, () => {
  it.each([
    ["session.maxAge", { session: { maxAge: day }, jwt: { maxAge: 7 * day } }],
    ["jwt.maxAge", { session: { maxAge: 7 * day }, jwt: { maxAge: day } }],
  ])("stay ended for as long as a token of theirs may open, where `%s` is sooner", async (_, config) => {
    const { at, newUser, signIn } = stage(config)
    const user = await newUser("ada@app.test")
    const cookies = await signIn(user, {}, null)
    const claims = await claimsOf(at(cookies), cookies)
    await endAll(at(), user.id)
    expect(await believedSession(at(cookies, 7 * day - 1), claims)).toBeNull()
  })

  it("are ended by another session of their user alone", async () => {
    const { at, newUser, signIn, isOpen } = stage()
    const [ada, grace] = [await newUser("ada@app.test"), await newUser("grace@app.test")]
    const [hers, other] = [await signIn(ada, {}, null), await signIn(grace, {}, null)]
    await endOthers(at(await signIn(ada, { seconds: 1 }), 2))
    expect([await isOpen(hers, 2), await isOpen(other, 2)]).toEqual([false, true])
    expect(await listSessions(ledgerOf(at()), grace.id)).toEqual([])
  })
})
