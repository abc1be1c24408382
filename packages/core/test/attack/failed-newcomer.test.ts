/** A store gives an id again and cannot remove what is left under it: a registration that fails leaves no user to the one before. */
import { describe, expect, it } from "vitest"
import type { Adapter } from "../../src/types/adapter.js"
import { countingAdapter } from "../support/counting-adapter.js"
import { makeWorld } from "../support/world.js"

const steps = ["transaction", "createUserWithAccount"] as const

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  it.each([
    ["offers no `unlinkAccount`", countingAdapter({ leavesRows: true, without: [...steps, "unlinkAccount"] })],
    [
      "fails to unlink",
      {
        ...countingAdapter({ leavesRows: true, without: [...steps] }),
        unlinkAccount: async () => {
          throw new Error("down")
        },
      },
    ],
  ])("nobody is signed in as a newcomer where the adapter %s", { tags: ["threat:FD-21"] }, async (_, given) => {
    const adapter: Adapter = { ...given }
    const world = await makeWorld({ strategy, adapter, mail: false })
    const signIn = (sub: string) => {
      world.op.person = { sub, name: sub, email: `${sub}@op.test`, email_verified: true }
      const browser = world.browser()
      return world.signInAtOp(browser).then(() => browser.session())
    }
    const first = `first-${strategy}`
    expect(await signIn(first)).not.toBeNull()
    const before = await adapter.getUserByEmail?.(`${first}@op.test`)
    await adapter.deleteUser?.(before?.id ?? "")
    expect(await signIn(`second-${strategy}`)).toBeNull()
    expect(await adapter.getUserByEmail?.(`second-${strategy}@op.test`)).toBeNull()
    expect(await signIn(first)).not.toMatchObject({ user: { name: `second-${strategy}` } })
  })
})
