/** Callbacks and events of the application overwrite whatever they are given: that is over with the request. */
import { describe, expect, it } from "vitest"
import type { AuthConfig } from "../../src/types/config.js"
import { makeWorld } from "../support/world.js"

/** Overwrites all that can be reached from a value, and adds to it. */
function ruin(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return
  seen.add(value)
  for (const key of Reflect.ownKeys(value)) {
    ruin(Reflect.get(value, key), seen)
    if (!(Array.isArray(value) && key === "length")) Reflect.set(value, key, "ruined")
  }
  Reflect.set(value, "isAdmin", true)
}

const ada = { sub: "person-1", name: "Ada", email: "ada@op.test", email_verified: true }
const eve = { sub: "person-2", name: "Eve", email: "eve@op.test", email_verified: true }

describe.each(["jwt", "database"] as const)("with sessions of %s", (strategy) => {
  it("neither what is stored nor what others are given is changed", { tags: ["threat:CF2-12"] }, async () => {
    let isOn = false
    let isWhole = true
    let ruined = 0
    const spoil = (...given: unknown[]): void => {
      if (!isOn) return
      ruined++
      ruin(given)
    }
    const callbacks: AuthConfig["callbacks"] = {
      signIn: ({ user, account, ...rest }, details) => {
        spoil(rest, details)
        // Whoever they are changed to is refused.
        if (isWhole) spoil(user, account)
        return true
      },
      redirect: (params, details) => {
        const { baseUrl } = params
        spoil(params, details)
        return baseUrl
      },
      jwt: (params, details) => {
        const token = { ...params.token }
        spoil(params, details)
        return token
      },
      session: (params, details) => {
        const session = structuredClone(params.session)
        spoil(params, details)
        return session
      },
    }
    const events = { signIn: spoil, session: spoil, signOut: spoil }
    const profile = (claims: { sub: string; name: string; email: string }, tokens: unknown) => {
      const user = { id: claims.sub, name: claims.name, email: claims.email }
      spoil(claims, tokens)
      return user
    }
    const world = await makeWorld({ strategy, config: { callbacks, events }, provider: { profile } })
    const enter = async (person: typeof ada) => {
      world.op.person = { ...person }
      const browser = world.browser()
      await world.signInAtOp(browser)
      return browser
    }
    const stored = async (sub: string) => {
      const user = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: sub })
      const accounts = (await world.adapter.listAccountsByUserId?.(user?.id ?? "")) ?? []
      const texts = accounts.map((account) => JSON.stringify(account))
      expect(texts.join()).not.toMatch(/ruined|isAdmin/)
      return [
        user,
        accounts.map(({ provider, providerAccountId, type, userId }) => [provider, providerAccountId, type, userId]),
      ]
    }
    const first = await enter(eve)
    const before = [await stored("person-2"), (await first.get("/auth/providers")).text]

    isOn = true
    expect(await (await enter(eve)).session()).toBeNull()
    isWhole = false
    const spoiled = await enter(eve)
    await spoiled.session()
    await spoiled.post("/auth/signout")
    expect(ruined).toBeGreaterThan(4)

    isOn = false
    expect([await stored("person-2"), (await first.get("/auth/providers")).text]).toEqual(before)
    expect(await first.session()).toMatchObject({ user: { name: "Eve", email: "eve@op.test" } })
    const other = await enter(ada)
    const session = await other.session()
    expect(session).toMatchObject({ user: { name: "Ada", email: "ada@op.test" } })
    expect(JSON.stringify(session)).not.toMatch(/ruined|isAdmin/)
    expect(await stored("person-1")).toMatchObject([
      { email: "ada@op.test" },
      [expect.arrayContaining(["op", "person-1", "oidc"])],
    ])
    expect(world.auth.problems()).toEqual([])
  })
})
