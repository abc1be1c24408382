/** Concurrent requests: the second finds what the first has written, and signs in. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Provider } from "../../src/types/provider.js"
import type { TestBrowser, Visit } from "../support/browser.js"
import { faultyAdapter, type Kind, kinds } from "../support/faulty.js"
import { address, isRefusal, openStage, saysSignedIn, sessionCookie } from "../support/journeys.js"
import { leaks } from "../support/logged.js"
import { makeWorld, type World } from "../support/world.js"

const strategies = ["database", "jwt"] as const
const surroundings = strategies.flatMap((strategy) =>
  (Object.keys(kinds) as Kind[]).map((kind) => ({ strategy, kind })),
)

/** Every call of the store takes another while: requests interleave in another way in each round. */
function unevenPause(seed: number): () => Promise<unknown> {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return new Promise((resolve) => setTimeout(resolve, state % 4))
  }
}

/** Every other one by a link that was sent before, the rest at the provider. */
async function mixed(world: World, browsers: readonly TestBrowser[]): Promise<Visit[]> {
  for (const browser of browsers) await browser.post("/auth/signin/mail", { email: address })
  return Promise.all(
    browsers.map((browser, index) =>
      index % 2 ? world.signInAtOp(browser) : browser.get(world.mails[index]?.url ?? ""),
    ),
  )
}

const twenty = Array.from({ length: 20 })
const rounds = [1, 2, 3]

describe.each(surroundings)(
  "twenty first sign-ins of one person at once, $strategy, store $kind",
  { tags: ["threat:RC-05", "threat:RC-07", "threat:FD-18"] },
  ({ strategy, kind }) => {
    it.each(rounds)("end with one user and one account at a provider, all signed in (round %i)", async (round) => {
      const store = faultyAdapter(kind, { pause: unevenPause(round) })
      const { world } = await openStage(store, { strategy })
      const browsers = twenty.map(() => world.browser())
      const visits = await Promise.all(browsers.map((browser) => world.signInAtOp(browser)))
      expect(visits.map(({ location }) => location)).toEqual(twenty.map(() => "https://app.test/"))
      for (const browser of browsers) expect(await browser.session()).toMatchObject({ user: { email: address } })
      expect(await store.users()).toHaveLength(1)
      expect(await store.broken()).toEqual([])
      expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
      expect(world.events.filter(([name]) => name === "linkAccount")).toHaveLength(1)
      expect(world.events.filter(([name]) => name === "signIn")).toHaveLength(20)
      expect(world.errors).toEqual([])
      expect(leaks(world, browsers, store.secrets)).toEqual([])
    })

    it.each(rounds)("end with one user and one account by twenty links (round %i)", async (round) => {
      const store = faultyAdapter(kind, { pause: unevenPause(round) })
      const { world } = await openStage(store, { strategy })
      const browsers = twenty.map(() => world.browser())
      for (const browser of browsers) await browser.post("/auth/signin/mail", { email: address })
      const visits = await Promise.all(browsers.map((browser, index) => browser.get(world.mails[index]?.url ?? "")))
      expect(visits.map(({ location }) => location)).toEqual(twenty.map(() => "https://app.test/"))
      for (const browser of browsers) expect(await browser.session()).toMatchObject({ user: { email: address } })
      expect(await store.users()).toHaveLength(1)
      expect(await store.broken()).toEqual([])
      expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
      expect(world.errors).toEqual([])
    })

    it.each(rounds)(
      "end with one user where provider and mail are used at once and may be linked (round %i)",
      async (round) => {
        const store = faultyAdapter(kind, { pause: unevenPause(round) })
        const { world } = await openStage(store, { strategy, provider: { allowDangerousEmailAccountLinking: true } })
        const browsers = twenty.map(() => world.browser())
        const visits = await mixed(world, browsers)
        expect(visits.map(({ location }) => location)).toEqual(twenty.map(() => "https://app.test/"))
        for (const browser of browsers) expect(await browser.session()).toMatchObject({ user: { email: address } })
        expect(await store.users()).toHaveLength(1)
        expect(await store.broken()).toEqual([])
        expect(world.errors).toEqual([])
      },
    )

    it("end with one user where provider and mail are used at once and may not be linked", {
      tags: ["threat:RC-06"],
    }, async () => {
      const store = faultyAdapter(kind, { pause: unevenPause(7) })
      const { world } = await openStage(store, { strategy })
      const browsers = twenty.map(() => world.browser())
      const visits = await mixed(world, browsers)
      for (const [index, browser] of browsers.entries()) {
        const visit = visits[index]
        if (!visit) throw new Error("no answer")
        if (isRefusal(visit)) {
          expect(visit.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
          expect(index % 2).toBe(1)
          expect(browser.cookie(sessionCookie)).toBeUndefined()
        } else expect(await browser.session()).toMatchObject({ user: { email: address } })
      }
      expect(await store.users()).toHaveLength(1)
      expect(await store.broken()).toEqual([])
    })
  },
)

describe.each(surroundings)("two providers that name one address, $strategy, store $kind", ({ strategy, kind }) => {
  it.each(rounds)(
    "make one user at once: whoever comes from the other one is refused (round %i)",
    {
      tags: ["threat:RC-06"],
    },
    async (round) => {
      const store = faultyAdapter(kind, { pause: unevenPause(round) })
      const world = await makeWorld({ strategy, adapter: store.adapter, second: { id: "two" } })
      const browsers = twenty.map(() => world.browser())
      const visits = await Promise.all(
        browsers.map((browser, index) => world.signInAtOp(browser, { provider: index % 2 ? "two" : "op" })),
      )
      const refused = visits.flatMap((visit, index) => (isRefusal(visit) ? [index] : []))
      expect(refused).toHaveLength(10)
      expect(new Set(refused.map((index) => index % 2)).size).toBe(1)
      for (const [index, browser] of browsers.entries()) {
        const isRefused = refused.includes(index)
        const place = isRefused ? "https://app.test/auth/signin?error=OAuthAccountNotLinked" : "https://app.test/"
        expect([visits[index]?.location, browser.cookie(sessionCookie) === undefined]).toEqual([place, isRefused])
        if (!isRefused) expect(await browser.session()).toMatchObject({ user: { email: address } })
      }
      expect(await store.users()).toHaveLength(1)
      expect(await store.broken()).toEqual([])
      expect(world.events.filter(([name]) => name === "linkAccount")).toHaveLength(1)
    },
  )
})

describe.each(surroundings)("one secret used twice at once, $strategy, store $kind", ({ strategy, kind }) => {
  it("a link gives one session", { tags: ["threat:RC-01"] }, async () => {
    const store = faultyAdapter(kind, { pause: unevenPause(3) })
    const { world } = await openStage(store, { strategy })
    await world.browser().post("/auth/signin/mail", { email: address })
    const browsers = twenty.map(() => world.browser())
    const visits = await Promise.all(browsers.map((browser) => browser.get(world.mails[0]?.url ?? "")))
    expect(visits.filter((visit, index) => saysSignedIn(visit, browsers[index] as never))).toHaveLength(1)
    expect(visits.filter(isRefusal).map(({ location }) => location)).toEqual(
      Array.from({ length: 19 }, () => "https://app.test/auth/error?error=Verification"),
    )
  })

  it("a callback that the browser sends three times takes its code to the provider, which lets one in", {
    tags: ["threat:RC-16", "threat:FI-23", "threat:B9-03"],
  }, async () => {
    const store = faultyAdapter(kind, { pause: unevenPause(5) })
    const { world, browser } = await openStage(store, { strategy })
    const begun = await browser.post("/auth/signin/op")
    const back = world.op.authorize(begun.location ?? "")
    const visits = await Promise.all([1, 2, 3].map(() => browser.get(back.href)))
    const sent = world.op.callsOf("token").map(({ body }) => body.get("code"))
    expect(sent).toEqual([1, 2, 3].map(() => back.searchParams.get("code")))
    expect(visits.filter((visit) => !isRefusal(visit))).toHaveLength(1)
    expect(visits.filter((visit) => saysSignedIn(visit, browser))).toHaveLength(1)
    expect(store.calls.filter((operation) => operation === "createSession")).toHaveLength(
      strategy === "database" ? 1 : 0,
    )
    expect(world.events.filter(([name]) => name === "signIn")).toHaveLength(1)
    expect(await browser.session()).toMatchObject({ user: { email: address } })
    const later = await browser.get(back.href)
    expect(later.location).toMatch(/^https:\/\/app\.test\/auth\/signin\?error=OAuthCallbackError&incident=/)
    // The first answer has cleared the cookies of this sign-in.
    expect(world.op.callsOf("token")).toHaveLength(3)
    expect(await browser.session()).toMatchObject({ user: { email: address } })
    expect(await store.users()).toHaveLength(1)
  })
})

describe("a value that is there already", { tags: ["threat:FD-18"] }, () => {
  it.each(Object.keys(kinds) as Kind[])("never becomes the token of a second session, store %s", async (kind) => {
    const tokens = ["taken", "taken", "new"]
    const session = { strategy: "database", generateSessionToken: () => tokens.shift() ?? "" } as const
    const store = faultyAdapter(kind)
    const { world } = await openStage(store, { config: { session } })
    const first = world.browser()
    await world.signInByMail(first, "grace@app.test")
    const browser = world.browser()
    const visit = await world.signInAtOp(browser)
    // A transaction that lost is done again, with another token.
    const isDoneAgain = kind === "with transactions"
    expect([isRefusal(visit), browser.cookie(sessionCookie)]).toEqual(isDoneAgain ? [false, "new"] : [true, undefined])
    expect(await first.session()).toMatchObject({ user: { email: "grace@app.test" } })
    expect(await store.broken()).toEqual([])
    if (!isDoneAgain) expect((await world.signInAtOp(browser)).location).toBe("https://app.test/")
    expect(await browser.session()).toMatchObject({ user: { email: address } })
    expect(await store.users()).toHaveLength(2)
  })

  it("sends no link whose token has it, and the link that has it stays good", async () => {
    const tokens = ["taken", "taken", "new"]
    const sent: string[] = []
    const mail: Provider = {
      id: "mail",
      name: "Mail",
      type: "email",
      generateVerificationToken: () => tokens.shift() ?? "",
      sendVerificationRequest: ({ url }) => void sent.push(url),
    }
    const memory = memoryAdapter()
    const stored = new Set<string>()
    const createVerificationToken: typeof memory.createVerificationToken = (row) => {
      if (stored.has(row.token)) throw new Error("duplicate key value violates unique constraint")
      stored.add(row.token)
      return memory.createVerificationToken(row)
    }
    const adapter = { ...memory, createVerificationToken }
    const browser = (await makeWorld({ mail: false, more: [mail], adapter })).browser()
    const ask = (): Promise<Visit> => browser.post("/auth/signin/mail", { email: address })
    await ask()
    expect([isRefusal(await ask()), sent.length]).toEqual([true, 1])
    await ask()
    expect(sent).toHaveLength(2)
    for (const url of sent) expect((await browser.get(url)).location).toBe("https://app.test/")
  })
})

describe("sessions that are read at once", () => {
  afterEach(() => void vi.useRealTimers())

  it("are extended without error, and the end only moves forward", { tags: ["threat:RC-10"] }, async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-01-01") })
    const store = faultyAdapter("with transactions", { pause: unevenPause(4) })
    const { browser, world } = await openStage(store, { config: { session: { strategy: "database", updateAge: 60 } } })
    await world.signInAtOp(browser)
    const token = browser.cookie(sessionCookie) ?? ""
    const endNow = async (): Promise<number> =>
      (await store.inner.getSessionAndUser(token))?.session.expires.getTime() ?? 0
    const begun = await endNow()
    const readAll = async (seconds: number): Promise<number> => {
      vi.setSystemTime(new Date(Date.parse("2026-01-01") + seconds * 1000))
      const visits = await Promise.all(Array.from({ length: 50 }, () => browser.get("/auth/session")))
      expect(new Set(visits.map(({ status }) => status))).toEqual(new Set([200]))
      const shown = visits.map(({ text }) => Date.parse((JSON.parse(text) as { expires: string }).expires))
      const end = await endNow()
      expect(new Set(shown)).toEqual(new Set([end]))
      return end - begun
    }
    expect([await readAll(59), await readAll(60), await readAll(119), await readAll(120)]).toEqual([
      0, 60_000, 60_000, 120_000,
    ])
    expect(world.errors).toEqual([])
  })

  it.each(["before", "after"])(
    "are never restored when the sign-out ends %s the reading began",
    { tags: ["threat:RC-11"] },
    async (order) => {
      const store = faultyAdapter("with transactions", { pause: unevenPause(order === "before" ? 1 : 2) })
      const { browser, world } = await openStage(store, { config: { session: { strategy: "database", updateAge: 0 } } })
      await world.signInAtOp(browser)
      const token = browser.cookie(sessionCookie)
      const out = (): Promise<unknown> => browser.post("/auth/signout")
      const read = (): Promise<unknown> => browser.get("/auth/session")
      await Promise.all(order === "before" ? [out(), read(), read()] : [read(), read(), out()])
      const thief = world.browser()
      thief.setCookie(sessionCookie, token ?? "")
      expect(await thief.session()).toBeNull()
      expect(world.errors).toEqual([])
    },
  )

  it.each([
    ["ends first", 1],
    ["ends later", 2],
    ["ends later still", 4],
  ])("are of nobody once their user is deleted, which %s", { tags: ["threat:RC-13"] }, async (_, seed) => {
    const store = faultyAdapter("with transactions", { pause: unevenPause(seed) })
    const { browser, world } = await openStage(store, { config: { session: { strategy: "database", updateAge: 0 } } })
    await world.signInAtOp(browser)
    const token = browser.cookie(sessionCookie)
    const [user] = await store.users()
    const read = (): Promise<unknown> => browser.get("/auth/session")
    await Promise.all([read(), world.adapter.deleteUser?.(user?.id ?? ""), read(), read()])
    browser.setCookie(sessionCookie, token ?? "")
    expect(await browser.session()).toBeNull()
    expect(browser.cookie(sessionCookie)).toBeUndefined()
    expect(await store.inner.listSessionsByUserId(user?.id ?? "")).toEqual([])
    expect(world.errors).toEqual([])
  })
})
