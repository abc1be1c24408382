/** Accounts get other ids where a provider is configured so: the signIn callback moves one when its person comes, as the page on users and accounts has it. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import type { AuthConfig } from "../../src/types/config.js"
import { makeWorld } from "../support/world.js"

const ada = { sub: "111", preferred_username: "ada", name: "Ada" }
const byName = { profile: (profile: { preferred_username?: string }) => ({ id: profile.preferred_username ?? "" }) }

function withoutTransaction(): Adapter {
  const { transaction: _, ...adapter } = memoryAdapter()
  return adapter
}

function moving(adapter: Adapter, until: Date): NonNullable<AuthConfig["callbacks"]>["signIn"] {
  return async ({ account, profile }) => {
    const name = profile?.preferred_username
    if (account?.provider !== "op" || typeof name !== "string" || new Date() > until) return true
    const { provider, providerAccountId } = account
    if (await adapter.getAccount?.(providerAccountId, provider)) return true
    const former = await adapter.getAccount?.(name, provider)
    if (!former) return true
    await adapter.unlinkAccount?.({ provider, providerAccountId: name })
    await adapter.linkAccount?.({ ...former, providerAccountId })
    return true
  }
}

describe.each([
  ["with transactions", memoryAdapter],
  ["without", withoutTransaction],
])("an account that is moved, %s", (_, make) => {
  const users = async (until: number): Promise<readonly unknown[]> => {
    const adapter = make()
    const before = await makeWorld({ adapter, mail: false, strategy: "jwt", provider: byName })
    before.op.person = ada
    await before.signInAtOp(before.browser())
    const callbacks = { signIn: moving(adapter, new Date(Date.now() + until)) }
    const world = await makeWorld({
      adapter,
      mail: false,
      strategy: "jwt",
      config: { callbacks } as Partial<AuthConfig>,
    })
    const found: unknown[] = [(await adapter.getUserByAccount?.({ provider: "op", providerAccountId: "ada" }))?.id]
    for (const sub of ["111", "222"]) {
      world.op.person = { ...ada, sub }
      await world.signInAtOp(world.browser())
      found.push((await adapter.getUserByAccount?.({ provider: "op", providerAccountId: sub }))?.id)
    }
    return found
  }

  it("is still its user's, and whoever has the name later is somebody else", async () => {
    const [before, moved, other] = await users(60_000)
    expect(moved).toBe(before)
    expect(other).toEqual(expect.not.stringMatching(String(before)))
  })

  it("is nobody's any more once that has ended", async () => {
    const [before, later] = await users(-1)
    expect(later).toEqual(expect.not.stringMatching(String(before)))
  })
})
