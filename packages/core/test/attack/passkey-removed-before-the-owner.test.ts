/** Somebody registers a passkey at an address that is not theirs, removes it again, and keeps the session. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { passkeys } from "../../src/passkeys.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { TestBrowser } from "../support/browser.js"
import { registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const address = "ada@op.test"
const verifying = {
  emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified,
  allowDangerousEmailAccountLinking: true,
}

function withoutList() {
  const { listAccountsByUserId: _, transaction: __, ...adapter } = memoryAdapter()
  return adapter
}

const strategies = ["jwt", "database"] as const

/** The thief registers a passkey at the address of the owner, and removes it again. */
async function registerAndRemove(thief: TestBrowser): Promise<void> {
  await registerPasskey(thief, softwarePasskey(), address)
  const [entry] = JSON.parse((await thief.get("/auth/passkeys")).text) as { readonly id: string }[]
  const removed = await thief.post("/auth/passkeys", { remove: entry?.id ?? "", last: "true" })
  expect(removed.status).toBeLessThan(400)
}

it.each(strategies)(
  "keeps the owner of the address from nothing, where only a provider opens the way (%s)",
  { tags: ["threat:A-022"] },
  async (strategy) => {
    const { allowDangerousEmailAccountLinking: _, ...provider } = verifying
    const config = { features: [passkeys()], experimental: { enableWebAuthn: true } }
    const world = await makeWorld({ strategy, provider, more: [Passkey()], config, mail: false })
    const [thief, owner] = [world.browser(), world.browser()]
    await registerAndRemove(thief)
    world.op.person = { sub: "ada-1", name: "Ada", email: address, email_verified: true }
    expect((await world.signInAtOp(owner)).location).toBe("https://app.test/")
    expect(await owner.session()).toMatchObject({ user: { email: address } })
    expect(await thief.session()).toBeNull()
  },
)

const cases = [
  { lists: "lists accounts", open: memoryAdapter },
  { lists: "does not list accounts", open: withoutList },
].flatMap((store) =>
  strategies.flatMap((strategy) =>
    [
      { kind: "a session", more: [] },
      { kind: "a managed session", more: [managedSessions()] },
    ].map((sessions) => ({ ...store, ...sessions, strategy })),
  ),
)

describe.each(cases)("$kind ($strategy) before an adapter that $lists", ({ open, strategy, more }) => {
  it.each([
    { beside: "beside mail", mail: {} },
    { beside: "without mail", mail: { mail: false as const } },
  ])("ends when the owner comes by a provider, $beside", { tags: ["threat:A-022"] }, async ({ mail }) => {
    const config = { features: [passkeys(), ...more], experimental: { enableWebAuthn: true } }
    const world = await makeWorld({
      adapter: open(),
      strategy,
      provider: verifying,
      more: [Passkey()],
      config,
      ...mail,
    })
    const [thief, owner] = [world.browser(), world.browser()]
    await registerAndRemove(thief)
    world.op.person = { sub: "ada-1", name: "Ada", email: address, email_verified: true }
    await world.signInAtOp(owner)
    expect(await owner.session()).toMatchObject({ user: { email: address } })
    expect(await thief.session()).toBeNull()
  })
})
