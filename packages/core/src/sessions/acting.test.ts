import { describe, expect, it, vi } from "vitest"
import { cookiesAfter } from "../../test/support/context.js"
import { managedStage, strategies } from "../../test/support/managed-stage.js"
import { cookieName } from "../../test/support/signed-in.js"
import { findSession, keyOfToken, type SessionRecord, writeSession } from "../ledger/session.js"
import { isActing } from "./acting.js"
import { actAs } from "./control.js"
import { ledgerOf } from "./managed.js"

describe.each(strategies)("whether somebody acts for the user, %s strategy", { tags: ["threat:SF-26"] }, (strategy) => {
  it("is said of who does, and of nobody else", async () => {
    const { at, newUser, signIn } = managedStage({ strategy })
    const user = await newUser("ada@app.test")
    const support = await signIn(await newUser("support@app.test"))
    expect(await isActing(at(support))).toBe(false)
    const context = at(support)
    const acting = cookiesAfter(context, (await actAs(context, user.id)).cookies)
    expect(await isActing(at(acting))).toBe(true)
  })

  it("is not said without a session, of an unknown one, and of one from before sessions were managed", async () => {
    const { at, newUser, signIn } = managedStage({ strategy })
    const earlier = await signIn(await newUser("ada@app.test"), {}, null)
    for (const cookies of [{}, { [cookieName]: "of-nobody" }, earlier]) expect(await isActing(at(cookies))).toBe(false)
  })

  it("is known without a question to the records where sessions are not managed", async () => {
    const { at, records, newUser, signIn } = managedStage({ strategy })
    const user = await newUser("ada@app.test")
    const support = at(await signIn(await newUser("support@app.test")))
    const acting = cookiesAfter(support, (await actAs(support, user.id)).cookies)
    const asked = vi.spyOn(records, "getRecord")
    for (const cookies of [acting, support.incoming.cookies])
      expect(await isActing(at(Object.fromEntries(Object.entries(cookies)), 0, null))).toBe(false)
    expect(asked).not.toHaveBeenCalled()
  })
})

it("is said of a row whose record alone says so, as those of earlier versions with a token of the application", {
  tags: ["threat:SF-26"],
}, async () => {
  const { at, newUser, signIn } = managedStage({ strategy: "database" })
  const user = await newUser("ada@app.test")
  const support = at(await signIn(await newUser("support@app.test")))
  const acting = cookiesAfter(support, (await actAs(support, user.id)).cookies)
  const ledger = ledgerOf(support)
  const { version, ...record } = (await findSession(ledger, acting[cookieName] as string)) as SessionRecord
  const token = "of-the-application"
  expect(await writeSession(ledger, { ...record, key: await keyOfToken(ledger, token) })).toBe(true)
  expect(await isActing(at({ [cookieName]: token }))).toBe(true)
})
