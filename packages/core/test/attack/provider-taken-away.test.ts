/** A provider that does not verify addresses is taken out of the configuration: what somebody prepared with it still ends. */
import { randomUUID } from "node:crypto"
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld, type World } from "../support/world.js"

const ada = { sub: "person-1", name: "Ada", email: "ada@op.test", email_verified: true }
const eve = { sub: "person-2", name: "Eve", email: "eve@evil.test", email_verified: true }
const silentEve = { sub: "person-3", name: "Eve", email: ada.email }
const byClaim = { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified }
const silent = { id: "silent", emailVerified: undefined }

/** The browser of a thief who has signed in at Ada's address by the provider, and goes on after it was taken away. */
async function prepare(before: World, after: World): Promise<TestBrowser> {
  const thief = before.browser()
  before.op.person = silentEve
  await before.signInAtOp(thief, { provider: "silent" })
  const browser = after.browser()
  browser.setCookie(sessionCookie, thief.cookie(sessionCookie) ?? "")
  expect(await browser.session()).toMatchObject({ user: { email: ada.email } })
  return browser
}

const ownerOf = async ({ adapter }: World, provider: string, { sub }: { readonly sub: string }) =>
  (await adapter.getUserByAccount?.({ provider, providerAccountId: sub }))?.email

describe("a provider that was taken away", { tags: ["threat:A-022"] }, () => {
  it.each(["jwt", "database"] as const)(
    "leaves nothing to whoever came by it, once the owner is linked by address, %s",
    async (strategy) => {
      const adapter = memoryAdapter()
      const given = {
        strategy,
        adapter,
        mail: false,
        provider: { ...byClaim, allowDangerousEmailAccountLinking: true },
      } as const
      const after = await makeWorld(given)
      const thief = await prepare(await makeWorld({ ...given, second: silent }), after)
      after.op.person = ada
      const owner = after.browser()
      await after.signInAtOp(owner)
      expect(await owner.session()).toMatchObject({ user: { email: ada.email } })
      expect(await ownerOf(after, "op", ada)).toBe(ada.email)
      expect(await thief.session()).toBeNull()
      expect(await ownerOf(after, "silent", silentEve)).toBeUndefined()
    },
  )

  it("lets a session with a token of the application link no account that stays", async () => {
    const session = { strategy: "database", generateSessionToken: () => randomUUID() } as const
    const given = { adapter: memoryAdapter(), provider: byClaim, config: { session } }
    const after = await makeWorld(given)
    const thief = await prepare(await makeWorld({ ...given, second: silent }), after)
    after.op.person = eve
    expect((await after.signInAtOp(thief)).location).toContain("error=OAuthAccountNotLinked")
    await after.signInByMail(after.browser(), ada.email)
    expect(await ownerOf(after, "op", eve)).toBeUndefined()
  })
})
