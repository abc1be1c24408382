/** An unproven address does not identify a user: what an attacker attached is removed when the owner signs in, with any adapter. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { Passkey } from "../../src/providers/passkey.js"
import { passkeyCeremony } from "../support/passkeys.js"
import { allShapes, openShape, passkeyShapes, type Shape, shapedAdapter } from "../support/shaped.js"
import { makeWorld, type World, type WorldOptions } from "../support/world.js"

const ada = "ada@op.test"
const strategies = ["database", "jwt"] as const
const unlinked = "https://app.test/auth/signin?error=OAuthAccountNotLinked"

const everywhere = (kinds: readonly Shape[]) =>
  strategies.flatMap((strategy) => kinds.map((shape) => [strategy, shape] as const))

async function open(shape: Shape, options: WorldOptions): Promise<World> {
  return makeWorld({
    ...options,
    adapter: await openShape(shape),
    more: [Passkey()],
    config: { experimental: { enableWebAuthn: true }, ...options.config },
  })
}

const openWithoutPasskeys = async (shape: Shape, options: WorldOptions): Promise<World> =>
  makeWorld({ ...options, adapter: await openShape(shape) })

const opAccount = { provider: "op", providerAccountId: "person-1" }
/** Rows alone can be ended; a sealed session looks for the account that began it. */
const endsSessions = ({ adapter, config }: World): boolean =>
  adapter.deleteSessionsByUserId !== undefined && config.session?.strategy === "database"
const removesAccounts = ({ adapter }: World): boolean => adapter.listAccountsByUserId !== undefined

describe.each(everywhere(allShapes))("an attacker signed in with a provider, %s, %s", (strategy, shape) => {
  it("that marks the address unverified: the owner who signs in by mail is another user", {
    tags: ["threat:A-024", "threat:Q-07"],
  }, async () => {
    const world = await openWithoutPasskeys(shape, { strategy })
    world.op.person = { ...world.op.person, email_verified: false }
    const thief = world.browser()
    await world.signInAtOp(thief)
    const owner = world.browser()
    await world.signInByMail(owner, ada)
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
    const users = [await world.adapter.getUserByAccount?.(opAccount), await world.adapter.getUserByEmail?.(ada)].map(
      (user) => user?.id,
    )
    expect(users[0]).not.toBe(users[1])
    await world.signInAtOp(thief)
    expect((await world.adapter.getUserByAccount?.(opAccount))?.id).toBe(users[0])
  })

  it.each([
    ["says nothing of the address", {}],
    ["keeps unverified addresses", { allowUnverifiedEmail: true, emailVerified: () => false }],
  ])("that %s: the session ends when the owner signs in by mail", { tags: ["threat:A-024"] }, async (_, provider) => {
    const world = await openWithoutPasskeys(shape, { strategy, provider })
    world.op.person = { sub: "person-1", name: "Ada", email: ada }
    const thief = world.browser()
    await world.signInAtOp(thief)
    expect(await thief.session()).toMatchObject({ user: { email: ada } })
    const owner = world.browser()
    await world.signInByMail(owner, ada)
    expect(await thief.session()).toBeNull()
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
    const account = await world.adapter.getUserByAccount?.(opAccount)
    if (removesAccounts(world)) {
      expect(account).toBeNull()
      expect((await world.signInAtOp(thief)).location).toBe(unlinked)
    } else {
      // Nothing can list it: the warning at the start names the provider.
      expect(account).not.toBeNull()
      expect(world.warnings).toContain("accounts-of-unverified-email")
    }
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
  })

  it("that does not state it: the session ends when the owner signs in with a provider that verifies", {
    tags: ["threat:A-022"],
  }, async () => {
    const verifying = { id: "verifying", emailVerified: () => true, allowDangerousEmailAccountLinking: true }
    const world = await openWithoutPasskeys(shape, { strategy, second: verifying })
    world.op.person = { sub: "person-1", name: "Ada", email: ada }
    const thief = world.browser()
    await world.signInAtOp(thief)
    world.op.person = { sub: "person-2", name: "Ada", email: ada }
    const owner = world.browser()
    await world.signInAtOp(owner, { provider: "verifying" })
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
    // With the operations of the specification alone nothing tells that the owner was there, before the first mail link.
    const isEnded = removesAccounts(world) || endsSessions(world)
    if (!isEnded) {
      expect(await thief.session()).toMatchObject({ user: { email: ada } })
      await world.signInByMail(world.browser(), ada)
    }
    expect(await thief.session()).toBeNull()
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
  })

  it("and may not link another account before the address is proven", async () => {
    const world = await openWithoutPasskeys(shape, { strategy })
    world.op.person = { sub: "person-1", name: "Ada", email: ada }
    const thief = world.browser()
    await world.signInAtOp(thief)
    world.op.person = { sub: "person-2", name: "Eve", email: "eve@evil.test", email_verified: true }
    expect((await world.signInAtOp(thief)).location).toBe(unlinked)
    expect(await world.adapter.getUserByAccount?.({ ...opAccount, providerAccountId: "person-2" })).toBeNull()
  })
})

describe.each(everywhere(passkeyShapes))("an attacker registered a passkey, %s, %s", (strategy, shape) => {
  it("loses access when the owner signs in by mail, with passkeys added meanwhile", {
    tags: ["threat:A-024"],
  }, async () => {
    const world = await open(shape, { strategy })
    const thief = world.browser()
    const keys = [softwarePasskey(), softwarePasskey()] as const
    await passkeyCeremony(thief, keys[0], { action: "register", email: ada })
    await passkeyCeremony(thief, keys[1], { action: "register" })
    const again = world.browser()
    await passkeyCeremony(again, keys[0], { action: "authenticate" })
    for (const browser of [thief, again]) expect(await browser.session()).toMatchObject({ user: { email: ada } })
    const owner = world.browser()
    await world.signInByMail(owner, ada)
    for (const browser of [thief, again]) expect(await browser.session()).toBeNull()
    for (const key of keys) {
      const later = world.browser()
      await passkeyCeremony(later, key, { action: "authenticate" })
      expect(await later.session()).toBeNull()
    }
    const late = await passkeyCeremony(thief, softwarePasskey(), { action: "register", email: ada })
    expect(late.location).toBe(unlinked)
    expect(await owner.session()).toMatchObject({ user: { email: ada } })
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
  })

  it("may not link an account of a provider", async () => {
    const world = await open(shape, { strategy })
    const thief = world.browser()
    await passkeyCeremony(thief, softwarePasskey(), { action: "register", email: ada })
    world.op.person = { sub: "person-2", name: "Eve", email: "eve@evil.test", email_verified: true }
    expect((await world.signInAtOp(thief)).location).toBe(unlinked)
  })

  it.each([
    ["may link by address", { allowDangerousEmailAccountLinking: true }],
    ["may not", {}],
  ])(
    "loses access when the owner signs in with a provider that %s",
    { tags: ["threat:A-022"] },
    async (how, provider) => {
      const world = await open(shape, { strategy, provider: { ...provider, emailVerified: () => true } })
      const thief = world.browser()
      const key = softwarePasskey()
      await passkeyCeremony(thief, key, { action: "register", email: ada })
      const owner = world.browser()
      const visit = await world.signInAtOp(owner)
      if (how === "may not" && !removesAccounts(world)) {
        // Whether the user holds more than a passkey, nobody can say.
        expect(visit.location).toBe(unlinked)
        return
      }
      expect(await owner.session()).toMatchObject({ user: { email: ada } })
      expect(await thief.session()).toBeNull()
      const later = world.browser()
      await passkeyCeremony(later, key, { action: "authenticate" })
      expect(await later.session()).toBeNull()
      expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
    },
  )
})

describe.each(strategies)("a request of the attacker that the application delays, %s", (strategy) => {
  const stage = async () => {
    const shaped = shapedAdapter("ours, with transactions")
    const waits: (() => void)[] = []
    let isKept = false
    const signIn = async (): Promise<boolean> => {
      if (isKept) await new Promise<void>((resolve) => waits.push(resolve))
      return true
    }
    const config = { experimental: { enableWebAuthn: true }, callbacks: { signIn } }
    const world = await makeWorld({ strategy, adapter: shaped.adapter, more: [Passkey()], config })
    /** Begins while the application is asked, and goes on when the owner has arrived by mail. */
    const whileOwnerArrives = async (work: () => Promise<unknown>): Promise<void> => {
      isKept = true
      const waiting = work()
      await expect.poll(() => waits.length).toBe(1)
      isKept = false
      await world.signInByMail(world.browser(), ada)
      for (const release of waits) release()
      await waiting
    }
    return { world, inner: shaped.inner, whileOwnerArrives }
  }

  it("adds no passkey", async () => {
    const { world, whileOwnerArrives } = await stage()
    const thief = world.browser()
    const key = softwarePasskey()
    await passkeyCeremony(thief, softwarePasskey(), { action: "register", email: ada })
    await whileOwnerArrives(() => passkeyCeremony(thief, key, { action: "register" }))
    expect(await thief.session()).toBeNull()
    const later = world.browser()
    await passkeyCeremony(later, key, { action: "authenticate" })
    expect(await later.session()).toBeNull()
  })

  it("cannot sign in with a removed passkey", async () => {
    const { world, whileOwnerArrives } = await stage()
    const key = softwarePasskey()
    await passkeyCeremony(world.browser(), key, { action: "register", email: ada })
    const thief = world.browser()
    await whileOwnerArrives(() => passkeyCeremony(thief, key, { action: "authenticate" }))
    expect(await thief.session()).toBeNull()
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
  })

  it("cannot sign in with a removed account, and links none", async () => {
    const { world, inner, whileOwnerArrives } = await stage()
    world.op.person = { sub: "person-1", name: "Eve", email: ada }
    await world.signInAtOp(world.browser())
    const thief = world.browser()
    await whileOwnerArrives(() => world.signInAtOp(thief))
    expect(await thief.session()).toBeNull()
    expect(await inner.getUserByAccount(opAccount)).toBeNull()
  })
})
