/** What a service says of one address, and the application uses another: nothing has been said of that one. */
import { describe, expect, it } from "vitest"
import { customFetch } from "../../src/config/markers.js"
import { Auth0 } from "../../src/providers/auth0.js"
import { GitHub } from "../../src/providers/github.js"
import { MicrosoftEntraID } from "../../src/providers/microsoft-entra-id.js"
import type { FetchFunction } from "../../src/types/provider.js"
import { resolveOne } from "../support/resolve-providers.js"
import { makeWorld } from "../support/world.js"
import { client, openIdService, type Service } from "./support/services.js"

const ada = "ada@op.test"
const eve = { sub: "eve", name: "Eve", email: "eve@evil.test", email_verified: true, preferred_username: ada }

interface Claims {
  readonly sub: string
  readonly email: string
  readonly preferred_username: string
}
const byName = ({ sub, preferred_username }: Claims): object => ({ id: sub, email: preferred_username })
const byAddress = ({ sub, email }: Claims): object => ({ id: sub, email: ` ${email.toUpperCase()} ` })
const known = { issuer: "https://op.test", person: eve }
const open = (more: object) => openIdService(Auth0 as never, { ...known, ...more })
/** The ways to write a `profile` of one's own. */
const ways = {
  "as an option": (profile: object, more: object) => open({ profile, ...more }),
  "laid over the provider": (profile: object, more: object) =>
    openIdService((options) => ({ ...Auth0(options), profile }), { ...known, ...more }),
  "laid over it, with options anew": (profile: object, more: object) =>
    openIdService((options) => ({ ...Auth0(), profile, options: { ...options } }), { ...known, ...more }),
}
const written = Object.entries(ways)

describe.each(["jwt", "database"] as const)("an address that the statement is not about, %s", (strategy) => {
  it.each(written)(
    "does not keep a prepared account when its owner comes: %s",
    { tags: ["threat:A-022"] },
    async (_, write) => {
      const { provider, signIn } = await write(byName, {})
      const world = await makeWorld({ strategy, more: [provider] })
      await signIn(world.browser())
      await world.signInByMail(world.browser(), ada)
      const account = await world.adapter.getUserByAccount?.({ provider: "auth0", providerAccountId: "eve" })
      expect(account?.id).not.toBe((await world.adapter.getUserByEmail?.(ada))?.id)
    },
  )

  it.each(written)("does not link to its owner: %s", { tags: ["threat:A-022"] }, async (_, write) => {
    const { provider, signIn } = await write(byName, { allowDangerousEmailAccountLinking: true })
    const world = await makeWorld({ strategy, more: [provider] })
    await world.signInByMail(world.browser(), ada)
    const thief = world.browser()
    await signIn(thief)
    expect(await thief.session()).toBeNull()
  })

  it.each(written)("keeps the statement for the same address, in other letters: %s", async (_, write) => {
    const { provider, signIn } = await write(byAddress, { allowDangerousEmailAccountLinking: true })
    const world = await makeWorld({ strategy, more: [provider] })
    await world.signInByMail(world.browser(), "eve@evil.test")
    const browser = world.browser()
    await signIn(browser)
    expect(await browser.session()).toMatchObject({ user: { email: "eve@evil.test" } })
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

const ownTenant = "https://login.microsoftonline.com/7f9f0f4e-2b86-4b9c-8d5b-0a3d3b0c6a11/v2.0"

/** A tenant of one's own, whose people have no claim `email`. */
const atOwnTenant = (): Promise<Service> =>
  openIdService(MicrosoftEntraID as never, {
    issuer: ownTenant,
    person: { sub: "ada", name: "Ada", preferred_username: ada },
    profile: byName,
  })

/** An account at GitHub that shows no address, to an app that may not read the list. */
async function withoutAddress(): Promise<Service> {
  const fetch: FetchFunction = async (input) => {
    const url = String(input)
    if (url.endsWith("/access_token")) return Response.json({ access_token: "ghu_at", token_type: "bearer" })
    if (url.endsWith("/user/emails")) return Response.json({ message: "Forbidden" }, { status: 403 })
    return Response.json({ id: 77, login: "ada", email: null })
  }
  const profile = (): object => ({ id: "77", email: ada })
  return {
    provider: GitHub({ ...client, [customFetch]: fetch, profile }),
    async signIn(browser) {
      const { location } = await browser.post("/auth/signin/github", {})
      const state = new URL(location ?? "").searchParams.get("state")
      await browser.get(`/auth/callback/github?code=x&state=${state}`)
    },
  }
}

describe.each([
  ["Entra ID, whose people have none", atOwnTenant],
  ["GitHub, where nobody shows one", withoutAddress],
])("an address that an application fills in at %s", (_, at) => {
  it("stays unstated: its user is found by it", async () => {
    const { provider, signIn } = await at()
    const world = await makeWorld({ strategy: "database", more: [provider] })
    const browser = world.browser()
    await signIn(browser)
    expect(await world.adapter.getUserByEmail?.(ada)).toMatchObject({ email: ada, emailVerified: null })
  })
})

it("the statement about a tenant of Auth.js's provider objects is about the claim of the address", () => {
  const issuer = "https://login.microsoftonline.com/common/v2.0"
  const marked = { id: "azure-ad", name: "Azure", type: "oidc", issuer, ...client, [Symbol("conform-internal")]: true }
  for (const own of [{ profile: byName }, { options: { profile: byName } }]) {
    const { filesProfile } = resolveOne({ ...marked, ...own })
    expect(filesProfile?.(eve, {})).toMatchObject({ email: eve.email })
  }
})
