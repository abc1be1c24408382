/** An attacker uses an address before its owner does: the owner can sign in, and the attacker loses access. */

import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { Passkey } from "../../src/providers/passkey.js"
import { isRefusal, sessionCookie as session } from "../support/journeys.js"
import { passkeyCeremony } from "../support/passkeys.js"
import { makeWorld, type WorldOptions } from "../support/world.js"

const ada = "ada@op.test"
const strategies = ["database", "jwt"] as const
const open = (options: WorldOptions) =>
  makeWorld({ ...options, more: [Passkey()], config: { experimental: { enableWebAuthn: true } } })

const arrivals = [
  ["by mail", {}],
  ["at a provider that may link", { allowDangerousEmailAccountLinking: true }],
] as const

describe.each(strategies)("a passkey registered for an unproven address, %s", (strategy) => {
  it.each(arrivals)(
    "is removed when the owner signs in %s",
    { tags: ["threat:A-022", "threat:A-023"] },
    async (how, provider) => {
      const world = await open({ strategy, provider })
      const thief = world.browser()
      const key = softwarePasskey()
      await passkeyCeremony(thief, key, { action: "register", email: ada })
      expect(await thief.session()).toMatchObject({ user: { email: ada } })
      const owner = world.browser()
      await (how === "by mail" ? world.signInByMail(owner, ada) : world.signInAtOp(owner))
      expect(await owner.session()).toMatchObject({ user: { email: ada } })
      // A sealed session ends by its time alone; a row ends now.
      if (strategy === "database") expect(await thief.session()).toBeNull()
      const again = world.browser()
      expect((await passkeyCeremony(again, key, { action: "authenticate" })).location).toContain(
        "/auth/signin?error=Signin",
      )
      expect(again.cookie(session)).toBeUndefined()
      expect(await owner.session()).toMatchObject({ user: { email: ada } })
      expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
    },
  )

  it("is kept if its owner has proven the address before", async () => {
    const world = await open({ strategy })
    const owner = world.browser()
    await world.signInByMail(owner, ada)
    const key = softwarePasskey()
    await passkeyCeremony(owner, key, { action: "register" })
    await world.signInByMail(world.browser(), ada)
    const again = world.browser()
    await passkeyCeremony(again, key, { action: "authenticate" })
    expect(await again.session()).toMatchObject({ user: { email: ada } })
  })

  it("cannot be registered for an address that a user has", { tags: ["threat:WO-14", "threat:WR-38"] }, async () => {
    const world = await open({ strategy })
    await world.signInByMail(world.browser(), ada)
    const thief = world.browser()
    const visit = await passkeyCeremony(thief, softwarePasskey(), { action: "register", email: ada })
    expect(visit.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
    expect(thief.cookie(session)).toBeUndefined()
    const user = await world.adapter.getUserByEmail?.(ada)
    expect(await world.adapter.listAuthenticatorsByUserId?.(user?.id ?? "")).toEqual([])
  })

  it("refuses a credential with the id of another one", { tags: ["threat:RC-18", "threat:WR-32"] }, async () => {
    const world = await open({ strategy })
    const key = softwarePasskey()
    await passkeyCeremony(world.browser(), key, { action: "register", email: ada })
    // The store is a moment behind: the id looks free while the answer is verified.
    const { getAuthenticator, getUserByAccount, createAuthenticator: create } = world.adapter
    let looks = 0
    world.adapter.getAuthenticator = () => null
    world.adapter.getUserByAccount = (account) => (looks++ === 0 ? null : (getUserByAccount?.(account) ?? null))
    world.adapter.createAuthenticator = (row) => row
    Reflect.deleteProperty(world.adapter, "transaction")
    const thief = world.browser()
    const id = key.credentials[0]?.id
    const options = await thief.get("/auth/webauthn-options/passkey?action=register&email=mallory@evil.test")
    const forged = await softwarePasskey().create(JSON.parse(options.text).options, {
      ...(id && { attestedId: id }),
    })
    const text = Buffer.from(id ?? new Uint8Array()).toString("base64url")
    const data = JSON.stringify({ ...forged, id: text, rawId: text })
    const visit = await thief.post("/auth/callback/passkey", { action: "register", data })
    Object.assign(world.adapter, { getAuthenticator, getUserByAccount, createAuthenticator: create })
    expect(looks).toBeGreaterThan(1)
    expect(isRefusal(visit)).toBe(true)
    expect(thief.cookie(session)).toBeUndefined()
    expect(await world.adapter.getUserByEmail?.("mallory@evil.test")).toBeNull()
  })
})

describe.each(strategies)("an address at a provider, %s", (strategy) => {
  it.each<readonly [string, Record<string, unknown>, Record<string, unknown>]>([
    ["no option", {}, { email_verified: true }],
    ["an unverified address", { allowDangerousEmailAccountLinking: true }, { email_verified: false }],
    ...["false", "False", 0, [], {}].map(
      (email_verified) =>
        [
          `an address unverified as ${JSON.stringify(email_verified)}`,
          { allowDangerousEmailAccountLinking: true },
          { email_verified },
        ] as const,
    ),
  ])(
    "is not linked to its owner with %s",
    { tags: ["threat:A-022", "threat:A-023", "threat:A-024"] },
    async (_, provider, claims) => {
      const world = await makeWorld({ strategy, provider })
      await world.signInByMail(world.browser(), ada)
      world.op.person = { ...world.op.person, ...claims }
      const thief = world.browser()
      const visit = await world.signInAtOp(thief)
      expect(visit.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
      expect(thief.cookie(session)).toBeUndefined()
      expect(await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "person-1" })).toBeNull()
    },
  )

  it.each(["ADA@OP.TEST", " ada@op.test "])("written as %j is the same address", async (email) => {
    const world = await makeWorld({ strategy })
    await world.signInByMail(world.browser(), ada)
    world.op.person = { ...world.op.person, email }
    const visit = await world.signInAtOp(world.browser())
    expect(visit.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
  })

  it("that no provider states belongs to nobody: two people without an address are two users", {
    tags: ["threat:FD-23"],
  }, async () => {
    const world = await makeWorld({ strategy })
    const browsers = [world.browser(), world.browser()]
    for (const [index, browser] of browsers.entries()) {
      world.op.person = { sub: `nameless-${index}`, name: `N${index}` }
      await world.signInAtOp(browser)
      expect(await browser.session()).toMatchObject({ user: { name: `N${index}`, email: null } })
    }
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(2)
  })
})
