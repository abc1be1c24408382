/** A copy of the token that a session had until a moment ago: it still reads, and takes nothing away from its owner. */
import { softwarePasskey } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { passkeyConfig, registerPasskey, signInByPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-03-01T12:00:00Z") }))
afterEach(() => void vi.useRealTimers())

const address = "ada@app.test"
const asPerson = { accept: "text/html" }
const refusal = {
  error: "SessionRequired",
  message: "The token of this session has just been replaced: send the request again.",
}

const isIn = async (browser: TestBrowser): Promise<boolean> => JSON.stringify(await browser.session()).includes(address)
const requestOf = (browser: TestBrowser) => ({
  url: "https://app.test/",
  headers: { cookie: `${sessionCookie}=${browser.cookie(sessionCookie) ?? ""}` },
})
const idsOf = async (browser: TestBrowser): Promise<readonly string[]> =>
  (JSON.parse((await browser.get("/auth/passkeys")).text) as readonly { id: string }[]).map(({ id }) => id)

/** The owner with one passkey and nothing else to sign in with, who has a new token and has signed in on a phone since; and a copy of the earlier token. */
async function replaced(strategy: "jwt" | "database", how: "endOthers" | "rotate") {
  const [sessions, keys] = [managedSessions(), passkeys()]
  const config = { ...passkeyConfig, features: [sessions, keys] }
  const world = await makeWorld({ strategy, adapter: memoryAdapter(), mail: false, config })
  const [owner, phone, copy] = [world.browser(), world.browser(), world.browser()]
  const authenticator = softwarePasskey()
  await registerPasskey(owner, authenticator, address)
  copy.setCookie(sessionCookie, owner.cookie(sessionCookie) ?? "")
  const { cookies } = await sessions[how](world.auth, requestOf(owner))
  for (const { name, value } of cookies) owner.setCookie(name, value)
  await signInByPasskey(phone, authenticator)
  vi.setSystemTime(Date.now() + 25_000)
  const [id = ""] = await idsOf(owner)
  expect([await isIn(owner), await isIn(phone), await isIn(copy)]).toEqual([true, true, true])
  const goesOn = async (): Promise<void> => {
    expect([await isIn(owner), await isIn(phone)]).toEqual([true, true])
    await signInByPasskey(phone, authenticator)
    expect(await isIn(phone)).toBe(true)
  }
  return { world, sessions, keys, owner, phone, copy, id, goesOn }
}

describe.each(["jwt", "database"] as const)("a token, %s strategy, before that of", (strategy) => {
  it.each(["endOthers", "rotate"] as const)(
    "%s ends no session that its owner has begun since",
    {
      tags: ["threat:SF-08"],
    },
    async (how) => {
      const { world, sessions, phone, copy, goesOn } = await replaced(strategy, how)
      const theirs = (await sessions.list(world.auth, requestOf(phone))).find(({ current }) => current)?.id ?? ""
      for (const end of ["others", theirs]) {
        const refused = await copy.post("/auth/sessions", { end })
        expect([refused.status, JSON.parse(refused.text)]).toEqual([401, refusal])
      }
      const request = requestOf(copy)
      const nothing = { done: false, cookies: [] }
      const user = await world.adapter.getUserByEmail?.(address)
      expect(await sessions.endOthers(world.auth, request)).toEqual(nothing)
      expect(await sessions.end(world.auth, request, theirs)).toEqual(nothing)
      expect(await sessions.rotate(world.auth, request)).toEqual(nothing)
      expect(await sessions.actAs(world.auth, request, user?.id ?? "")).toEqual(nothing)
      await goesOn()
    },
  )

  it.each(["endOthers", "rotate"] as const)(
    "%s neither names nor removes a passkey",
    {
      tags: ["threat:V7-16"],
    },
    async (how) => {
      const { world, keys, copy, id, goesOn } = await replaced(strategy, how)
      for (const change of [
        { rename: id, name: "Eve" },
        { remove: id, last: "true" },
      ]) {
        const refused = await copy.post("/auth/passkeys", change)
        expect([refused.status, JSON.parse(refused.text)]).toEqual([401, refusal])
      }
      expect(await keys.rename(world.auth, requestOf(copy), { id, name: "Eve" })).toBe(false)
      expect(await keys.remove(world.auth, requestOf(copy), { id, evenLast: true })).toBe("absent")
      expect((await keys.list(world.auth, requestOf(copy))).map(({ name }) => name)).not.toContain("Eve")
      await goesOn()
    },
  )

  it("a new one asks its question about a passkey again, and the new one answers it", {
    tags: ["threat:V7-16"],
  }, async () => {
    const { owner, copy, id } = await replaced(strategy, "rotate")
    const asked = async (browser: TestBrowser, change: Record<string, string>): Promise<string | undefined> =>
      (await browser.post("/auth/passkeys", change, { headers: asPerson })).location
    const page = "https://app.test/auth/passkeys"
    expect(await asked(copy, { remove: id, last: "true" })).toBe(`${page}?remove=${id}`)
    expect(await asked(copy, { rename: id, name: "Eve" })).toBe(`${page}?rename=${id}`)
    expect(await asked(owner, { rename: id, name: "Phone" })).toBe(`${page}?did=didRename`)
  })

  it("a new one still signs its own session out, and no other", { tags: ["threat:SF-08"] }, async () => {
    const { owner, phone, copy } = await replaced(strategy, "rotate")
    await copy.post("/auth/signout")
    expect([await isIn(owner), await isIn(phone), await isIn(copy)]).toEqual([false, true, false])
  })
})
