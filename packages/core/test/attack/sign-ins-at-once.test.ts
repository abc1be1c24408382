/** Sign-ins of one user at the same moment, where only so many sessions may be there: they never end each other. */
import { describe, expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter, memoryRecords } from "../../src/memory.js"
import { Credentials } from "../../src/providers/credentials.js"
import { listEntries } from "../../src/sessions/control.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { RecordStore } from "../../src/types/records.js"
import { type Cookies, managedStage, strategies } from "../support/managed-stage.js"
import { makeWorld } from "../support/world.js"

const pause = (most: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * most))

/** Records that take a moment for each answer. */
function slowRecords(most: number): RecordStore {
  const records = memoryRecords()
  return {
    ...records,
    putRecord: async (...given) => pause(most).then(() => records.putRecord(...given)),
    takeRecord: async (...given) => pause(most).then(() => records.takeRecord(...given)),
    listRecords: async (...given) => pause(most).then(() => records.listRecords(...given)),
  }
}

/** How many sessions were open after some sign-ins at once, each number once. */
async function openAfter(strategy: (typeof strategies)[number], options: { atMost: number; atOnce: number }) {
  const { atMost, atOnce } = options
  const stage = managedStage({ strategy, records: slowRecords(3), options: { atMost } })
  const counts = new Set<number>()
  for (let round = 0; round < 12; round++) {
    const user = await stage.newUser(`ada${round}@app.test`)
    const browsers = await Promise.all(Array.from({ length: atOnce }, () => stage.signIn(user)))
    const open = await Promise.all(browsers.map((cookies) => stage.isOpen(cookies, 1)))
    counts.add(open.filter(Boolean).length)
  }
  return [...counts]
}

describe.each(strategies)("sign-ins at once: %s", { tags: ["threat:SF-08", "threat:RC-12"] }, (strategy) => {
  it.each([
    [2, 1],
    [4, 3],
    [6, 1],
    [2, 2],
  ])("%i leave %i sessions", async (atOnce, atMost) => {
    expect(await openAfter(strategy, { atMost, atOnce })).toEqual([atMost])
  })

  it("leave the later of two, one after the other, also where its clock is behind", async () => {
    const { newUser, signIn, isOpen } = managedStage({ strategy, options: { atMost: 1 } })
    for (const seconds of [20, 20, 0]) {
      const user = await newUser(`ada${Math.random()}@app.test`)
      const first = await signIn(user, { seconds: 20 })
      const second = await signIn(user, { seconds })
      expect([await isOpen(first, 20), await isOpen(second, 20)]).toEqual([false, true])
    }
  })
})

describe("a sign-in while another session gets a new token", { tags: ["threat:SF-08", "threat:RC-12"] }, () => {
  it.each(["before", "after"])("ends neither %s the row of that token is there", async (when) => {
    let meanwhile: (() => Promise<unknown>) | undefined
    const step = async (): Promise<void> => {
      const now = meanwhile
      meanwhile = undefined
      await now?.()
    }
    const over = (adapter: Required<Adapter>) => ({
      async createSession(row: Parameters<typeof adapter.createSession>[0]) {
        if (when === "before") await step()
        const made = await adapter.createSession(row)
        await step()
        return made
      },
    })
    const stage = managedStage({ strategy: "database", over, options: { atMost: 2 } })
    const user = await stage.newUser("ada@app.test")
    const here = await stage.signIn(user)
    let [other, listed]: [Cookies, readonly unknown[]] = [{}, []]
    meanwhile = async () => {
      other = await stage.signIn(user, { seconds: 60 })
      listed = await listEntries(stage.at(other, 60))
    }
    const after = (await stage.rotate(here, 60)) ?? {}
    expect(listed).toHaveLength(2)
    expect([await stage.isOpen(after, 91), await stage.isOpen(other, 91)]).toEqual([true, true])
    expect(await listEntries(stage.at(other, 91))).toHaveLength(2)
  })
})

describe.each([
  ["jwt", "without"],
  ["database", "without"],
  ["database", "with"],
] as const)(
  "a form of one browser that is sent twice: %s, %s transactions",
  { tags: ["threat:SF-08"] },
  (strategy, withOnes) => {
    it("leaves it signed in, in one session", async () => {
      const { transaction, ...memory } = memoryAdapter()
      // As in a database: others see what is written once the work is done, and both go on at once.
      const together: Required<Adapter>["transaction"] = (work) => work({ ...memory })
      const adapter = withOnes === "with" ? { ...memory, transaction: together } : memory
      const ada = await memory.createUser({ id: "", email: "ada@app.test", emailVerified: null })
      const authorize = () => ({ ...ada })
      const form = Credentials({ credentials: { name: {} }, authorize })
      const config = { features: [managedSessions({ atMost: 1 })], records: slowRecords(3) }
      const world = await makeWorld({ adapter, strategy, config, more: [form] })
      const browser = world.browser()
      const csrfToken = await browser.csrfToken()
      for (let round = 0; round < 6; round++) {
        const send = () => browser.post("/auth/callback/credentials", { csrfToken, name: "ada" }, { csrf: false })
        await Promise.all([send(), send()])
        expect(await browser.session()).not.toBeNull()
        expect(await config.records.listRecords("session", ada.id)).toHaveLength(1)
      }
    })
  },
)
