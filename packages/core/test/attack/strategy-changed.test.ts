/** Instances with sessions in rows beside instances with tokens, as while the strategy is changed: the owner of an address comes at one with tokens. */
import { randomUUID } from "node:crypto"
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import type { Adapter } from "../../src/adapters.js"
import { createAuth } from "../../src/engine/auth.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { AuthConfig } from "../../src/types/config.js"
import { openBrowser } from "../support/browser.js"
import { registerPasskey } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const address = "ada@op.test"
const ada = { sub: "ada-1", name: "Ada", email: address, email_verified: true }
const eve = { sub: "eve-1", name: "Eve", email: "eve@evil.test", email_verified: true }
const provider = {
  emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified,
  allowDangerousEmailAccountLinking: true,
}
const ownTokens = { generateSessionToken: () => randomUUID() }

async function arrived(way: "mail" | "a provider", given: { more?: object; isManaged?: boolean; adapter?: Adapter }) {
  const { more = {}, isManaged, adapter = memoryAdapter() } = given
  const config = {
    experimental: { enableWebAuthn: true },
    session: { strategy: "database" as const, ...more },
    features: isManaged ? [managedSessions()] : [],
  }
  const world = await makeWorld({ adapter, provider, more: [Passkey()], config })
  const changed: AuthConfig = { ...world.config, session: { strategy: "jwt" } }
  const withTokens = createAuth(changed, { env: {} })
  const [thief, owner] = [world.browser(), openBrowser(withTokens.handle)]
  await registerPasskey(thief, softwarePasskey(), address)
  world.op.person = ada
  await (way === "mail" ? world.signInByMail(owner, address) : world.signInAtOp(owner))
  return { world, thief, owner }
}

const cases = (["mail", "a provider"] as const).flatMap((way) =>
  [
    { kind: "a row", given: {} },
    { kind: "a managed row", given: { isManaged: true } },
    { kind: "a row with a token of the application", given: { more: ownTokens } },
    { kind: "a managed row with a token of the application", given: { more: ownTokens, isManaged: true } },
  ].map((one) => ({ way, ...one })),
)

describe.each(cases)("$kind, and the owner comes by $way", { tags: ["threat:A-022"] }, ({ way, given }) => {
  it("ends, and adds no account that stays", async () => {
    const { world, thief, owner } = await arrived(way, given)
    expect(await owner.session()).toMatchObject({ user: { email: address } })
    expect(await thief.session()).toBeNull()
    world.op.person = eve
    await world.signInAtOp(thief)
    const later = world.browser()
    await world.signInAtOp(later)
    expect(await later.session()).toMatchObject({ user: { email: eve.email } })
  })
})

it("where the table of rows has gone, the owner signs in all the same, and the log says so", async () => {
  const adapter = { ...memoryAdapter(), deleteSessionsByUserId: () => Promise.reject(new Error("no such table")) }
  const { world, owner } = await arrived("mail", { adapter })
  expect(await owner.session()).toMatchObject({ user: { email: address } })
  expect(world.errors).toMatchObject([{ type: "AdapterError" }])
})
