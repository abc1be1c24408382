/** The secret is replaced while people are signed in and signing in: with a list nothing changes, without one no old value is accepted. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { createAuth } from "../../src/engine/auth.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { getToken } from "../../src/jwt.js"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import { openBrowser, type TestBrowser } from "../support/browser.js"
import { sessionCookie as session } from "../support/journeys.js"
import { leaks } from "../support/logged.js"
import { optionsOf } from "../support/passkeys.js"
import { quickest } from "../support/quickest.js"
import { makeWorld } from "../support/world.js"

const [old, fresh] = ["old-secret-of-at-least-32-characters", "new-secret-of-at-least-32-characters"]
const strategies = ["database", "jwt"] as const

/** The same application with another secret, in front of the same browsers and the same store. */
async function worlds(strategy: "database" | "jwt", after: string[] | string) {
  const adapter: Adapter = memoryAdapter()
  const before = await makeWorld({ strategy, adapter, config: { secret: old } })
  const next = await makeWorld({ strategy, adapter, config: { secret: after } })
  const move = (from: TestBrowser): TestBrowser => {
    const browser = next.browser()
    for (const [name, { value }] of from.jar) browser.setCookie(name, value)
    return browser
  }
  return { before, next, move }
}

describe.each(strategies)("with the old secret behind the new one, %s", (strategy) => {
  it("earlier sessions, forms and mailed links still work [spec options secret]", {
    tags: ["threat:SF-19", "threat:CS-30", "threat:FP-09"],
  }, async () => {
    const { before, next, move } = await worlds(strategy, [fresh, old])
    const browser = before.browser()
    await before.signInAtOp(browser)
    const form = await browser.csrfToken()
    await browser.post("/auth/signin/mail", { email: "grace@app.test" })
    const moved = move(browser)
    expect(await moved.session()).toMatchObject({ user: { email: "ada@op.test" } })
    expect((await moved.post("/auth/session", { csrfToken: form }, { csrf: false, json: true })).status).toBe(200)
    const other = next.browser()
    await other.get(before.mails[0]?.url ?? "")
    expect(await other.session()).toMatchObject({ user: { email: "grace@app.test" } })
    await next.signInByMail(moved, "hedy@app.test")
    expect(await moved.session()).toMatchObject({ user: { email: "hedy@app.test" } })
    expect(leaks(next, [moved, other], [old, fresh])).toEqual([])
    expect(next.errors).toEqual([])
  })

  it("new values use the new secret: the old application cannot read them", { tags: ["threat:SF-19"] }, async () => {
    const { before, next } = await worlds(strategy, [fresh, old])
    const browser = next.browser()
    await next.signInAtOp(browser)
    await browser.post("/auth/signin/mail", { email: "grace@app.test" })
    const back = before.browser()
    for (const [name, { value }] of browser.jar) back.setCookie(name, value)
    expect((await back.session()) === null).toBe(strategy === "jwt")
    expect((await back.get(next.mails[0]?.url ?? "")).location).toContain("error=Verification")
  })
})

/** Instances that are replaced one after another, once all of them accept the new secret. */
describe.each(strategies)("with both secrets in another order at each of two instances, %s", (strategy) => {
  /** One browser, one store and one provider; `turnTo` says which instance answers. */
  async function sideBySide(one: string[], other: string[]) {
    const features = [managedSessions()]
    const config = { secret: one, features, experimental: { enableWebAuthn: true } }
    const world = await makeWorld({ strategy, more: [Passkey()], config })
    const { handle } = createAuth({ ...world.config, secret: other }, { env: {} })
    const instances = { one: world.auth.handle, other: handle }
    let answering: keyof typeof instances = "one"
    const turnTo = (instance: keyof typeof instances): void => {
      answering = instance
    }
    const browser = () => openBrowser((request) => instances[answering](request))
    return { world, browser, turnTo }
  }

  it.each([
    [
      [old, fresh],
      [fresh, old],
    ],
    [
      [fresh, old],
      [old, fresh],
    ],
  ])(
    "what one of them begins ends at the other: %j, %j",
    { tags: ["threat:SF-19", "threat:FP-09"] },
    async (one, other) => {
      const { world, browser, turnTo } = await sideBySide(one, other)
      const [ada, grace, hedy] = [browser(), browser(), browser()]
      const begun = await ada.post("/auth/signin/op")
      await grace.post("/auth/signin/mail", { email: "grace@app.test" })
      const authenticator = softwarePasskey()
      const { options } = await optionsOf(hedy, { action: "register", email: "hedy@app.test" })
      const data = JSON.stringify(await authenticator.create(options))
      turnTo("other")
      const { pathname, search } = world.op.authorize(begun.location ?? "")
      await ada.get(pathname + search)
      await grace.get(world.mails[0]?.url ?? "")
      await hedy.post("/auth/callback/passkey", { action: "register", data }, { csrf: false, json: true })
      for (const instance of ["one", "other"] as const) {
        turnTo(instance)
        expect(await ada.session()).toMatchObject({ user: { email: "ada@op.test" } })
        expect(await grace.session()).toMatchObject({ user: { email: "grace@app.test" } })
        expect(await hedy.session()).toMatchObject({ user: { email: "hedy@app.test" } })
      }
      const copy = browser()
      copy.setCookie(session, ada.cookie(session) ?? "")
      turnTo("one")
      await ada.post("/auth/signout")
      turnTo("other")
      expect(await copy.session()).toBeNull()
      expect(world.errors).toEqual([])
    },
  )
})

it("a token is read outside of the service with the list of all secrets, and not with the first that there was", async () => {
  const world = await makeWorld({ strategy: "jwt", config: { secret: [fresh, old] } })
  const browser = world.browser()
  await world.signInAtOp(browser)
  const req = { headers: { cookie: `${session}=${browser.cookie(session)}` } }
  expect(await getToken({ req, secret: [fresh, old], secureCookie: true })).toMatchObject({ email: "ada@op.test" })
  expect(await getToken({ req, secret: old, secureCookie: true })).toBeNull()
})

describe.each(strategies)("with the new secret alone, %s", (strategy) => {
  it("nothing sealed before is accepted, and no request fails with a fault", {
    tags: ["threat:SF-19", "threat:CS-30"],
  }, async () => {
    const { before, next, move } = await worlds(strategy, fresh)
    const browser = before.browser()
    await before.signInAtOp(browser)
    const form = await browser.csrfToken()
    await browser.post("/auth/signin/mail", { email: "grace@app.test" })
    const begun = await browser.post("/auth/signin/op")
    const moved = move(browser)
    // A row is found by its random name; what is sealed is lost.
    expect((await moved.session()) === null).toBe(strategy === "jwt")
    expect((await moved.post("/auth/signout", { csrfToken: form }, { csrf: false })).location).toContain("error=Signin")
    expect((await moved.get(before.mails[0]?.url ?? "")).location).toContain("error=Verification")
    expect((await moved.get(before.op.authorize(begun.location ?? "").href)).location).toContain(
      "error=OAuthCallbackError",
    )
    expect(next.op.callsOf("token")).toEqual([])
    await next.signInAtOp(moved)
    expect(await moved.session()).toMatchObject({ user: { email: "ada@op.test" } })
    expect(moved.cookie(session)).not.toBe(browser.cookie(session))
  })
})

describe("a list of secrets", () => {
  it("of fifty refuses a foreign token quickly", { tags: ["threat:SF-19"] }, async () => {
    const secret = Array.from({ length: 50 }, (_, index) => `${index}-secret-of-at-least-32-characters`)
    const world = await makeWorld({ strategy: "jwt", config: { secret } })
    const foreign = await makeWorld({ strategy: "jwt" })
    const thief = foreign.browser()
    await foreign.signInAtOp(thief)
    const browser = world.browser()
    await browser.csrfToken()
    const time = await quickest(async () => {
      browser.setCookie(session, thief.cookie(session) ?? "")
      expect(await browser.session()).toBeNull()
    })
    expect(time).toBeLessThan(100)
  })

  it("with an empty member is a mistake in the configuration, never an empty key", async () => {
    const world = await makeWorld({ config: { secret: [old, ""] } })
    expect((await world.browser().get("/auth/session")).status).toBe(500)
    // At the start, and with the request that it refuses.
    expect(world.errors.map(({ name }) => name)).toEqual(["MissingSecret", "MissingSecret"])
  })
})
