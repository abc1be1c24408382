/** The stored tokens of a provider are updated at each sign-in. */
import { memoryAdapter } from "@latchkey/core/memory"
import { describe, expect, it } from "vitest"
import { makeWorld, type WorldOptions } from "../support/world.js"

const account = { provider: "op", providerAccountId: "person-1" } as const

async function worldWith(options: WorldOptions = {}) {
  const world = await makeWorld(options)
  const signIn = async (tokens: Record<string, unknown>): Promise<void> => {
    world.op.tokens = tokens
    await world.signInAtOp(world.browser())
    expect(world.errors).toEqual([])
  }
  const stored = () => world.adapter.getAccount?.(account.providerAccountId, account.provider)
  return { world, signIn, stored }
}

describe.each(["jwt", "database"] as const)("tokens of a provider, %s strategy", (strategy) => {
  it("are replaced at the next sign-in", async () => {
    const { signIn, stored } = await worldWith({ strategy })
    await signIn({ refresh_token: "refresh-1", scope: "openid" })
    const first = await stored()
    await signIn({ refresh_token: "refresh-2", scope: "openid mail" })
    const second = await stored()
    expect(second).toMatchObject({ refresh_token: "refresh-2", scope: "openid mail", userId: first?.userId })
    expect(second?.access_token).not.toBe(first?.access_token)
  })

  it("are kept where the provider did not send them again", async () => {
    const { signIn, stored } = await worldWith({ strategy })
    await signIn({ refresh_token: "refresh-1" })
    await signIn({})
    expect(await stored()).toMatchObject({ refresh_token: "refresh-1" })
  })

  it("are those that the account callback of the provider returns", async () => {
    const kept: WorldOptions = { strategy, provider: { account: ({ scope }: { scope?: string }) => ({ scope }) } }
    const { signIn, stored } = await worldWith(kept)
    await signIn({ refresh_token: "refresh-1", scope: "openid" })
    await signIn({ refresh_token: "refresh-2", scope: "openid mail" })
    const row = await stored()
    expect(row).toMatchObject({ scope: "openid mail" })
    expect(row).not.toHaveProperty("refresh_token")
    expect(row).not.toHaveProperty("access_token")
  })

  it("are not written where the account callback keeps none", async () => {
    const adapter = memoryAdapter()
    let calls = 0
    const counting = {
      ...adapter,
      updateAccount: (...given: Parameters<typeof adapter.updateAccount>) => {
        calls += 1
        return adapter.updateAccount(...given)
      },
      transaction: undefined,
    }
    const none: WorldOptions = { strategy, adapter: counting as never, provider: { account: () => undefined } }
    const { signIn } = await worldWith(none)
    await signIn({})
    await signIn({})
    expect(calls).toBe(0)
  })

  it("are those of the first sign-in with an adapter that cannot change accounts", async () => {
    const { updateAccount: _, transaction: __, ...adapter } = memoryAdapter()
    const { signIn, stored } = await worldWith({ strategy, adapter })
    await signIn({ refresh_token: "refresh-1" })
    await signIn({ refresh_token: "refresh-2" })
    expect(await stored()).toMatchObject({ refresh_token: "refresh-1" })
  })
})
