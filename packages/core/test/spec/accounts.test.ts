/** Accounts: which one it is, whose it is, and which tokens are kept with it. */
import { describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import Credentials from "../../src/providers/credentials.js"
import type { AdapterAccount } from "../../src/types/adapter.js"
import type { Account } from "../../src/types/identity.js"
import { givenTo, recordCalls } from "../support/recorder.js"
import { makeWorld, type World } from "../support/world.js"

const oauth = {
  type: "oauth",
  authorization: "https://op.test/authorize",
  token: "https://op.test/token",
  userinfo: "https://op.test/userinfo",
}

async function linked(options: Parameters<typeof makeWorld>[0] = {}, tokens: Record<string, unknown> = {}) {
  const { adapter, calls } = recordCalls(memoryAdapter())
  const world = await makeWorld({ adapter, ...options })
  world.op.tokens = tokens
  world.op.idToken = { at_hash: undefined }
  await world.signInAtOp(world.browser())
  expect(world.errors).toEqual([])
  return { world, stored: givenTo(calls, "linkAccount"), reported: accountOf(world) }
}

function accountOf(world: World): Account {
  return world.events.find(([name]) => name === "signIn")?.[1].account as Account
}

describe("an account", () => {
  it.each([
    ["oidc", {}],
    ["oauth", oauth],
  ])(
    "of %s names its provider, its type and its owner [spec account provider] [spec account type] [spec account userId] [spec account providerAccountId]",
    async (type, provider) => {
      const { world, stored } = await linked({ provider })
      const user = await world.adapter.getUserByEmail?.("ada@op.test")
      expect(stored).toMatchObject({ provider: "op", type, providerAccountId: "person-1", userId: user?.id })
      expect(await world.adapter.getAccount?.("person-1", "op")).toMatchObject({ userId: user?.id })
    },
  )

  it("has the id that the profile callback returned [spec account providerAccountId]", async () => {
    const { stored } = await linked({ provider: { profile: () => ({ id: "chosen", email: "a@op.test" }) } })
    expect(stored.providerAccountId).toBe("chosen")
  })

  it("of e-mail is named by the address [spec account providerAccountId] [spec account provider] [spec account type]", async () => {
    const world = await makeWorld()
    await world.signInByMail(world.browser(), "Grace@app.test")
    const user = await world.adapter.getUserByEmail?.("grace@app.test")
    expect(await world.adapter.getAccount?.("grace@app.test", "mail")).toEqual({
      provider: "mail",
      type: "email",
      providerAccountId: "grace@app.test",
      userId: user?.id,
    })
  })

  it("is one of several of a user: of a provider, and of an address [spec account stored]", async () => {
    const { adapter, calls } = recordCalls(memoryAdapter())
    const world = await makeWorld({ adapter, provider: { emailVerified: () => true } })
    await world.signInAtOp(world.browser())
    await world.signInByMail(world.browser(), "ada@op.test")
    const linked = calls.filter(({ operation }) => operation === "linkAccount").map(({ args }) => args[0])
    const owner = await adapter.getUserByEmail?.("ada@op.test")
    expect(linked).toMatchObject([
      { type: "oidc", provider: "op", userId: owner?.id },
      { type: "email", provider: "mail", providerAccountId: "ada@op.test", userId: owner?.id },
    ])
    for (const { provider, providerAccountId } of linked as AdapterAccount[])
      expect(await adapter.getUserByAccount?.({ provider, providerAccountId })).toEqual(owner)
  })

  it("of credentials has the id that `authorize` returned, and is not stored [spec account providerAccountId] [spec account type]", async () => {
    const { adapter, calls } = recordCalls(memoryAdapter())
    const providers = [Credentials({ authorize: () => ({ id: "7" }) })]
    const world = await makeWorld({ adapter, strategy: "jwt", config: { providers } })
    await world.browser().post("/auth/callback/credentials", {})
    expect(accountOf(world)).toMatchObject({ provider: "credentials", type: "credentials", providerAccountId: "7" })
    expect(calls.map(({ operation }) => operation)).not.toContain("linkAccount")
  })
})

describe("the tokens of an account", () => {
  it("are kept as the provider gave them [spec account access_token] [spec account refresh_token] [spec account id_token] [spec account scope] [spec account session_state]", async () => {
    const given = {
      access_token: "at-1",
      refresh_token: "rt-1",
      scope: "openid mail",
      session_state: { sid: ["s1", 2] },
    }
    const { stored, reported } = await linked({}, given)
    expect(stored).toMatchObject(given)
    expect(stored.id_token).toEqual(expect.stringMatching(/^ey.+\..+\..+$/))
    expect(reported).toMatchObject({ ...given, id_token: stored.id_token })
  })

  it("may be missing [spec account refresh_token] [spec account id_token] [spec account scope] [spec account session_state]", async () => {
    const { stored } = await linked({ provider: oauth }, { id_token: undefined })
    for (const name of ["refresh_token", "id_token", "scope", "session_state"]) expect(stored).not.toHaveProperty(name)
  })

  it("have their lifetime as the provider sent it, and their end in seconds since 1970 [spec account expires_in] [spec account expires_at]", async () => {
    const before = Math.floor(Date.now() / 1000)
    const { stored, reported } = await linked({}, { expires_in: 1234 })
    expect(reported.expires_in).toBe(1234)
    expect(stored).not.toHaveProperty("expires_in")
    expect(Number(stored.expires_at) - before - 1234).toBeOneOf([0, 1, 2])
    const without = await linked({}, { expires_in: undefined })
    expect(without.reported).not.toHaveProperty("expires_at")
  })

  it("have their type in lower case [spec account token_type]", async () => {
    const { stored, reported } = await linked({}, { token_type: "BEARER" })
    expect([stored.token_type, reported.token_type]).toEqual(["bearer", "bearer"])
  })
})
