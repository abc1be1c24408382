/** Somebody whom the application refuses comes by another way in: what the `signIn` callback is asked, and what the guide on roles has it look up. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { AuthConfig } from "../../src/types/config.js"
import type { User } from "../../src/types/identity.js"
import { passkeyCeremony } from "../support/passkeys.js"
import { makeWorld } from "../support/world.js"

const byClaim = { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified }
const linking = { ...byClaim, allowDangerousEmailAccountLinking: true }
const isBanned = (user: object | null | undefined): boolean => (user as { banned?: boolean } | null)?.banned === true

async function scene(strategy: "jwt" | "database", provider: Record<string, unknown>) {
  const adapter = memoryAdapter()
  const asked: User[] = []
  const callbacks: AuthConfig["callbacks"] = {
    async signIn({ user }) {
      asked.push(user)
      const owner = user.email ? await adapter.getUserByEmail?.(user.email) : null
      return !isBanned(user) && !isBanned(owner)
    },
  }
  const config: Partial<AuthConfig> = { callbacks, experimental: { enableWebAuthn: true } }
  const more = [Passkey()]
  const second = { id: "two", ...provider }
  const world = await makeWorld({ adapter, strategy, provider, second, mail: false, more, config })
  const ban = async (): Promise<string> => {
    const id = (await adapter.getUserByEmail?.("ada@op.test"))?.id ?? ""
    await adapter.updateUser?.({ id, banned: true } as never)
    return id
  }
  return { world, asked, ban }
}

const refused = "https://app.test/auth/error?error=AccessDenied"
const tags = ["threat:Q-07"]

describe.each(["jwt", "database"] as const)("who is refused, %s", (strategy) => {
  it("is so by a provider that would be linked by address, of whom the callback is not given the user", {
    tags,
  }, async () => {
    const { world, asked, ban } = await scene(strategy, linking)
    await world.signInAtOp(world.browser())
    const id = await ban()
    expect((await world.signInAtOp(world.browser())).location).toBe(refused)
    expect(asked.at(-1)).toMatchObject({ id, banned: true })
    const browser = world.browser()
    expect((await world.signInAtOp(browser, { provider: "two" })).location).toBe(refused)
    expect(asked.at(-1)?.id).not.toBe(id)
    expect(isBanned(asked.at(-1))).toBe(false)
    expect(await browser.session()).toBeNull()
    expect(await world.adapter.listAccountsByUserId?.(id)).toHaveLength(1)
  })

  it("is so at an address that only a passkey claimed, and others are not", { tags }, async () => {
    const { world, ban } = await scene(strategy, byClaim)
    await passkeyCeremony(world.browser(), softwarePasskey(), { action: "register", email: "ada@op.test" })
    await ban()
    const browser = world.browser()
    expect((await world.signInAtOp(browser)).location).toBe(refused)
    expect(await browser.session()).toBeNull()
    world.op.person = { sub: "grace", email: "grace@op.test", email_verified: true }
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { email: "grace@op.test" } })
  })
})
