/** Legitimate users and the rules for unproven addresses: which user they are, and what is kept. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { Passkey } from "../../src/providers/passkey.js"
import type { Adapter } from "../../src/types/adapter.js"
import { passkeyCeremony } from "../support/passkeys.js"
import { makeWorld, type World, type WorldOptions } from "../support/world.js"

const ada = "ada@op.test"
const strategies = ["database", "jwt"] as const
const opAccount = { provider: "op", providerAccountId: "person-1" }
const unverified = (): boolean => false
const ownerOf = async ({ adapter }: World): Promise<string | undefined> =>
  (await adapter.getUserByAccount?.(opAccount))?.id
const withPasskeys = (options: WorldOptions): Promise<World> =>
  makeWorld({ ...options, more: [Passkey()], config: { experimental: { enableWebAuthn: true }, ...options.config } })

describe.each(strategies)("a legitimate user, %s", (strategy) => {
  it("signed in with a provider that verifies addresses, then by mail: one user, and the account is kept", async () => {
    const world = await makeWorld({ strategy, provider: { emailVerified: () => true } })
    await world.signInAtOp(world.browser())
    const before = await ownerOf(world)
    const browser = world.browser()
    await world.signInByMail(browser, ada)
    expect(await ownerOf(world)).toBe(before)
    expect((await world.adapter.getUserByEmail?.(ada))?.id).toBe(before)
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { email: ada } })
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
    expect(world.warnings).toEqual([])
  })

  it("signed in with a provider whose address is unverified: signed in, shown, and left out of the row", async () => {
    const asked: unknown[] = []
    const signIn = ({ user }: { user: { email?: string | null } }): boolean => asked.push(user.email) > 0
    const world = await makeWorld({
      strategy,
      provider: { emailVerified: unverified },
      config: { callbacks: { signIn } },
    })
    const browser = world.browser()
    for (const _ of [1, 2]) await world.signInAtOp(browser)
    const shown = strategy === "jwt" ? ada : null
    expect(await browser.session()).toMatchObject({ user: { name: "Ada", email: shown } })
    expect(asked).toEqual([ada, ada])
    expect((await world.adapter.getUserByAccount?.(opAccount))?.email).toBe("")
    expect(await world.adapter.getUserByEmail?.(ada)).toBeNull()
  })

  it.each([
    ["allowUnverifiedEmail keeps it", { emailVerified: unverified, allowUnverifiedEmail: true }, true, ada],
    ["nobody can be found by it", { emailVerified: unverified }, false, ada],
  ])("has an unverified address in the row where %s", async (_, provider, hasMail, expected) => {
    const adapter = memoryAdapter()
    const world = await makeWorld({ strategy, provider, adapter, config: {} })
    if (!hasMail) world.config.providers = world.config.providers.slice(0, 1)
    await world.signInAtOp(world.browser())
    expect((await adapter.getUserByAccount(opAccount))?.email).toBe(expected)
  })

  it("has a user from before the move, created by a provider and proven by mail: nothing is removed", async () => {
    const adapter = memoryAdapter()
    await adapter.createUser({ id: "1", email: ada, emailVerified: new Date(0) })
    await adapter.linkAccount({ ...opAccount, userId: "1", type: "oidc" })
    const world = await makeWorld({ strategy, adapter })
    const [phone, laptop] = [world.browser(), world.browser()]
    await world.signInAtOp(phone)
    await world.signInByMail(laptop, ada)
    for (const browser of [phone, laptop]) expect(await browser.session()).toMatchObject({ user: { email: ada } })
    expect(await ownerOf(world)).toBe("1")
    expect((await adapter.getUser("1"))?.emailVerified).toEqual(new Date(0))
  })

  it("has a user from before the move at a provider that verifies nothing: by mail it is the same user", async () => {
    const adapter = memoryAdapter()
    await adapter.createUser({ id: "1", name: "Ada", email: ada, emailVerified: null })
    await adapter.linkAccount({ ...opAccount, userId: "1", type: "oidc" })
    const world = await makeWorld({ strategy, adapter })
    const browser = world.browser()
    await world.signInByMail(browser, ada)
    expect((await adapter.getUserByEmail(ada))?.id).toBe("1")
    // The account is linked again by whoever is signed in.
    expect(await ownerOf(world)).toBeUndefined()
    await world.signInAtOp(browser)
    expect(await ownerOf(world)).toBe("1")
  })

  it("registered a passkey first and signs in by mail later: the same user, who registers the passkey again", async () => {
    const world = await withPasskeys({ strategy })
    const browser = world.browser()
    await passkeyCeremony(browser, softwarePasskey(), { action: "register", email: ada })
    const before = (await world.adapter.getUserByEmail?.(ada))?.id
    await world.signInByMail(browser, ada)
    expect((await world.adapter.getUserByEmail?.(ada))?.id).toBe(before)
    const key = softwarePasskey()
    await passkeyCeremony(browser, key, { action: "register" })
    const other = world.browser()
    await passkeyCeremony(other, key, { action: "authenticate" })
    await world.signInByMail(world.browser(), ada)
    for (const it of [browser, other]) expect(await it.session()).toMatchObject({ user: { email: ada } })
  })

  it("has two devices: signing in with an existing method removes nothing", async () => {
    const world = await withPasskeys({ strategy, provider: { emailVerified: () => true } })
    const [phone, laptop] = [world.browser(), world.browser()]
    await world.signInAtOp(phone)
    const key = softwarePasskey()
    await passkeyCeremony(phone, key, { action: "register" })
    await passkeyCeremony(laptop, key, { action: "authenticate" })
    await world.signInAtOp(world.browser())
    for (const browser of [phone, laptop]) expect(await browser.session()).toMatchObject({ user: { email: ada } })
  })

  it("signs in with a verifying provider that may link, to a user who proved the address: both methods are kept", async () => {
    const provider = { emailVerified: () => true, allowDangerousEmailAccountLinking: true }
    const world = await makeWorld({ strategy, provider })
    const [phone, laptop] = [world.browser(), world.browser()]
    await world.signInByMail(phone, ada)
    await world.signInAtOp(laptop)
    for (const browser of [phone, laptop]) expect(await browser.session()).toMatchObject({ user: { email: ada } })
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
  })

  it("is not linked by an unverified address: an unproven row where a provider verifies nothing", {
    tags: ["threat:A-022", "threat:Q-07"],
  }, async () => {
    const adapter = memoryAdapter()
    await adapter.createUser({ id: "1", email: ada, emailVerified: null })
    const world = await makeWorld({ strategy, adapter, provider: { allowDangerousEmailAccountLinking: true } })
    world.op.person = { sub: "person-1", email: ada }
    const visit = await world.signInAtOp(world.browser())
    expect(visit.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
    expect(world.warnings).toContain("linking-of-unverified-email")
  })
})

describe("numbers as account ids", () => {
  const profile = () => ({ id: 583231 as unknown as string, name: "Ada", email: ada })

  it("find the account that a store has kept as a number, and new accounts are text", async () => {
    const { transaction: _, ...adapter } = memoryAdapter()
    const asked: unknown[] = []
    const rows = new Map<unknown, string>([[583231, "1"]])
    await adapter.createUser({ id: "1", email: ada, emailVerified: null })
    const typed: Adapter = {
      ...adapter,
      getUserByAccount: ({ providerAccountId }) => {
        asked.push(providerAccountId)
        return rows.has(providerAccountId) ? adapter.getUser("1") : null
      },
    }
    const world = await makeWorld({ adapter: typed, provider: { profile } })
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { email: ada } })
    expect(asked.slice(0, 2)).toEqual(["583231", 583231])
    const fresh = await makeWorld({ provider: { profile } })
    await fresh.signInAtOp(fresh.browser())
    expect(await fresh.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "583231" })).not.toBeNull()
  })

  it("that the store rejects as an argument count as unknown, and that is logged", async () => {
    const adapter = memoryAdapter()
    const typed: Adapter = {
      ...adapter,
      getUserByAccount: (key) => {
        if (typeof key.providerAccountId === "number") throw new Error("operator does not exist: text = integer")
        return adapter.getUserByAccount(key)
      },
    }
    const world = await makeWorld({ adapter: typed, provider: { profile } })
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { email: ada } })
    expect(world.errors).toEqual([expect.objectContaining({ type: "AdapterError" })])
  })
})
