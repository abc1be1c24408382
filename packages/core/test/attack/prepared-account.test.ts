/** An account that an attacker prepares at somebody else's address, and where no mail is sent: the owner arrives by a provider. */
import { softwarePasskey } from "@latchkey/testing"
import { describe, expect, it } from "vitest"
import { Passkey } from "../../src/providers/passkey.js"
import { passkeyCeremony } from "../support/passkeys.js"
import { makeWorld, type World } from "../support/world.js"

const ada = { sub: "person-1", name: "Ada", email: "ada@op.test", email_verified: true }
const eve = { sub: "person-2", name: "Eve", email: "eve@evil.test", email_verified: true }
const unlinked = "https://app.test/auth/signin?error=OAuthAccountNotLinked"
const byClaim = { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified }
const linking = { ...byClaim, allowDangerousEmailAccountLinking: true }

type Strategy = "jwt" | "database"
const withPasskeys = (strategy: Strategy, provider: object = linking): Promise<World> =>
  makeWorld({
    strategy,
    mail: false,
    provider: { ...provider },
    more: [Passkey()],
    config: { experimental: { enableWebAuthn: true } },
  })

describe.each(["jwt", "database"] as const)("without mail, %s", (strategy) => {
  it.each([
    ["may link by address", linking],
    ["may not", byClaim],
  ])(
    "a passkey at the address opens no way for an account of a provider that %s",
    { tags: ["threat:A-022"] },
    async (_, provider) => {
      const world = await withPasskeys(strategy, provider)
      const thief = world.browser()
      await passkeyCeremony(thief, softwarePasskey(), { action: "register", email: ada.email })
      world.op.person = eve
      expect((await world.signInAtOp(thief)).location).toBe(unlinked)
      world.op.person = ada
      const owner = world.browser()
      await world.signInAtOp(owner)
      expect(await owner.session()).toMatchObject({ user: { email: ada.email } })
      expect(await thief.session()).toBeNull()
      world.op.person = eve
      const later = world.browser()
      await world.signInAtOp(later)
      expect(await later.session()).toMatchObject({ user: { email: eve.email } })
    },
  )

  it("neither does an account at a provider that says nothing of the address", { tags: ["threat:A-022"] }, async () => {
    const second = { id: "silent", emailVerified: undefined }
    const world = await makeWorld({ strategy, mail: false, provider: linking, second })
    const thief = world.browser()
    world.op.person = { sub: "person-3", name: "Eve", email: ada.email }
    await world.signInAtOp(thief, { provider: "silent" })
    expect(await thief.session()).toMatchObject({ user: { email: ada.email } })
    world.op.person = eve
    expect((await world.signInAtOp(thief)).location).toBe(unlinked)
    world.op.person = ada
    const owner = world.browser()
    await world.signInAtOp(owner)
    expect(await owner.session()).toMatchObject({ user: { email: ada.email } })
    expect(await thief.session()).toBeNull()
  })

  it("whoever registers a passkey at their own address links the account that proves it", async () => {
    const world = await withPasskeys(strategy)
    const browser = world.browser()
    await passkeyCeremony(browser, softwarePasskey(), { action: "register", email: ada.email })
    world.op.person = ada
    expect((await world.signInAtOp(browser)).location).toBe("https://app.test/")
    const later = world.browser()
    await world.signInAtOp(later)
    expect(await later.session()).toMatchObject({ user: { email: ada.email } })
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
  })
})
