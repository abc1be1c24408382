/**
 * What the jwt callback has changed is kept where the answer is an error: an application refreshes a provider's token there,
 * the refresh token works once, and the new one stands in the session cookie alone.
 */
import { describe, expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter, memoryRecords } from "../../src/memory.js"
import type { AuthConfig, Cookie } from "../../src/types/config.js"
import type { RecordStore } from "../../src/types/records.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { refreshing } from "../support/refreshed-token.js"
import { makeWorld } from "../support/world.js"

const owner = "owner@app.test"
const kinds = ["alone", "managed"] as const

/** An application whose jwt callback counts up where a test asks for it, and whose session callback fails where a test asks for it. */
async function open(kind: (typeof kinds)[number], records: RecordStore = memoryRecords()) {
  const { state, callbacks } = refreshing()
  const warned: string[] = []
  const config: Partial<AuthConfig> = {
    session: { strategy: "jwt", updateAge: kind === "managed" ? 0 : 86_400 },
    ...(kind === "managed" && { features: [managedSessions()], records }),
    callbacks,
    logger: { error: () => {}, warn: (code) => void warned.push(code), debug: () => {} },
  }
  const world = await makeWorld({ adapter: memoryAdapter(), config })
  const browser = world.browser()
  await world.signInByMail(browser, owner)
  const cookies = new Map<string, string>()
  const take = (changes: readonly Cookie[]): void => {
    for (const { name, value } of changes) browser.setCookie(name, value)
  }
  return { browser, cookies, state, take, warned, world }
}

const sourceOf = (browser: TestBrowser) => ({
  url: "https://app.test/",
  headers: { cookie: `${sessionCookie}=${browser.cookie(sessionCookie) ?? ""}` },
})

describe.each(kinds)("a token that the jwt callback has changed before the session callback throws, %s", (kind) => {
  it.each(["read", "update"] as const)("is in the cookie of the error answer: %s", async (how) => {
    const { browser, state } = await open(kind)
    Object.assign(state, { refresh: true, fails: true })
    const failed = await (how === "read" ? browser.get("/auth/session") : browser.post("/auth/session", { data: "x" }))
    expect([failed.status, failed.setCookies]).toEqual([500, [sessionCookie]])
    Object.assign(state, { refresh: false, fails: false })
    expect(await browser.session()).toMatchObject({ user: { email: owner } })
    expect(state.seen).toBe(1)
  })

  it.each(["session", "update"] as const)("is given to `onThrow` in the process: %s", async (how) => {
    const { browser, state, take, world } = await open(kind)
    Object.assign(state, { refresh: true, fails: true })
    const work =
      how === "session"
        ? world.auth.session(sourceOf(browser), { onThrow: take })
        : world.auth.update(sourceOf(browser), {}, { onThrow: take })
    await expect(work).rejects.toMatchObject({ type: "JWTSessionError", status: 500 })
    Object.assign(state, { refresh: false, fails: false })
    expect(await browser.session()).not.toBeNull()
    expect(state.seen).toBe(1)
  })

  it("is lost where no cookie can be set any more, which the log says", async () => {
    const { browser, state, warned, world } = await open(kind)
    Object.assign(state, { refresh: true, fails: true })
    const given: unknown[] = []
    const work = world.auth.session(sourceOf(browser), { extend: false, onThrow: (left) => given.push(left) })
    await expect(work).rejects.toMatchObject({ type: "JWTSessionError" })
    expect([given, warned]).toEqual([[], ["session-not-saved"]])
  })

  it("sets no cookie where the callback changed nothing", async () => {
    const { browser, state, world } = await open(kind)
    state.fails = true
    const given: unknown[] = []
    const work = world.auth.session(sourceOf(browser), { onThrow: (left) => given.push(left) })
    await expect(work).rejects.toMatchObject({ type: "JWTSessionError" })
    const failed = await browser.get("/auth/session")
    expect([given, failed.status, failed.setCookies]).toEqual([[], 500, []])
  })
})

it("a changed token is kept where the records go away before the session is extended, and opens the session afterwards", async () => {
  const inner = memoryRecords()
  let isAway = false
  const records: RecordStore = {
    ...inner,
    putRecord: (...given) => {
      if (isAway) throw new Error("connection refused")
      return inner.putRecord(...given)
    },
  }
  const { browser, state } = await open("managed", records)
  state.refresh = true
  isAway = true
  const failed = await browser.get("/auth/session")
  expect([failed.status, failed.setCookies]).toEqual([503, [sessionCookie]])
  isAway = false
  state.refresh = false
  expect(await browser.session()).toMatchObject({ user: { email: owner } })
  expect(state.seen).toBe(1)
})
