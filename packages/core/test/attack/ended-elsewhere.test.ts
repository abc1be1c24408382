/** Sessions that this instance of an application cannot read, because of another secret or another strategy, end with all others. */
import { describe, expect, it } from "vitest"
import { combine } from "../../src/adapters.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { AdapterSession } from "../../src/types/session.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld, type World } from "../support/world.js"

const [earlier, fresh] = ["earlier-secret-of-at-least-32-characters", "fresh-secret-of-at-least-32-characters"]
const owner = "ada@app.test"

interface Instance {
  readonly strategy: "jwt" | "database"
  readonly secret?: string | string[]
  readonly isManaged?: false
  readonly updateAge?: number
}

const sessions = managedSessions()

function open(adapter: Adapter, { strategy, secret = fresh, isManaged, updateAge }: Instance): Promise<World> {
  const session = { strategy, ...(updateAge !== undefined && { updateAge }) }
  return makeWorld({ adapter, config: { secret, session, features: isManaged === false ? [] : [sessions] } })
}

async function signedIn(world: World): Promise<TestBrowser> {
  const browser = world.browser()
  await world.signInByMail(browser, owner)
  return browser
}

function carrying(world: World, from: TestBrowser): TestBrowser {
  const copy = world.browser()
  copy.setCookie(sessionCookie, from.cookie(sessionCookie) ?? "")
  return copy
}

/** A thief has signed in at one instance and the owner at the other, with two sessions. */
async function scene(adapter: Adapter, given: { readonly there: Instance; readonly here: Instance }) {
  const there = await open(adapter, given.there)
  const thief = await signedIn(there)
  const here = await open(adapter, given.here)
  const browser = await signedIn(here)
  const user = await adapter.getUserByEmail?.(owner)
  const isOver = async (world: World): Promise<boolean> => (await carrying(world, thief).session()) === null
  return { there, here, thief, browser, userId: user?.id ?? "", isOver }
}

const withoutTransaction = (): Adapter => {
  const { transaction: _, ...adapter } = memoryAdapter() as Adapter
  return adapter
}

describe("sessions in a database whose record this instance cannot open", () => {
  const pair = {
    there: { strategy: "database", secret: earlier },
    here: { strategy: "database" },
  } as const

  it.each([
    ["with transactions", memoryAdapter],
    ["without", withoutTransaction],
  ])(
    "end at once, and the others go on: an adapter %s",
    { tags: ["threat:SF-08", "threat:SF-19"] },
    async (_, make) => {
      const { there, here, browser, isOver } = await scene(make(), pair)
      const begunBefore = browser.cookie(sessionCookie)
      expect((await browser.post("/auth/sessions", { end: "others" })).status).toBe(200)
      expect([await isOver(there), await isOver(here)]).toEqual([true, true])
      expect(await browser.session()).toMatchObject({ user: { email: owner } })
      // A request that is under way with the token before.
      const late = here.browser()
      late.setCookie(sessionCookie, begunBefore ?? "")
      expect(await late.session()).toMatchObject({ user: { email: owner } })
    },
  )

  it("end with all of a user, at their next extension, where the adapter cannot find rows by user", {
    tags: ["threat:SF-08"],
  }, async () => {
    const { deleteSessionsByUserId: _, ...adapter } = memoryAdapter()
    const there = { ...pair.there, secret: [earlier, fresh], updateAge: 0 }
    const here = { ...pair.here, updateAge: 0 }
    const { here: world, userId, isOver, there: other } = await scene(adapter, { there, here })
    await sessions.endAll(world.auth, userId)
    expect([await isOver(other), await isOver(world)]).toEqual([true, true])
  })
})

/** Sessions in a store of their own, which no transaction holds. */
function apart(): Adapter {
  const rows = new Map<string, AdapterSession>()
  return combine(memoryAdapter(), {
    sessions: {
      getSession: (token) => rows.get(token) ?? null,
      createSession(row) {
        rows.set(row.sessionToken, row)
        return row
      },
      updateSession(patch) {
        const row = rows.get(patch.sessionToken)
        if (!row) return null
        rows.set(row.sessionToken, { ...row, ...patch })
        return { ...row, ...patch }
      },
      deleteSession: (token) => void rows.delete(token),
      deleteSessionsByUserId(userId) {
        const own = [...rows.values()].filter((row) => row.userId === userId)
        for (const { sessionToken } of own) rows.delete(sessionToken)
        return own.length
      },
    },
  })
}

it.each([
  ["in one store", memoryAdapter],
  ["beside the people", apart],
])("a session from before they were managed ends at once: %s", { tags: ["threat:SF-08"] }, async (_, makeAdapter) => {
  const there = { strategy: "database", isManaged: false } as const
  const { here, there: before, browser, isOver } = await scene(makeAdapter(), { there, here: { strategy: "database" } })
  await browser.post("/auth/sessions", { end: "others" })
  expect([await isOver(before), await isOver(here)]).toEqual([true, true])
  expect(await browser.session()).not.toBeNull()
})

describe.each([
  ["jwt", "database"],
  ["database", "jwt"],
] as const)("a session begun with the strategy %s, ended where it is %s", (there, here) => {
  const begin = () => scene(memoryAdapter(), { there: { strategy: there }, here: { strategy: here } })

  it("ends with all others, also where it began", { tags: ["threat:SF-08"] }, async () => {
    const { there: world, browser, isOver } = await begin()
    const { text } = await browser.post("/auth/sessions", { end: "others" })
    expect(JSON.parse(text)).toEqual({ ended: 1 })
    expect(await isOver(world)).toBe(true)
    expect(await browser.session()).not.toBeNull()
  })

  it("ends with all of the user, also where it began", { tags: ["threat:SF-08"] }, async () => {
    const { there: world, here: other, userId, isOver } = await begin()
    await sessions.endAll(other.auth, userId)
    expect(await isOver(world)).toBe(true)
  })
})

it("a row is not looked for where the adapter has none, and not removed twice", async () => {
  const adapter = memoryAdapter()
  const { here, browser, thief, userId } = await scene(adapter, {
    there: { strategy: "database" },
    here: { strategy: "jwt" },
  })
  await adapter.deleteSession?.(thief.cookie(sessionCookie) ?? "")
  expect(JSON.parse((await browser.post("/auth/sessions", { end: "others" })).text)).toEqual({ ended: 1 })
  const { getSessionAndUser: _, deleteSession: __, ...rest } = adapter
  const bare = await open(rest, { strategy: "jwt" })
  expect(await sessions.endAll(bare.auth, userId)).toEqual({ ended: 1 })
  expect(await carrying(here, browser).session()).toBeNull()
})

it("sessions end, and the application learns of it, where the table of rows is gone", {
  tags: ["threat:SF-08"],
}, async () => {
  const adapter = memoryAdapter()
  const dropped: Adapter = {
    ...adapter,
    getSessionAndUser: () => Promise.reject(new Error("no such table: sessions")),
  }
  for (let count = 0; count < 2; count++) await signedIn(await open(adapter, { strategy: "database" }))
  const here = await open(dropped, { strategy: "jwt" })
  const [browser, other] = [await signedIn(here), await signedIn(here)]
  const answer = await browser.post("/auth/sessions", { end: "others" })
  expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { ended: 3 }])
  expect([await browser.session(), await other.session()]).toEqual([expect.anything(), null])
  expect(here.errors).toHaveLength(2)
})

describe("a session that ends while its holder ends all others", () => {
  /** `meanwhile` runs after the rows were read and removed, and before the first of them is written again. */
  async function outrun(meanwhile: (world: World, userId: string) => Promise<unknown>) {
    const rows = memoryAdapter()
    let step = async (): Promise<unknown> => undefined
    const within: Adapter = {
      ...rows,
      async createSession(session) {
        await step()
        return (await rows.createSession?.(session)) ?? session
      },
    }
    const world = await open({ ...rows, transaction: (work) => work(within) }, { strategy: "database" })
    const browser = await signedIn(world)
    const before = carrying(world, browser)
    const user = await rows.getUserByEmail?.(owner)
    // Where every row has a record none is removed and written again.
    const expires = new Date(Date.now() + 3_600_000)
    await rows.createSession?.({ sessionToken: "without a record", userId: user?.id ?? "", expires })
    step = async () => {
      step = async () => undefined
      await meanwhile(world, user?.id ?? "")
    }
    await browser.post("/auth/sessions", { end: "others" })
    return [await before.session(), await browser.session()]
  }

  it("stays ended after the end of all of the user", { tags: ["threat:SF-08"] }, async () => {
    expect(await outrun((world, userId) => sessions.endAll(world.auth, userId))).toEqual([null, null])
  })

  it("stays ended by its name, also where it was written again before its record was gone", {
    tags: ["threat:SF-08"],
  }, async () => {
    const adapter = memoryAdapter()
    const world = await open(adapter, { strategy: "database" })
    const [thief, browser] = [await signedIn(world), await signedIn(world)]
    const row = await adapter.getSessionAndUser?.(thief.cookie(sessionCookie) ?? "")
    const again: Adapter = {
      ...adapter,
      async deleteSession(sessionToken) {
        await adapter.deleteSession?.(sessionToken)
        if (isFirst && row) await adapter.createSession?.(row.session)
        isFirst = false
      },
    }
    let isFirst = true
    const other = carrying(await open(again, { strategy: "database" }), browser)
    const [entry] = (JSON.parse((await other.get("/auth/sessions")).text) as { id: string; current: boolean }[]).filter(
      ({ current }) => !current,
    )
    await other.post("/auth/sessions", { end: entry?.id ?? "" })
    expect([isFirst, await thief.session()]).toEqual([false, null])
  })

  it("goes on otherwise", async () => {
    const [before, after] = await outrun(async () => undefined)
    expect([before, after]).not.toContain(null)
  })
})
