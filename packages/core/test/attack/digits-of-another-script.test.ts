/** Databases that take digits of other scripts for ours, before an adapter of somebody else's: whoever chose such an id is not who a plain number signs in as. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { Adapter } from "../../src/types/adapter.js"
import { makeWorld, type World } from "../support/world.js"

const sameDigits = new Intl.Collator("en", { sensitivity: "base", numeric: true })
const isSame = (one: string, other: string): boolean =>
  sameDigits.compare(one.normalize("NFKC"), other.normalize("NFKC")) === 0

/** An adapter of somebody else's over a table that compares that way. */
function collating({ comparesExactly, ...more }: Partial<Adapter> = {}): Adapter {
  const { transaction, comparesExactly: _, ...memory } = memoryAdapter()
  const ids: string[] = []
  const stored = (id: string): string => ids.find((known) => (comparesExactly ? known === id : isSame(known, id))) ?? id
  return {
    ...memory,
    ...(comparesExactly !== undefined && { comparesExactly }),
    ...more,
    getUserByAccount: ({ provider, providerAccountId }) =>
      memory.getUserByAccount({ provider, providerAccountId: stored(providerAccountId) }),
    getAccount: (id, provider) => memory.getAccount(stored(id), provider),
    async linkAccount(account) {
      ids.push(account.providerAccountId)
      return memory.linkAccount(account)
    },
  }
}

async function signIn(world: World, sub: string, name: string) {
  const email = `${name.toLowerCase()}@op.test`
  world.op.person = { sub, name, email, email_verified: true }
  const browser = world.browser()
  const { location } = await world.signInAtOp(browser)
  return { location, browser, name: ((await browser.session()) as { user?: { name?: string } } | null)?.user?.name }
}

const uuid = "0b6cf5e8-0000-4abc-8def-0123456789ab"

describe.each(["jwt", "database"] as const)("an id that looks like a number of the provider, %s", (strategy) => {
  it.each([
    ["fullwidth digits", "１２３", "123"],
    ["one digit of another script", "12٣", "123"],
    ["mathematical digits", "𝟏𝟐𝟑", "123"],
    ["a letter that nobody sees", "1\u200b23", "123"],
    ["a control character", "123\0", "123"],
    ["a space of no width", "123\u2060", "123"],
    ["a letter that is written above another", "123\u0363", "123"],
    ["a letter beyond the first plane", "123𝐚", "123"],
    ["a UUID in fullwidth letters", uuid.replace("b", "ｂ"), uuid],
  ])("is refused when an account is made of it: %s", { tags: ["threat:FD-21"] }, async (_, chosen, given) => {
    const world = await makeWorld({ strategy, adapter: collating() })
    const eve = await signIn(world, chosen, "Eve")
    expect(eve.name).toBeUndefined()
    expect(eve.location).toBe("https://app.test/auth/error?error=AccessDenied")
    expect(world.errors.at(-1)?.message).toContain("digits of another script")
    expect(await signIn(world, given, "Ada")).toMatchObject({ name: "Ada" })
  })

  it("is refused when it is added to somebody who is signed in", { tags: ["threat:FD-21"] }, async () => {
    const world = await makeWorld({ strategy, adapter: collating() })
    const browser = world.browser()
    await world.signInByMail(browser, "eve@op.test")
    world.op.person = { sub: "１２３", name: "Eve", email: "eve@op.test", email_verified: true }
    expect((await world.signInAtOp(browser)).location).toBe("https://app.test/auth/error?error=AccessDenied")
    expect(await signIn(world, "123", "Ada")).toMatchObject({ name: "Ada" })
  })

  it.each(["007", "+7", "1e3", "12345678e9", "12.0", "1_234", "123  ", "٣a", "東京２０２４", "🍣"])(
    "is not taken for one where no database does so, or it is no number: %j",
    async (sub) => {
      const world = await makeWorld({ strategy, adapter: collating() })
      expect(await signIn(world, sub, "Ada")).toMatchObject({ name: "Ada" })
    },
  )

  it("signs in where the adapter tells it apart, and where it has an account already", async () => {
    const exact = await makeWorld({ strategy, adapter: collating({ comparesExactly: true }) })
    expect(await signIn(exact, "１２３", "Eve")).toMatchObject({ name: "Eve" })
    const adapter = collating()
    const user = await adapter.createUser?.({ id: "e", email: "eve@op.test", emailVerified: null, name: "Eve" })
    const account = { type: "oidc", provider: "op", providerAccountId: "１２３" } as const
    await adapter.linkAccount?.({ userId: user?.id ?? "", ...account })
    expect(await signIn(await makeWorld({ strategy, adapter }), "１２３", "Eve")).toMatchObject({ name: "Eve" })
  })
})
