/** Managed sessions: what a list shows, when sessions end, and what becomes of requests that are on their way meanwhile. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { memoryRecords } from "../../src/adapters/records.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { ManagedSessionsOptions } from "../../src/types/managed-sessions.js"
import type { RecordStore } from "../../src/types/records.js"
import type { TrailEntry } from "../../src/types/trail.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld, type World } from "../support/world.js"

const day = 24 * 60 * 60
const owner = "owner@app.test"
const strategies = ["jwt", "database"] as const

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") }))
afterEach(() => void vi.useRealTimers())
const pass = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000)

interface Given {
  readonly strategy: (typeof strategies)[number]
  readonly options?: ManagedSessionsOptions
  readonly session?: AuthConfig["session"]
  readonly records?: RecordStore
  readonly callbacks?: AuthConfig["callbacks"]
  readonly trail?: AuthConfig["trail"]
}

async function open({ strategy, options, session, records, callbacks, trail }: Given) {
  const sessions = managedSessions(options)
  const world = await makeWorld({
    adapter: memoryAdapter(),
    config: {
      features: [sessions],
      session: { strategy, ...session },
      ...(records && { records }),
      ...(callbacks && { callbacks }),
      ...(trail && { trail }),
    },
  })
  const signIn = async (email = owner): Promise<TestBrowser> => {
    const browser = world.browser()
    await world.signInByMail(browser, email)
    return browser
  }
  return { world, sessions, signIn }
}

const sourceOf = (browser: TestBrowser) => ({
  url: "https://app.test/",
  headers: { cookie: `${sessionCookie}=${browser.cookie(sessionCookie) ?? ""}`, "user-agent": "Test browser" },
})

/** The cookies of an answer, put into the browser. */
function take(browser: TestBrowser, cookies: readonly { readonly name: string; readonly value: string }[]): void {
  for (const { name, value } of cookies) browser.setCookie(name, value)
}

/** A browser with a copy of the cookie. */
function copyOf(world: World, browser: TestBrowser): TestBrowser {
  const copy = world.browser()
  copy.setCookie(sessionCookie, browser.cookie(sessionCookie) ?? "")
  return copy
}

describe.each(strategies)("managed sessions, %s strategy", (strategy) => {
  it("are listed newest first, with what they began with and without any token", {
    tags: ["threat:V7-16"],
  }, async () => {
    const { signIn } = await open({ strategy })
    const first = await signIn()
    pass(60)
    const second = await signIn()
    const visit = await second.get("/auth/sessions")
    const list = JSON.parse(visit.text) as readonly Record<string, unknown>[]
    expect(list).toMatchObject([
      { current: true, startedAt: "2026-03-01T12:01:00.000Z", via: { provider: "mail", type: "email" } },
      { current: false, startedAt: "2026-03-01T12:00:00.000Z", seenAt: "2026-03-01T12:00:00.000Z" },
    ])
    for (const browser of [first, second]) expect(visit.text).not.toContain(browser.cookie(sessionCookie))
    expect(list.every(({ id }) => /^[\w-]{22}$/.test(String(id)))).toBe(true)
  })

  it("keep of the browser what the application says, else the beginning of its user agent", async () => {
    const long = await open({ strategy })
    const browser = await long.signIn()
    const actor = await long.sessions.actAs(long.world.auth, sourceOf(browser), (await userOf(long.world)).id)
    take(browser, actor.cookies)
    expect((await long.sessions.list(long.world.auth, sourceOf(browser)))[0]?.client).toEqual({
      userAgent: "Test browser",
    })
    const own = await open({ strategy, options: { describe: () => ({ device: "a phone" }) } })
    const other = await own.signIn()
    expect((await own.sessions.list(own.world.auth, sourceOf(other)))[0]?.client).toEqual({ device: "a phone" })
  })

  it("of somebody else are not found by their id", async () => {
    const { world, sessions, signIn } = await open({ strategy })
    const [mine, theirs] = [await signIn(), await signIn("other@app.test")]
    const [entry] = await sessions.list(world.auth, sourceOf(theirs))
    const refused = await mine.post("/auth/sessions", { end: entry?.id ?? "" })
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([404, { error: "NotFound" }])
    expect(await theirs.session()).toMatchObject({ user: { email: "other@app.test" } })
  })

  it("ask for a sign-in of the last quarter of an hour before others are ended, and for none before one's own is", async () => {
    const { world, sessions, signIn } = await open({ strategy })
    const [here, there] = [await signIn(), await signIn()]
    pass(901)
    const refused = await here.post("/auth/sessions", { end: "others" })
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      401,
      { error: "insufficient_user_authentication", max_age: 900, url: "https://app.test/auth/signin" },
    ])
    expect(await there.session()).not.toBeNull()
    const own = (await sessions.list(world.auth, sourceOf(here))).find(({ current }) => current)
    expect((await here.post("/auth/sessions", { end: own?.id ?? "" })).status).toBe(200)
    expect(await here.session()).toBeNull()
  })

  it("refuse a change without the CSRF token, and one that names nothing", async () => {
    const { signIn } = await open({ strategy })
    const browser = await signIn()
    expect((await browser.post("/auth/sessions", { end: "others" }, { csrf: false })).status).toBe(403)
    expect((await browser.post("/auth/sessions", {})).status).toBe(400)
  })

  it("end the others and keep the one that asks, with a new token", { tags: ["threat:V7-16"] }, async () => {
    const { signIn } = await open({ strategy })
    const [here, there] = [await signIn(), await signIn()]
    const before = here.cookie(sessionCookie)
    expect((await here.post("/auth/sessions", { end: "others" })).text).toBe('{"ended":1}')
    expect(here.cookie(sessionCookie)).not.toBe(before)
    expect(await here.session()).toMatchObject({ user: { email: owner } })
    expect(await there.session()).toBeNull()
  })

  it("live on after a new token: the old one is believed for half a minute, is never extended, and clears no cookie", async () => {
    const { world, sessions, signIn } = await open({ strategy, session: { updateAge: 0 } })
    const browser = await signIn()
    const old = copyOf(world, browser)
    const change = await sessions.rotate(world.auth, sourceOf(browser))
    take(browser, change.cookies)
    pass(29)
    const reads = await Promise.all(Array.from({ length: 50 }, () => old.get("/auth/session")))
    expect(reads.every(({ text }) => text.includes(owner))).toBe(true)
    expect(reads.flatMap(({ setCookies }) => setCookies)).toEqual([])
    pass(1)
    expect(await old.session()).toBeNull()
    expect(await browser.session()).toMatchObject({ user: { email: owner } })
    expect(await sessions.list(world.auth, sourceOf(browser))).toHaveLength(1)
  })

  it("get one new token when two requests ask for one at the same moment", async () => {
    const { world, sessions, signIn } = await open({ strategy })
    const browser = await signIn()
    const source = sourceOf(browser)
    const changes = await Promise.all([sessions.rotate(world.auth, source), sessions.rotate(world.auth, source)])
    expect(changes.filter(({ done }) => done)).toHaveLength(1)
    take(
      browser,
      changes.flatMap(({ cookies }) => cookies),
    )
    pass(31)
    expect(await browser.session()).toMatchObject({ user: { email: owner } })
  })

  it("end after the time of inactivity, and after the overall time however often they are extended", {
    tags: ["threat:V7-09"],
  }, async () => {
    const session = { maxAge: 7 * day, updateAge: 0, overallMaxAge: 10 * day }
    const { world, signIn } = await open({ strategy, session })
    const [idle, busy] = [await signIn(), await signIn()]
    pass(6 * day)
    expect(await busy.session()).toMatchObject({ expires: "2026-03-11T12:00:00.000Z" })
    pass(day)
    expect(await idle.session()).toBeNull()
    pass(3 * day - 1)
    const saved = copyOf(world, busy)
    expect(await busy.session()).not.toBeNull()
    pass(1)
    expect([await busy.session(), await saved.session()]).toEqual([null, null])
  })

  it("are at most as many as the application allows: the oldest ends", { tags: ["threat:V7-02"] }, async () => {
    const { signIn } = await open({ strategy, options: { atMost: 2 } })
    const browsers: TestBrowser[] = []
    for (let index = 0; index < 3; index++) {
      browsers.push(await signIn())
      pass(1)
    }
    const found = await Promise.all(browsers.map((browser) => browser.session()))
    expect(found.map((session) => session !== null)).toEqual([false, true, true])
  })

  it("let support act for a user: half an hour, with the actor's name, and without any proof", {
    tags: ["threat:SF-26"],
  }, async () => {
    const { world, sessions, signIn } = await open({ strategy, session: { updateAge: 0 } })
    await signIn()
    const support = await signIn("support@app.test")
    const { id } = await userOf(world)
    pass(1)
    const me = (await world.adapter.getUserByEmail?.("support@app.test"))?.id
    take(support, (await sessions.actAs(world.auth, sourceOf(support), id)).cookies)
    expect(await support.session()).toMatchObject({ user: { email: owner } })
    expect(await sessions.list(world.auth, sourceOf(support))).toMatchObject([{ current: true, actor: me }, {}])
    expect((await support.post("/auth/sessions", { end: "others" })).status).toBe(401)
    pass(29 * 60)
    expect(await support.session()).not.toBeNull()
    pass(60)
    expect(await support.session()).toBeNull()
  })

  it("answer 503 while the records cannot be asked, touch no cookie, and say that a sign-out is not complete", async () => {
    const inner = memoryRecords()
    let isAway = false
    const records = new Proxy(inner, {
      get: (target, name, receiver) => {
        if (isAway) throw new Error("the store is away")
        return Reflect.get(target, name, receiver) as unknown
      },
    })
    const { world, signIn } = await open({ strategy, records, session: { updateAge: 0 } })
    const browser = await signIn()
    isAway = true
    const list = await browser.get("/auth/sessions")
    expect([list.status, list.setCookies]).toEqual([503, []])
    if (strategy === "jwt") {
      const read = await browser.get("/auth/session")
      expect([read.status, read.setCookies]).toEqual([503, []])
      const left = await browser.post("/auth/signout")
      expect(left.setCookies).toContain(sessionCookie)
      expect(world.errors.map(({ name }) => name)).toContain("SignOutError")
    } else {
      expect(await browser.session()).toMatchObject({ user: { email: owner } })
    }
  })
})

async function userOf(world: World) {
  const user = await world.adapter.getUserByEmail?.(owner)
  if (!user) throw new Error("The owner is not there.")
  return user
}

describe.each(strategies)("sessions from before they were managed, %s strategy", (strategy) => {
  /** The same application before and after the feature was switched on. */
  async function upgraded() {
    const adapter = memoryAdapter()
    const session = { strategy, maxAge: 30 * day, updateAge: day }
    const before = await makeWorld({ adapter, config: { session } })
    const sessions = managedSessions()
    const world = await makeWorld({ adapter, config: { session, features: [sessions] } })
    const earlier = before.browser()
    await before.signInByMail(earlier, owner)
    return { world, sessions, browser: copyOf(world, earlier) }
  }

  it("stay signed in, and are listed from their next extension on", async () => {
    const { world, sessions, browser } = await upgraded()
    expect(await browser.session()).toMatchObject({ user: { email: owner } })
    pass(2 * day)
    expect(await browser.session()).toMatchObject({ user: { email: owner } })
    expect(await sessions.list(world.auth, sourceOf(browser))).toMatchObject([
      { current: true, startedAt: new Date("2026-03-01T12:00:00Z") },
    ])
  })

  it("end with all others of the user, so that an old copy of a cookie does not come back", async () => {
    const { world, sessions, browser } = await upgraded()
    const copy = copyOf(world, browser)
    pass(1)
    await sessions.endAll(world.auth, (await userOf(world)).id)
    pass(2 * day)
    expect([await browser.session(), await copy.session()]).toEqual([null, null])
    await world.signInByMail(browser, owner)
    expect(await browser.session()).not.toBeNull()
  })
})

describe("a session in a token", () => {
  it("is believed by a process for as long as `staleness` says after another process ended it", async () => {
    const adapter = memoryAdapter()
    const sessions = managedSessions({ staleness: 10 })
    const config: Partial<AuthConfig> = { session: { strategy: "jwt" }, features: [sessions] }
    const world = await makeWorld({ adapter, config })
    const browser = world.browser()
    await world.signInByMail(browser, owner)
    await browser.session()
    // What another process does reaches the records alone.
    await adapter.deleteRecords((await userOf(world)).id, { kind: "session" })
    pass(9)
    expect(await browser.session()).not.toBeNull()
    pass(1)
    expect(await browser.session()).toBeNull()
  })

  it("keeps its facts whatever the jwt callback returns", async () => {
    const forged = { i: "A".repeat(22), s: 1, p: [["webauthn", 1, "", 0, "phr"]] }
    const jwt = ({ token }: { token: Record<string, unknown> }) => ({ ...token, lk: forged })
    const { world, sessions, signIn } = await open({
      strategy: "jwt",
      callbacks: { jwt: jwt as never },
    })
    const browser = await signIn()
    const [entry] = await sessions.list(world.auth, sourceOf(browser))
    expect(entry).toMatchObject({ current: true, startedAt: new Date("2026-03-01T12:00:00Z") })
    expect(entry?.acr).toBeUndefined()
  })

  it("asks the records once for each read, and writes them no more often than it is extended", async () => {
    const inner = memoryRecords()
    const calls: string[] = []
    const records = new Proxy(inner, {
      get: (target, name, receiver) => {
        calls.push(String(name))
        return Reflect.get(target, name, receiver) as unknown
      },
    })
    const { signIn } = await open({ strategy: "jwt", records })
    const browser = await signIn()
    calls.length = 0
    await browser.session()
    expect(calls.filter((name) => name.endsWith("Record"))).toEqual(["getRecord"])
    pass(2 * day)
    await browser.session()
    expect(calls.filter((name) => name === "putRecord")).toHaveLength(1)
  })
})

describe.each(strategies)("the trail (%s)", (strategy) => {
  it("has sessions that were ended or got a new token, and who acts for whom", async () => {
    const entries: TrailEntry[] = []
    const { world, sessions, signIn } = await open({ strategy, trail: (entry) => void entries.push(entry) })
    const [here, there] = [await signIn(), await signIn()]
    const ids = (await sessions.list(world.auth, sourceOf(here))).map(({ id, current }) => ({ id, current }))
    const [mine, other] = [ids.find(({ current }) => current)?.id, ids.find(({ current }) => !current)?.id]
    const userId = entries.find(({ what }) => what === "signIn")?.userId
    const since = async (work: () => Promise<unknown>) => {
      entries.length = 0
      await work()
      return entries.map(({ at: _at, client: _client, outcome, ...entry }) => ({
        ...entry,
        isDone: outcome === "done",
      }))
    }
    const ended = { what: "sessionEnded", userId, isDone: true }

    expect(await since(() => sessions.end(world.auth, sourceOf(here), other ?? ""))).toEqual([
      { ...ended, sessionId: other },
    ])
    expect(await since(() => sessions.end(world.auth, sourceOf(here), "of-nobody"))).toEqual([])
    const rotated = { what: "sessionRotated", userId, sessionId: mine, isDone: true }
    expect(await since(async () => take(here, (await sessions.rotate(world.auth, sourceOf(here))).cookies))).toEqual([
      rotated,
    ])
    await signIn()
    expect((await since(() => sessions.endOthers(world.auth, sourceOf(here)))).map(({ what }) => what)).toEqual([
      "sessionEnded",
      "sessionRotated",
    ])
    const stranger = await signIn("other@app.test")
    const otherId = entries.findLast(({ what }) => what === "signIn")?.userId ?? ""
    expect(await since(() => sessions.actAs(world.auth, sourceOf(stranger), userId ?? ""))).toEqual([
      { what: "signIn", userId, actor: otherId, isDone: true },
    ])
    expect(await since(() => sessions.endAll(world.auth, userId ?? ""))).toEqual([ended])
    expect(there.cookie(sessionCookie)).toBeDefined()
  })
})
