/** A session that the jwt callback ends is over for the engine too: a kept cookie cannot link anything. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { CallbacksOptions } from "../../src/types/hooks.js"
import { sessionCookie as cookie } from "../support/journeys.js"
import { optionsOf } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

async function stage() {
  const adapter = memoryAdapter()
  const revoked = new Set<unknown>()
  const jwt: CallbacksOptions["jwt"] = ({ token }) => (revoked.has(token.sub) ? null : token)
  const world = await makeWorld({
    adapter,
    strategy: "jwt",
    more: [Passkey()],
    config: { callbacks: { jwt }, experimental: { enableWebAuthn: true } },
  })
  const owner = world.browser()
  await world.signInByMail(owner, "owner@app.test")
  const person = await adapter.getUserByEmail("owner@app.test")
  const thief = world.browser()
  thief.setCookie(cookie, owner.cookie(cookie) ?? "")
  const holder = async (): Promise<string | undefined> =>
    (await adapter.getUserByAccount({ provider: "op", providerAccountId: "person-1" }))?.id
  return { adapter, world, owner, thief, person, holder, revoke: () => revoked.add(person?.id) }
}

describe("a revoked session", () => {
  it("links no account of the attacker to its owner", { tags: ["threat:SF-14"] }, async () => {
    const { world, thief, person, holder, revoke } = await stage()
    revoke()
    await world.signInAtOp(thief)
    expect(await holder()).toBeDefined()
    expect(await holder()).not.toBe(person?.id)
  })

  it("registers no passkey for its owner, and its cookie is cleared", { tags: ["threat:SF-14"] }, async () => {
    const { thief, revoke } = await stage()
    revoke()
    expect((await optionsOf(thief, { action: "register" })).action).not.toBe("register")
    expect(thief.cookie(cookie)).toBeUndefined()
  })

  it("links while it is not revoked: its owner adds an account", async () => {
    const { world, owner, person, holder } = await stage()
    await world.signInAtOp(owner)
    expect(await holder()).toBe(person?.id)
  })
})
