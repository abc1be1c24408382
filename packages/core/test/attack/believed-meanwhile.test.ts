/** Processes that believe in a record for a while (`staleness`), while another request gives the session a new token or ends it. */
import { describe, expect, it, vi } from "vitest"
import type { Settings } from "../../src/config/settings.js"
import { memoryRecords } from "../../src/memory.js"
import { endAll, endOne, rotate } from "../../src/sessions/control.js"
import { selectStrategy } from "../../src/sessions/select.js"
import { cookiesAfter, type TestContext } from "../support/context.js"
import { type Cookies, managedStage } from "../support/managed-stage.js"

async function stageOfProcesses() {
  const records = memoryRecords()
  const stage = managedStage({ strategy: "jwt", records, options: { staleness: 60 } })
  const user = await stage.newUser("ada@app.test")
  /** A process keeps its settings, and with them the records that it believes in. */
  const newProcess = (): Settings => stage.at().settings
  const at = (settings: Settings, cookies: Cookies, seconds: number): TestContext => ({
    ...stage.at(cookies, seconds),
    settings,
  })
  const read = async (process: Settings, cookies: Cookies, seconds: number) => {
    const context = at(process, cookies, seconds)
    const { session, cookies: changes } = await selectStrategy(context.settings).check(context)
    return { isOpen: session !== null, changes }
  }
  return { ...stage, newProcess, at, read, records, user }
}

describe("where records are believed for a while", { tags: ["threat:SF-08", "threat:RC-12"] }, () => {
  it("a session that got a new token at one process goes on at another, which had read it before", async () => {
    const { newProcess, at, read, signIn, user } = await stageOfProcesses()
    const [here, there] = [newProcess(), newProcess()]
    const cookies = await signIn(user)
    expect(await read(there, cookies, 1)).toMatchObject({ isOpen: true })
    const context = at(here, cookies, 2)
    const renewed = cookiesAfter(context, await rotate(context).then((result) => result.cookies))
    expect(await read(there, renewed, 3)).toEqual({ isOpen: true, changes: [] })
  })

  it.each(["signing out", "by its name", "all of the user"])(
    "a session that ends (%s) is over at that process at once, also where a request reads it meanwhile",
    async (what) => {
      const { newProcess, at, read, records, signIn, user, idOf } = await stageOfProcesses()
      const process = newProcess()
      const [own, other] = [await signIn(user), await signIn(user)]
      const ended = what === "by its name" ? other : own
      const id = await idOf(other)
      for (const name of ["takeRecord", "deleteRecords"] as const) {
        const remove = records[name].bind(records) as (...given: unknown[]) => Promise<never>
        vi.spyOn(records, name).mockImplementation(async (...given: unknown[]) => {
          await read(process, ended, 2)
          return remove(...given)
        })
      }
      const context = at(process, own, 2)
      if (what === "signing out") await selectStrategy(context.settings).end(context)
      else if (what === "by its name") await endOne(context, id)
      else await endAll(context, user.id)
      expect((await read(process, ended, 30)).isOpen).toBe(false)
    },
  )
})
