import { describe, expect, it } from "vitest"
import { makeWorld, type World } from "../support/world.js"

describe.each(["jwt", "database"] as const)("first sign-in, %s strategy", (strategy) => {
  it("registers at the provider, keeps a session and ends at the return address [spec adapter-user created]", async () => {
    const world = await makeWorld({ strategy })
    const browser = world.browser()
    const visit = await world.signInAtOp(browser, { callbackUrl: "/inbox?x=1" })
    expect(world.errors).toEqual([])
    expect(visit.location).toBe("https://app.test/inbox?x=1")
    expect(await browser.session()).toMatchObject({ user: { name: "Ada", email: "ada@op.test" } })
    expect(world.events.map(([name]) => name)).toEqual(["createUser", "linkAccount", "signIn", "session"])
    const user = await world.adapter.getUserByAccount?.({ provider: "op", providerAccountId: "person-1" })
    expect(user).toMatchObject({ email: "ada@op.test", emailVerified: null })
    expect([...browser.jar.keys()].sort()).toEqual([
      "__Host-authjs.csrf-token",
      "__Secure-authjs.callback-url",
      "__Secure-authjs.session-token",
    ])
  })

  it("signs in the second time without a new user [spec adapter-user created]", async () => {
    const world = await makeWorld({ strategy })
    await world.signInAtOp(world.browser())
    const browser = world.browser()
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    expect(world.events.filter(([name]) => name === "createUser")).toHaveLength(1)
  })

  it("registers by e-mail with the date of the first sign-in and an account for the address", async () => {
    const world = await makeWorld({ strategy })
    const browser = world.browser()
    const visit = await world.signInByMail(browser, " Grace@App.TEST ", { callbackUrl: "/home" })
    expect(world.errors).toEqual([])
    expect(visit.location).toBe("https://app.test/home")
    expect(await browser.session()).toMatchObject({ user: { email: "grace@app.test" } })
    expect(world.events.map(([name]) => name)).toEqual(["createUser", "linkAccount", "signIn", "session"])
  })
})

describe("what the events of a new user write", () => {
  it.each([
    ["provider", (world: World) => world.signInAtOp(world.browser())],
    ["e-mail", (world: World) => world.signInByMail(world.browser(), "ada@op.test")],
  ])("is there for the jwt callback of the same sign-in, by %s", async (_, signIn) => {
    const teams = new Map<string, string>()
    const order: string[] = []
    const world = await makeWorld({
      config: {
        session: { strategy: "jwt" },
        events: {
          createUser: async ({ user }) => {
            order.push("createUser")
            await new Promise((resolve) => setImmediate(resolve))
            teams.set(String(user.id), "red")
          },
          linkAccount: () => void order.push("linkAccount"),
          signIn: () => void order.push("signIn"),
        },
        callbacks: {
          jwt: ({ token, user }) => {
            if (user) order.push("jwt")
            const team = teams.get(String(token.sub))
            if (team === undefined) throw new Error("A user without a team")
            return { ...token, team }
          },
        },
      },
    })
    await signIn(world)
    expect(world.errors).toEqual([])
    expect(order).toEqual(["createUser", "linkAccount", "jwt", "signIn"])
  })

  it("is announced once where the jwt callback then fails", async () => {
    const order: string[] = []
    const world = await makeWorld({
      config: {
        session: { strategy: "jwt" },
        events: { createUser: () => void order.push("createUser"), signIn: () => void order.push("signIn") },
        callbacks: {
          jwt: () => {
            throw new Error("down")
          },
        },
      },
    })
    const visit = await world.signInAtOp(world.browser())
    expect(visit.location).toContain("error=Callback")
    expect(order).toEqual(["createUser"])
  })
})
