/** All sessions of somebody end while a sign-in of theirs is under way: with a password that has just been changed, or of somebody who was shut out. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter, memoryRecords } from "../../src/memory.js"
import { Credentials } from "../../src/providers/credentials.js"
import { actAs, endAll, endOthers } from "../../src/sessions/control.js"
import { selectStrategy } from "../../src/sessions/select.js"
import { cookiesAfter } from "../support/context.js"
import { gate } from "../support/gate.js"
import { managedStage } from "../support/managed-stage.js"
import { makeWorld } from "../support/world.js"

const tags = ["threat:SF-08", "threat:V7-16"]
const strategies = ["jwt", "database"] as const

afterEach(() => void vi.useRealTimers())

async function open(strategy: "jwt" | "database", without: readonly ("transaction" | "deleteSessionsByUserId")[] = []) {
  const adapter = memoryAdapter()
  for (const name of without) delete (adapter as Partial<typeof adapter>)[name]
  const sessions = managedSessions()
  const user = await adapter.createUser({ id: "", name: "Ada", email: "ada@app.test", emailVerified: new Date() })
  const row = { password: "old" }
  let wait: (() => Promise<void>) | undefined
  const form = Credentials({
    credentials: { email: {}, password: { type: "password" } },
    async authorize({ password }) {
      const stored = row.password
      await wait?.()
      return stored === password ? { id: user.id, name: "Ada" } : null
    },
  })
  const world = await makeWorld({
    adapter,
    strategy,
    config: { features: [sessions], session: { strategy } },
    more: [form],
  })
  const signIn = async (password: string) => {
    const browser = world.browser()
    const visit = await browser.post("/auth/callback/credentials", { email: "ada@app.test", password })
    return { browser, visit }
  }
  /** A sign-in with the old password that has been compared, and not gone on: `end` makes it go on. */
  const underWay = async () => {
    const [compared, go] = [gate(), gate()]
    wait = async () => {
      wait = undefined
      compared.open()
      await go.opened
    }
    const going = signIn("old")
    await compared.opened
    row.password = "new"
    return async () => {
      go.open()
      return going
    }
  }
  return { adapter, sessions, user, world, signIn, underWay }
}

const isIn = async (browser: Awaited<ReturnType<Awaited<ReturnType<typeof open>>["signIn"]>>["browser"]) =>
  (await browser.session()) !== null

describe.each([
  ...strategies.map((strategy) => ({ strategy, without: [] as const })),
  { strategy: "database" as const, without: ["transaction"] as const },
  { strategy: "database" as const, without: ["transaction", "deleteSessionsByUserId"] as const },
])("a sign-in that is under way, sessions of $strategy without $without", ({ strategy, without }) => {
  it("opens nothing once all sessions were ended, also a second later", { tags }, async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00.400Z") })
    const { adapter, sessions, user, world, signIn, underWay } = await open(strategy, without)
    const finish = await underWay()
    vi.setSystemTime(Date.now() + 1)
    await sessions.endAll(world.auth, user.id)
    vi.setSystemTime(Date.now() + 1_000)
    const { browser, visit } = await finish()
    expect([visit.location, await isIn(browser)]).toEqual([expect.stringContaining("error=AccessDenied"), false])
    expect(await adapter.listRecords("session", user.id)).toEqual([])
    const owner = await signIn("new")
    expect(await isIn(owner.browser)).toBe(true)
  })

  it("opens nothing once its owner has ended all others, who stays signed in", { tags }, async () => {
    const { adapter, user, signIn, underWay } = await open(strategy, without)
    const owner = await signIn("old")
    const finish = await underWay()
    await new Promise((resolve) => setTimeout(resolve, 2))
    expect((await owner.browser.post("/auth/sessions", { end: "others" })).status).toBe(200)
    const { browser, visit } = await finish()
    expect([visit.location, await isIn(browser)]).toEqual([expect.stringContaining("error=AccessDenied"), false])
    expect(await isIn(owner.browser)).toBe(true)
    expect(await adapter.listRecords("session", user.id)).not.toEqual([])
  })

  it("goes on where it began in the same moment as the end, or after it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00.400Z") })
    const { sessions, user, world, signIn } = await open(strategy, without)
    await sessions.endAll(world.auth, user.id)
    expect(await isIn((await signIn("old")).browser)).toBe(true)
  })

  it("goes on where the records cannot say what was ended, which the log tells", async () => {
    const { adapter, world, signIn } = await open(strategy, without)
    const { getRecord } = adapter
    adapter.getRecord = async (key) => {
      if (key.kind === "epoch") throw new Error("away")
      return getRecord(key)
    }
    const { browser } = await signIn("old")
    expect(world.errors.map(({ message }) => message).join()).toContain("getRecord")
    adapter.getRecord = getRecord
    expect(await isIn(browser)).toBe(true)
  })
})

it("a session whose record was found and ended before its row was there, by a process whose clock is behind, opens nothing", {
  tags,
}, async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00.400Z") })
  const { adapter, sessions, user, world, signIn } = await open("database", ["transaction"])
  const { createSession } = adapter
  adapter.createSession = async (row) => {
    adapter.createSession = createSession
    vi.setSystemTime(Date.now() - 50)
    await sessions.endAll(world.auth, user.id)
    vi.setSystemTime(Date.now() + 50)
    return createSession(row)
  }
  const { browser } = await signIn("old")
  expect(await isIn(browser)).toBe(false)
  expect(await adapter.listRecords("session", user.id)).toEqual([])
})

it("a sign-in that is under way opens nothing where the owner ends all others with a sealed cookie from before sessions were managed", {
  tags,
}, async () => {
  const records = memoryRecords()
  const stage = managedStage({ strategy: "jwt", records })
  const user = await stage.newUser("ada@app.test")
  const owner = await stage.signIn(user, {}, null)
  const thief = stage.at({}, 60)
  const { listRecords } = records
  let begun: unknown
  // It came before the end, and its record is written once the records have been looked for.
  vi.spyOn(records, "listRecords").mockImplementationOnce(async (...given) => {
    const found = await listRecords(...given)
    const login = { user, account: null, isNew: false }
    begun = await selectStrategy(thief.settings)
      .begin(thief, login, thief.settings.store)
      .catch((error: unknown) => error)
    return found
  })
  const here = stage.at(owner, 61)
  const after = cookiesAfter(here, (await endOthers(here)).cookies)
  expect(begun).toMatchObject({ type: "AccessDenied" })
  expect(await stage.isOpen(after, 62)).toBe(true)
  expect(await records.listRecords("session", user.id)).toHaveLength(1)
})

it.each(strategies)(
  "acting that is under way opens nothing once all sessions of that user were ended, and who acts stays (%s)",
  {
    tags: [...tags, "threat:SF-26"],
  },
  async (strategy) => {
    const records = memoryRecords()
    const stage = managedStage({ strategy, records })
    const [admin, user] = [await stage.newUser("admin@app.test"), await stage.newUser("ada@app.test")]
    const own = await stage.signIn(admin)
    const { putRecord } = records
    vi.spyOn(records, "putRecord").mockImplementationOnce(async (...given) => {
      await endAll(stage.at({}, 61), user.id)
      return putRecord(...given)
    })
    await expect(actAs(stage.at(own, 60), user.id)).rejects.toMatchObject({ type: "AccessDenied" })
    expect(await records.listRecords("session", user.id)).toEqual([])
    expect(await stage.isOpen(own, 62)).toBe(true)
    const again = stage.at(own, 63)
    expect(await stage.isOpen(cookiesAfter(again, (await actAs(again, user.id)).cookies), 64)).toBe(true)
  },
)
