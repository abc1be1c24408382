/** Databases that take `José` for `jose` in the ids of accounts, before an adapter of somebody else's: nobody signs in as the owner of another id. */
import { describe, expect, it, vi } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import { makeWorld } from "../support/world.js"

const base = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}|\0/gu, "")
    .replaceAll("ß", "ss")
    .trimEnd()
    .toLowerCase()

/** An adapter of somebody else's over tables whose columns compare that way, and pad what they return where asked to. */
async function folding(id: string, { pad = "" } = {}): Promise<Adapter> {
  const { transaction, comparesExactly, ...memory } = memoryAdapter()
  const victim = await memory.createUser({ id: "v", email: "v@op.test", emailVerified: null, name: "Victim" })
  await memory.linkAccount({ userId: victim.id, type: "oidc", provider: "op", providerAccountId: id })
  const stored = (asked: string): string => (base(asked) === base(id) ? id : asked)
  return {
    ...memory,
    getUserByAccount: ({ provider, providerAccountId }) =>
      memory.getUserByAccount({ provider, providerAccountId: stored(providerAccountId) }),
    async getAccount(providerAccountId, provider) {
      const row = await memory.getAccount(stored(providerAccountId), provider)
      return row && { ...row, providerAccountId: `${row.providerAccountId}${pad}` }
    },
  }
}

async function nameAfterSignIn(strategy: "jwt" | "database", sub: string, adapter: Adapter): Promise<unknown> {
  const world = await makeWorld({ strategy, adapter })
  world.op.person = { sub, name: "Eve", email: "eve@op.test", email_verified: true }
  const browser = world.browser()
  await world.signInAtOp(browser)
  return ((await browser.session()) as { user?: { name?: string } } | null)?.user?.name
}

describe.each(["jwt", "database"] as const)(
  "the id of an account that a database takes for another, %s",
  (strategy) => {
    it.each([
      ["an accent", "jose", "josé"],
      ["capitals", "jose", "Jose"],
      ["a space behind it", "jose", "jose "],
      ["another letter", "josess", "joseß"],
      ["a byte that does not count", "jose", "jose\0"],
    ])("with %s signs nobody in as its owner", { tags: ["threat:FD-21"] }, async (_, victims, own) => {
      expect(await nameAfterSignIn(strategy, own, await folding(victims))).not.toBe("Victim")
    })

    it.each([
      ["as it is", "José", {}],
      ["padded by a column of a fixed width", "jose", { pad: "    " }],
      ["in another way on purpose, as after a change of ids", "jose", { pad: "-before-the-change" }],
    ])("signs its owner in where the adapter returns it %s", async (_, id, options) => {
      expect(await nameAfterSignIn(strategy, id, await folding(id, options))).toBe("Victim")
    })
  },
)

describe("the account is read again", () => {
  it.each([
    ["for a name", "jose", {}, 1],
    ["not for a number", "1234567", {}, 0],
    ["not where the adapter compares exactly", "jose", { comparesExactly: true }, 0],
    ["not where the adapter has no such operation", "jose", { getAccount: undefined }, 0],
  ])("%s", async (_, sub, more, times) => {
    const { comparesExactly, ...memory } = memoryAdapter()
    const getAccount = vi.fn(memory.getAccount)
    const { transaction, ...rest } = { ...memory, getAccount, ...more }
    const adapter = rest as Adapter
    const names = [await nameAfterSignIn("jwt", sub, adapter), await nameAfterSignIn("jwt", sub, adapter)]
    expect(names).toEqual(["Eve", "Eve"])
    expect(getAccount).toHaveBeenCalledTimes(times)
  })
})
