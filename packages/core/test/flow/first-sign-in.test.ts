import { describe, expect, it } from "vitest"
import { makeWorld } from "../support/world.js"

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
