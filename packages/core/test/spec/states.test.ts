/** The states of sessions, links and addresses, and the triggers of the jwt callback. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { CallbacksOptions } from "../../src/types/hooks.js"
import { watched } from "../support/watched.js"
import { makeWorld } from "../support/world.js"

const start = new Date("2026-03-01T12:00:00.000Z")
const hour = 3_600_000
const day = 24 * hour
const cookie = "__Secure-authjs.session-token"

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }))
afterEach(() => void vi.useRealTimers())
const later = (milliseconds: number): Date => vi.setSystemTime(start.getTime() + milliseconds) && new Date()

describe("a session in the database", () => {
  const signedIn = async () => {
    const { adapter, calls, callsOf } = watched()
    const { signInAtOp, ...world } = await makeWorld({ strategy: "database", config: { adapter } })
    const browser = world.browser()
    await signInAtOp(browser)
    const token = browser.cookie(cookie) ?? ""
    calls.length = 0
    return { adapter, browser, token, callsOf, row: async () => (await adapter.getSessionAndUser?.(token))?.session }
  }

  it("is extended by maxAge when it is accessed, at most once per updateAge [spec state database-session-extended]", async () => {
    const { browser, row, callsOf } = await signedIn()
    expect((await row())?.expires).toEqual(new Date(start.getTime() + 30 * day))
    later(day - hour)
    expect(await browser.session()).toMatchObject({ expires: new Date(start.getTime() + 30 * day).toISOString() })
    expect(callsOf("updateSession")).toEqual([])
    const now = later(day)
    const expires = new Date(now.getTime() + 30 * day)
    expect(await browser.session()).toMatchObject({ expires: expires.toISOString() })
    expect((await row())?.expires).toEqual(expires)
    expect(browser.jar.get(cookie)?.expires).toBe(expires.getTime())
    await browser.session()
    expect(callsOf("updateSession")).toHaveLength(1)
  })

  it("is removed when it is accessed after its end [spec state database-session-expired]", async () => {
    const { browser, row, token, callsOf } = await signedIn()
    later(30 * day)
    expect(await browser.session()).toBeNull()
    expect(callsOf("deleteSession").map(({ args }) => args)).toEqual([[token]])
    expect(await row()).toBeUndefined()
    expect(browser.cookie(cookie)).toBeUndefined()
  })
})

it.each(["jwt", "database"] as const)(
  "a session ends with a sign-out, %s strategy: cookie and row go [spec state sign-out] [spec action signout POST]",
  async (strategy) => {
    const { adapter, browser, signInAtOp } = await makeWorld({ strategy })
    const person = browser()
    await signInAtOp(person)
    const token = person.cookie(cookie) ?? ""
    const visit = await person.post("/auth/signout")
    expect(visit.location).toBe("https://app.test/")
    expect(visit.setCookies).toContain(cookie)
    expect(person.cookie(cookie)).toBeUndefined()
    if (strategy === "jwt") return
    expect(await adapter.getSessionAndUser?.(token)).toBeNull()
    person.setCookie(cookie, token)
    expect(await person.session()).toBeNull()
  },
)

describe("the token of a link", () => {
  const asked = async () => {
    const world = await makeWorld()
    const browser = world.browser()
    await browser.post("/auth/signin/mail", { email: "ada@app.test" })
    const url = new URL(world.mails[0]?.url ?? "")
    return { browser, world, url, follow: () => browser.get(url.pathname + url.search) }
  }
  const refused = "https://app.test/auth/error?error=Verification"

  it("is used once, and signs in [spec state verification-token-used] [spec authentication 6]", async () => {
    const { browser, follow, world } = await asked()
    expect((await follow()).location).toBe("https://app.test/")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
    browser.jar.clear()
    expect((await follow()).location).toBe(refused)
    expect(await world.browser().session()).toBeNull()
  })

  it("signs nobody in once it has ended [spec state verification-token-used] [spec authentication 6]", async () => {
    const { browser, follow } = await asked()
    later(hour)
    expect((await follow()).location).toBe(refused)
    expect(await browser.session()).toBeNull()
  })

  it.each([
    ["token", "0".repeat(64)],
    ["email", "eve@app.test"],
  ])(
    "signs nobody in with another %s [spec state verification-token-used] [spec authentication 6]",
    async (name, value) => {
      const { browser, url, follow } = await asked()
      url.searchParams.set(name, value)
      expect((await follow()).location).toBe(refused)
      expect(await browser.session()).toBeNull()
    },
  )
})

it("an address is proven by the first sign-in by mail, and keeps that date [spec state email-verified]", async () => {
  const world = await makeWorld()
  const verified = async () => (await world.adapter.getUserByEmail?.("ada@op.test"))?.emailVerified
  await world.signInAtOp(world.browser())
  expect(await verified()).toBeNull()
  const first = later(day)
  await world.signInByMail(world.browser(), "ada@op.test")
  expect(await verified()).toEqual(first)
  later(2 * day)
  await world.signInByMail(world.browser(), "ada@op.test")
  expect(await verified()).toEqual(first)
})

describe("the jwt callback", () => {
  const world = async (adapter?: false) => {
    const asked: Parameters<CallbacksOptions["jwt"]>[0][] = []
    const jwt: CallbacksOptions["jwt"] = (params) => {
      asked.push(params)
      return params.token
    }
    const options = { strategy: "jwt", config: { callbacks: { jwt } } } as const
    return { asked, ...(await makeWorld(adapter === false ? { ...options, adapter } : options)) }
  }
  const people = { user: expect.any(Object), profile: expect.any(Object), account: expect.any(Object) }

  it("gets the trigger `signIn` at a sign-in, with user, profile and account [spec state jwt-sign-in]", async () => {
    const { asked, browser, signInAtOp } = await world(false)
    await signInAtOp(browser())
    expect(asked).toEqual([expect.objectContaining({ trigger: "signIn", ...people })])
  })

  it("gets the trigger `signUp` when the user was created, and `signIn` the next time [spec state jwt-sign-up]", async () => {
    const { asked, browser, signInAtOp } = await world()
    await signInAtOp(browser())
    await signInAtOp(browser())
    expect(asked.map(({ trigger }) => trigger)).toEqual(["signUp", "signIn"])
  })

  it("gets the trigger `update` when the client updates its session [spec state jwt-update]", async () => {
    const { asked, browser, signInAtOp } = await world()
    const person = browser()
    await signInAtOp(person)
    await person.post("/auth/session", { data: { name: "Countess" } } as never, { json: true })
    expect(asked.map(({ trigger }) => trigger)).toEqual(["signUp", "update"])
    expect(asked[1]?.session).toEqual({ name: "Countess" })
  })
})
