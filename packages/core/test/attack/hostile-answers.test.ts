/** A provider that answers with what it should not: names of members that nobody may set, and text meant for a page or a log. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import { logText } from "../support/logged.js"
import { makeWorld } from "../support/world.js"

const polluting = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'

describe("claims named like members of every object", () => {
  it.each(["id_token", "userinfo"])("of the %s change no prototype", { tags: ["threat:PP-07"] }, async (where) => {
    const world = await makeWorld({ strategy: "jwt", provider: { idToken: where === "id_token" } })
    const claims = JSON.parse(polluting) as Record<string, unknown>
    if (where === "id_token") world.op.idToken = claims
    else world.op.person = Object.assign(JSON.parse(polluting), world.op.person)
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: {} })
    expect(({} as Record<string, unknown>)["isAdmin"]).toBeUndefined()
    expect(JSON.stringify(await browser.session())).not.toContain("isAdmin")
  })
})

describe.each(["jwt", "database"] as const)("a subject that is the id of a user here, sessions of %s", (strategy) => {
  it("is the account of a new user", { tags: ["threat:B9-34"] }, async () => {
    const adapter = memoryAdapter()
    const world = await makeWorld({ strategy, adapter })
    const victim = await adapter.createUser({ id: "victim", email: "victim@app.test", emailVerified: null })
    world.op.person = { sub: victim.id, name: "Eve", email: "eve@evil.test", email_verified: true }
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { name: "Eve", email: "eve@evil.test" } })
    const user = await adapter.getUserByAccount({ provider: "op", providerAccountId: victim.id })
    expect(user).toMatchObject({ email: "eve@evil.test" })
    expect(user?.id).not.toBe(victim.id)
    expect(await adapter.getUser(victim.id)).toEqual(victim)
    expect(await adapter.listAccountsByUserId(victim.id)).toEqual([])
  })
})

describe.each(["jwt", "database"] as const)("an account at a provider, sessions of %s", (strategy) => {
  it("is found by its subject alone, not by its address or its name", { tags: ["threat:C1-37"] }, async () => {
    const world = await makeWorld({ strategy })
    const ada = { sub: "person-1", name: "Ada", preferred_username: "ada", email: "ada@op.test", email_verified: true }
    const enterAs = async (person: Record<string, unknown>) => {
      world.op.person = person
      const browser = world.browser()
      const { location } = await world.signInAtOp(browser)
      const { user = null } = ((await browser.session()) ?? {}) as { user?: Record<string, unknown> }
      const key = { provider: "op", providerAccountId: String(person["sub"]) }
      return { location, user, owner: await world.adapter.getUserByAccount?.(key) }
    }
    const first = await enterAs(ada)
    for (const [index, sub] of ["person-2", "PERSON-1", "person-1 ", "ada", "ada@op.test"].entries()) {
      const refused = await enterAs({ ...ada, sub })
      expect([refused.location, refused.user, refused.owner], sub).toEqual([
        expect.stringContaining("error=OAuthAccountNotLinked"),
        null,
        null,
      ])
      const other = await enterAs({ ...ada, sub, name: "Eve", email: `eve${index}@op.test` })
      expect(other.user?.["name"]).toBe("Eve")
      expect(other.owner?.id).not.toBe(first.owner?.id)
    }
    const renamed = await enterAs({ ...ada, preferred_username: "eve", email: "eve0@op.test" })
    expect(renamed.owner?.id).toBe(first.owner?.id)
    expect(renamed.user).toMatchObject({ name: "Ada", email: "ada@op.test" })
  })
})

it("tokens that say whose they are become nobody else's account, and odd lifetimes no date", {
  tags: ["threat:PP-15"],
}, async () => {
  const adapter = memoryAdapter()
  const world = await makeWorld({ strategy: "database", adapter })
  const victim = await adapter.createUser({ id: "victim", email: "victim@op.test", emailVerified: null })
  world.op.tokens = { userId: victim.id, provider: "mail", providerAccountId: "victim", id: "victim", expires_at: "x" }
  const browser = world.browser()
  await world.signInAtOp(browser)
  const linked = world.events.find(([name]) => name === "linkAccount")?.[1] as {
    account: Record<string, unknown>
    user: { id: string }
  }
  expect(linked.user.id).not.toBe(victim.id)
  expect(linked.account).toMatchObject({ provider: "op", type: "oidc", userId: linked.user.id })
  expect(linked.account["providerAccountId"]).not.toBe("victim")
  expect(Number.isFinite(linked.account["expires_at"] ?? 0)).toBe(true)
})

it("what it says of an error reaches no page, and no line of its own in the log", {
  tags: ["threat:HT-27", "threat:A-075", "threat:C1-04"],
}, async () => {
  const world = await makeWorld()
  const browser = world.browser()
  const begun = await browser.post("/auth/signin/op", {})
  const state = new URL(begun.location ?? "").searchParams.get("state")
  const description = `<script>alert(1)</script>\r\nERROR all is lost \u001b[2J${"x".repeat(10_000)}`
  const query = new URLSearchParams({
    ...(state !== null && { state }),
    error: "server_error",
    error_description: description,
  })
  const visit = await browser.get(`/auth/callback/op?${query}`)
  expect(visit.location).toMatch(/^https:\/\/app\.test\/auth\/signin\?error=OAuthCallbackError&incident=[\w-]+$/)
  const { pathname, search } = new URL(visit.location ?? "")
  const page = await browser.get(pathname + search)
  for (const text of [visit.location ?? "", visit.text, page.text]) {
    expect(text).not.toContain("alert(1)")
    expect(text).not.toContain("all is lost")
  }
  expect(world.errors).toHaveLength(1)
  for (const error of world.errors) {
    for (const control of ["\r", "\n", "\u001b"]) expect(error.message).not.toContain(control)
    expect(error.message.length).toBeLessThan(2000)
  }
  const logged = logText(world)
  expect(logged.length).toBeLessThan(40_000)
  expect(logged).toContain("ERROR all is lost")
  expect(logged).not.toMatch(/^ERROR|\\r|\\n|\\x1B/m)
  expect(logged).not.toContain("\u001b")
})
