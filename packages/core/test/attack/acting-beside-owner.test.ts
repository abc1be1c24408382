/** Acting for a user where each may have one session: their own goes on. */
import { describe, expect, it } from "vitest"
import { actAs } from "../../src/sessions/control.js"
import { cookiesAfter } from "../support/context.js"
import { managedStage, strategies } from "../support/managed-stage.js"

describe.each(strategies)("with one session for each user, %s strategy", { tags: ["threat:SF-26"] }, (strategy) => {
  it("somebody who acts for a user does not sign them out, and is not signed out by them", async () => {
    const { at, newUser, signIn, isOpen } = managedStage({ strategy, options: { atMost: 1 } })
    const user = await newUser("ada@app.test")
    const own = await signIn(user, { seconds: 1 })
    const support = at(await signIn(await newUser("support@app.test"), { seconds: 2 }), 3)
    const { cookies } = await actAs(support, user.id)
    const acting = cookiesAfter(support, cookies)
    expect([await isOpen(own, 4), await isOpen(acting, 4)]).toEqual([true, true])
    const again = await signIn(user, { seconds: 5 })
    expect([await isOpen(own, 6), await isOpen(again, 6), await isOpen(acting, 6)]).toEqual([false, true, true])
  })
})
