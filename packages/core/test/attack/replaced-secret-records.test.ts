/** A secret that leaked is replaced outright: records that it sealed open no more, and keep nobody from signing in, from seeing their sessions or from ending them. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld, type World } from "../support/world.js"

const [leaked, fresh] = ["leaked-secret-of-at-least-32-characters", "fresh-secret-of-at-least-32-characters"]
const owner = "ada@app.test"

/** Two services on one store, the second with another secret; `owner` has signed in at the first. */
async function replaced(strategy: "jwt" | "database") {
  const adapter = memoryAdapter()
  const serviceWith = (secret: string | string[]) =>
    makeWorld({
      strategy,
      adapter,
      more: [Passkey()],
      config: {
        secret,
        features: [managedSessions({ atMost: 3 }), passkeys()],
        experimental: { enableWebAuthn: true },
      },
    })
  const before = await serviceWith(leaked)
  const earlier = before.browser()
  await before.signInByMail(earlier, owner)
  const next = await serviceWith(fresh)
  const both = await serviceWith([fresh, leaked])
  const moved = (to: World): TestBrowser => {
    const copy = to.browser()
    copy.setCookie(sessionCookie, earlier.cookie(sessionCookie) ?? "")
    return copy
  }
  return { earlier, next, both, moved }
}

const signedIn = async (world: World): Promise<TestBrowser> => {
  const browser = world.browser()
  await world.signInByMail(browser, owner)
  return browser
}

describe.each(["jwt", "database"] as const)("with %s sessions, after the secret was replaced", (strategy) => {
  it("people sign in, however few sessions they may have", { tags: ["threat:U-18", "threat:SF-19"] }, async () => {
    const { next } = await replaced(strategy)
    const browser = await signedIn(next)
    expect(await browser.session()).toMatchObject({ user: { email: owner } })
  })

  it("people see their sessions, without those that nothing opens", { tags: ["threat:U-18"] }, async () => {
    const { next } = await replaced(strategy)
    const browser = await signedIn(next)
    await signedIn(next)
    const { status, text } = await browser.get("/auth/sessions")
    expect(status).toBe(200)
    expect((JSON.parse(text) as unknown[]).length).toBe(2)
  })

  it("people end their other sessions: none comes back with the earlier secret", {
    tags: ["threat:U-18", "threat:SF-19"],
  }, async () => {
    const { next, both, moved } = await replaced(strategy)
    const browser = await signedIn(next)
    const other = await signedIn(next)
    expect((await browser.post("/auth/sessions", { end: "others" })).status).toBe(200)
    expect(await other.session()).toBeNull()
    expect(await browser.session()).toMatchObject({ user: { email: owner } })
    if (strategy === "jwt") expect(await moved(both).session()).toBeNull()
  })

  it("passkeys sign in, and are listed", { tags: ["threat:U-18", "threat:SF-19"] }, async () => {
    const { earlier, next } = await replaced(strategy)
    const authenticator = softwarePasskey()
    await registerPasskey(earlier, authenticator)
    const browser = next.browser()
    await signInByPasskey(browser, authenticator)
    expect(await browser.session()).toMatchObject({ user: { email: owner } })
    const { status, text } = await browser.get("/auth/passkeys", { accept: "application/json" })
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject([{ id: expect.any(String) }])
  })
})
