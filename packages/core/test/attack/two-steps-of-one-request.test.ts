/**
 * An application does two things for one request: what the first has replaced must not keep the second from being done, or a
 * thief stays who was to be put out. A copy of what was replaced gains nothing by it.
 */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it, vi } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import type { AuthSource } from "../../src/engine/public.js"
import { sessionsOfRequest } from "../../src/engine/request-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const address = "ada@app.test"
const tags = ["threat:SF-08"]

const cookieOf = (browser: TestBrowser): string => `other=1; ${sessionCookie}=${browser.cookie(sessionCookie) ?? ""}`
const asRequest = (browser: TestBrowser): AuthSource =>
  new Request("https://app.test/", { headers: { cookie: cookieOf(browser) } })
const asRecord = (browser: TestBrowser): AuthSource => ({ secure: true, headers: { cookie: cookieOf(browser) } })
const isIn = async (browser: TestBrowser): Promise<boolean> =>
  ((await browser.session()) as { user?: { email?: string } } | null)?.user?.email === address

async function open(strategy: "jwt" | "database") {
  const [sessions, keys] = [managedSessions(), passkeys()]
  const config = { experimental: { enableWebAuthn: true }, features: [sessions, keys] }
  const world = await makeWorld({ strategy, more: [Passkey()], config })
  const [owner, thief] = [world.browser(), world.browser()]
  await world.signInByMail(owner, address)
  const lost = softwarePasskey()
  await registerPasskey(owner, lost)
  await signInByPasskey(thief, lost)
  expect(await isIn(thief)).toBe(true)
  return { sessions, keys, world, owner, thief, lost }
}

const kinds = (["jwt", "database"] as const).flatMap((strategy) => [
  { strategy, kind: "a request", sourceOf: asRequest },
  { strategy, kind: "headers alone", sourceOf: asRecord },
])

describe.each(kinds)("two steps for $kind, sessions of $strategy", ({ strategy, sourceOf }) => {
  it("end all other sessions, and remove the passkey that was lost", { tags }, async () => {
    const { sessions, keys, world, owner, thief, lost } = await open(strategy)
    const source = sourceOf(owner)
    const [{ id = "" } = {}] = await keys.list(world.auth, source)
    expect((await sessions.endOthers(world.auth, source)).done).toBe(true)
    expect(await keys.rename(world.auth, source, { id, name: "lost" })).toBe(true)
    expect(await keys.remove(world.auth, source, { id })).toBe("removed")
    await signInByPasskey(thief, lost)
    expect(await isIn(thief)).toBe(false)
  })

  it("give a new token and end all other sessions, as an integration does", { tags }, async () => {
    const { world, owner, thief } = await open(strategy)
    const source = sourceOf(owner)
    const calls = sessionsOfRequest(world.auth, source, { setCookies: () => {} })
    expect([await calls.rotate(), await calls.endOthers()]).toEqual([true, true])
    expect(await isIn(thief)).toBe(false)
  })

  it("give a new token twice, and end all other sessions", { tags }, async () => {
    const { sessions, world, owner, thief } = await open(strategy)
    const source = sourceOf(owner)
    for (let time = 0; time < 2; time += 1) expect((await sessions.rotate(world.auth, source)).done).toBe(true)
    const { done, cookies } = await sessions.endOthers(world.auth, source)
    expect([done, await isIn(thief)]).toEqual([true, false])
    for (const { name, value } of cookies) owner.setCookie(name, value)
    expect(await isIn(owner)).toBe(true)
  })

  it("count for that request alone: a copy of its cookie takes nothing away, nor does another service", {
    tags,
  }, async () => {
    const { sessions, keys, world, owner, thief } = await open(strategy)
    const source = sourceOf(owner)
    const copy = sourceOf(owner)
    const [{ id = "" } = {}] = await keys.list(world.auth, source)
    await sessions.rotate(world.auth, source)
    expect((await sessions.endOthers(world.auth, copy)).done).toBe(false)
    const other = await makeWorld({ strategy, adapter: world.adapter, config: { features: [sessions, keys] } })
    expect((await sessions.endOthers(other.auth, source)).done).toBe(false)
    expect(await keys.remove(world.auth, copy, { id, evenLast: true })).toBe("absent")
    expect(await isIn(thief)).toBe(true)
  })

  it("do not follow an object that holds the cookies of somebody else meanwhile", { tags }, async () => {
    const { sessions, world, owner } = await open(strategy)
    const headers = new Headers({ cookie: cookieOf(owner) })
    const source = { secure: true, headers }
    expect((await sessions.rotate(world.auth, source)).done).toBe(true)
    expect(await sessions.list(world.auth, source)).toHaveLength(2)
    const stranger = world.browser()
    await world.signInByMail(stranger, "eve@app.test")
    headers.set("cookie", cookieOf(stranger))
    expect(await sessions.list(world.auth, source)).toHaveLength(1)
    headers.delete("cookie")
    expect(await sessions.list(world.auth, source)).toEqual([])
  })
})

it("a copy of a sealed cookie from before sessions were managed takes nothing away once its session has a new token", {
  tags,
}, async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") })
  try {
    const config = { experimental: { enableWebAuthn: true } }
    const given = { adapter: memoryAdapter(), strategy: "jwt", mail: false, more: [Passkey()] } as const
    const before = await makeWorld({ ...given, config })
    const [owner, key] = [before.browser(), softwarePasskey()]
    await registerPasskey(owner, key, address)
    const copy = asRequest(owner)
    const other = await given.adapter.createUser({ id: "", email: "bob@app.test", emailVerified: null })
    const [sessions, keys] = [managedSessions(), passkeys()]
    const world = await makeWorld({ ...given, config: { ...config, features: [sessions, keys] } })
    const { cookies } = await sessions.rotate(world.auth, asRequest(owner))
    const [own, phone] = [world.browser(), world.browser()]
    for (const { name, value } of cookies) own.setCookie(name, value)
    await signInByPasskey(phone, key)
    for (const minutes of [1, 30]) {
      vi.setSystemTime(Date.now() + minutes * 60_000)
      expect((await sessions.endOthers(world.auth, copy)).done).toBe(false)
      expect((await sessions.actAs(world.auth, copy, other.id)).done).toBe(false)
      const [{ id = "" } = {}] = await keys.list(world.auth, asRequest(own))
      expect(await keys.remove(world.auth, copy, { id, evenLast: true })).toBe("absent")
      expect([await isIn(own), await isIn(phone)]).toEqual([true, true])
    }
    const again = world.browser()
    await signInByPasskey(again, key)
    expect(await isIn(again)).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})
