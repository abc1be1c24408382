/** A session that ends while a request reads its row stays ended: it is no session from before that lacks its record. */
import { describe, expect, it } from "vitest"
import { listSessions } from "../../src/ledger/session.js"
import { endOne } from "../../src/sessions/control.js"
import { ledgerOf } from "../../src/sessions/managed.js"
import { selectStrategy } from "../../src/sessions/select.js"
import type { Adapter } from "../../src/types/adapter.js"
import { managedStage } from "../support/managed-stage.js"

describe("a session that ends while a request reads its row", { tags: ["threat:SF-08", "threat:RC-11"] }, () => {
  /** The first request that reads the row sees it as it was before the session ended. */
  async function overtaken(how: "signOut" | "end", request: "rotate" | "check") {
    let meanwhile: (() => Promise<unknown>) | undefined
    const over = (adapter: Required<Adapter>) => ({
      async getSessionAndUser(sessionToken: string) {
        const found = await adapter.getSessionAndUser(sessionToken)
        const step = meanwhile
        meanwhile = undefined
        await step?.()
        return found
      },
    })
    const stage = managedStage({ strategy: "database", over, config: { session: { updateAge: 0 } } })
    const user = await stage.newUser("ada@app.test")
    const [here, own] = [await stage.signIn(user), await stage.signIn(user)]
    const id = await stage.idOf(here)
    const end = () =>
      how === "end" ? endOne(stage.at(own, 60), id) : selectStrategy(stage.at(here).settings).end(stage.at(here, 60))
    meanwhile = end
    const after = request === "rotate" ? await stage.rotate(here, 60) : await stage.isOpen(here, 60)
    const left = await listSessions(ledgerOf(stage.at()), user.id)
    return [after, await stage.isOpen(here, 61), left.length]
  }

  it.each(["signOut", "end"] as const)("gets no new token: %s", async (how) => {
    expect(await overtaken(how, "rotate")).toEqual([null, false, 1])
  })

  it.each(["signOut", "end"] as const)("is not extended: %s", async (how) => {
    expect(await overtaken(how, "check")).toEqual([false, false, 1])
  })
})
