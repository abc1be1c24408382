/** What a service says of one address, and the application uses another: nothing has been said of that one. */
import { describe, expect, it } from "vitest"
import { Auth0 } from "../../src/providers/auth0.js"
import { makeWorld } from "../support/world.js"
import { openIdService } from "./support/services.js"

const ada = "ada@op.test"
const eve = { sub: "eve", name: "Eve", email: "eve@evil.test", email_verified: true, preferred_username: ada }

interface Claims {
  readonly sub: string
  readonly email: string
  readonly preferred_username: string
}
const byName = ({ sub, preferred_username }: Claims): object => ({ id: sub, email: preferred_username })
const byAddress = ({ sub, email }: Claims): object => ({ id: sub, email: ` ${email.toUpperCase()} ` })
const open = (more: object) => openIdService(Auth0 as never, { issuer: "https://op.test", person: eve, ...more })

describe.each(["jwt", "database"] as const)("an address that the statement is not about, %s", (strategy) => {
  it("does not keep a prepared account when its owner comes", { tags: ["threat:A-022"] }, async () => {
    const { provider, signIn } = await open({ profile: byName })
    const world = await makeWorld({ strategy, more: [provider] })
    await signIn(world.browser())
    await world.signInByMail(world.browser(), ada)
    const account = await world.adapter.getUserByAccount?.({ provider: "auth0", providerAccountId: "eve" })
    expect(account?.id).not.toBe((await world.adapter.getUserByEmail?.(ada))?.id)
  })

  it("does not link to its owner", { tags: ["threat:A-022"] }, async () => {
    const { provider, signIn } = await open({ profile: byName, allowDangerousEmailAccountLinking: true })
    const world = await makeWorld({ strategy, more: [provider] })
    await world.signInByMail(world.browser(), ada)
    const thief = world.browser()
    await signIn(thief)
    expect(await thief.session()).toBeNull()
  })

  it.each([
    ["the same address, in other letters", byAddress, "eve@evil.test", {}],
    ["another, which the application vouches for", byName, ada, { emailVerified: () => true }],
  ])("links by %s", async (_, profile, address, more) => {
    const { provider, signIn } = await open({ profile, allowDangerousEmailAccountLinking: true, ...more })
    const world = await makeWorld({ strategy, more: [provider] })
    await world.signInByMail(world.browser(), address)
    const browser = world.browser()
    await signIn(browser)
    expect(await browser.session()).toMatchObject({ user: { email: address } })
  })
})
