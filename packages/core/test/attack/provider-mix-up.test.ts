/** Two providers, one of them malicious: a flow that began at one never ends at the other. */
import { describe, expect, it } from "vitest"
import { customFetch } from "../../src/config/markers.js"
import type { Provider } from "../../src/types/provider.js"
import { sessionCookie as session } from "../support/journeys.js"
import { type FakeOp, openOp } from "../support/op.js"
import { makeWorld, type World } from "../support/world.js"

async function twoProviders(checks?: readonly string[]): Promise<{ world: World; evil: FakeOp }> {
  const evil = await openOp({
    issuer: "https://op2.test",
    clientId: "client-2",
    person: { sub: "person-1", name: "Mallory", email: "ada@op.test", email_verified: true },
  })
  const other = {
    id: "evil",
    name: "Other",
    type: "oidc",
    issuer: evil.issuer,
    clientId: evil.clientId,
    clientSecret: evil.clientSecret,
    [customFetch]: evil.fetch,
    ...(checks && { checks }),
  }
  return { evil, world: await makeWorld({ ...(checks && { provider: { checks } }), more: [other as Provider] }) }
}

const kinds = [
  { checks: undefined },
  { checks: ["state"] },
  { checks: ["pkce"] },
  { checks: ["nonce"] },
  { checks: ["pkce", "state", "nonce"] },
]

describe.each(kinds)("with the checks $checks", ({ checks }) => {
  it.each([
    ["op", "evil"],
    ["evil", "op"],
  ] as const)(
    "a flow that began at %s does not end at %s",
    { tags: ["threat:A-003", "threat:RC-21"] },
    async (from, to) => {
      const { world, evil } = await twoProviders(checks)
      const browser = world.browser()
      const begun = await browser.post(`/auth/signin/${from}`)
      const back = (from === "op" ? world.op : evil).authorize(begun.location ?? "")
      back.pathname = `/auth/callback/${to}`
      const visit = await browser.get(back.href)
      expect(visit.location).toContain("error=OAuthCallbackError")
      expect(browser.cookie(session)).toBeUndefined()
      // No code and no verifier went to the wrong one.
      expect((to === "op" ? world.op : evil).callsOf("token")).toEqual([])
      expect(world.events).toEqual([])
    },
  )
})

it("an answer that names another issuer is refused before the code is sent anywhere (RFC 9207)", async () => {
  const { world, evil } = await twoProviders()
  const browser = world.browser()
  const begun = await browser.post("/auth/signin/op")
  const back = world.op.authorize(begun.location ?? "", { iss: evil.issuer })
  expect((await browser.get(back.href)).location).toContain("error=OAuthCallbackError")
  expect([...world.op.callsOf("token"), ...evil.callsOf("token")]).toEqual([])
})

it("the same subject at two providers is two people, and the second cannot take the first one's address", async () => {
  const { world, evil } = await twoProviders()
  await world.signInAtOp(world.browser())
  const browser = world.browser()
  const begun = await browser.post("/auth/signin/evil")
  const visit = await browser.get(evil.authorize(begun.location ?? "").href)
  expect(visit.location).toBe("https://app.test/auth/signin?error=OAuthAccountNotLinked")
  expect(browser.cookie(session)).toBeUndefined()
  expect(await world.adapter.getUserByAccount?.({ provider: "evil", providerAccountId: "person-1" })).toBeNull()
})
