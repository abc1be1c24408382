/** Mail is added to a configuration that has users: whoever signed in at somebody else's address before gains nothing by it. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld, type World, type WorldOptions } from "../support/world.js"

const ada = { sub: "person-1", name: "Ada", email: "ada@op.test", email_verified: true }
const eve = { sub: "person-2", name: "Eve", email: "eve@evil.test", email_verified: true }
const silentEve = { sub: "person-3", name: "Eve", email: ada.email }
const provider = { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified }
const second = { id: "silent", emailVerified: undefined }

async function thiefIn(world: World): Promise<TestBrowser> {
  const thief = world.browser()
  world.op.person = silentEve
  await world.signInAtOp(thief, { provider: "silent" })
  expect(await thief.session()).toMatchObject({ user: { email: ada.email } })
  return thief
}

describe.each(["jwt", "database"] as const)("%s", (strategy) => {
  const given: WorldOptions = { strategy, provider, second }

  /** The thief came before there was mail, and goes on now that there is. */
  async function history(): Promise<{ world: World; thief: TestBrowser }> {
    const adapter = memoryAdapter()
    const before = await thiefIn(await makeWorld({ ...given, adapter, mail: false }))
    const world = await makeWorld({ ...given, adapter })
    const thief = world.browser()
    thief.setCookie(sessionCookie, before.cookie(sessionCookie) ?? "")
    return { world, thief }
  }

  it("the session of a thief ends when the owner comes by mail", { tags: ["threat:A-022"] }, async () => {
    const { world, thief } = await history()
    expect(await thief.session()).toMatchObject({ user: { email: ada.email } })
    await world.signInByMail(world.browser(), ada.email)
    expect(await thief.session()).toBeNull()
  })

  it("links no account that stays after the owner has come", { tags: ["threat:A-022"] }, async () => {
    const { world, thief } = await history()
    world.op.person = eve
    expect((await world.signInAtOp(thief)).location).toContain("error=OAuthAccountNotLinked")
    await world.signInByMail(world.browser(), ada.email)
    expect(await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: eve.sub })).toBeNull()
  })

  it("nothing ends and all accounts are linked as long as nobody is found by address", async () => {
    const adapter = memoryAdapter()
    const world = await makeWorld({ ...given, adapter, mail: false })
    const browser = await thiefIn(world)
    world.op.person = eve
    expect((await world.signInAtOp(browser)).location).toBe("https://app.test/")
    const user = await adapter.getUserByEmail?.(ada.email)
    await adapter.updateUser?.({ id: user?.id ?? "", emailVerified: new Date() })
    expect(await browser.session()).toMatchObject({ user: { email: ada.email } })
    const other = { ...second, id: "other", emailVerified: undefined }
    const later = await makeWorld({ ...given, adapter, mail: false, second: other })
    const still = later.browser()
    still.setCookie(sessionCookie, browser.cookie(sessionCookie) ?? "")
    later.op.person = { ...silentEve, sub: "person-4", email: "other@op.test" }
    expect((await later.signInAtOp(still, { provider: "other" })).location).toBe("https://app.test/")
    expect(await adapter.getUserByAccount?.({ provider: "other", providerAccountId: "person-4" })).toMatchObject({
      email: ada.email,
    })
  })
})

describe("the digest in a token", () => {
  it("is seen by no callback and no event, changes no token, and costs no look into the store", async () => {
    const seen: object[] = []
    let asked = 0
    const inner = memoryAdapter()
    const adapter: typeof inner = {
      ...inner,
      getUser: async (id) => {
        asked += 1
        return (await inner.getUser?.(id)) ?? null
      },
    }
    const note = ({ token }: { readonly token?: object | null }): void => void (token && seen.push(token))
    const world = await makeWorld({
      ...{ strategy: "jwt", adapter, provider, second, mail: false },
      config: {
        callbacks: {
          jwt(params) {
            note(params)
            return { ...params.token, role: "reader" }
          },
          session(params) {
            note(params)
            return params.session
          },
        },
        events: { session: note, signOut: note as never },
      },
    })
    const browser = await thiefIn(world)
    const cookie = browser.cookie(sessionCookie)
    asked = 0
    await browser.session()
    expect([asked, browser.cookie(sessionCookie)]).toEqual([0, cookie])
    await browser.post("/auth/signout")
    expect(seen.length).toBeGreaterThanOrEqual(6)
    for (const token of seen) expect(token).not.toHaveProperty("lk")
  })
})
