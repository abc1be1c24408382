/** Session tokens that an application or Auth.js made, of any length in hex: none is taken for one that carries a digest. */
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

const lengths = [16, 32, 36, 40, 48, 50, 52, 64]

describe.each(lengths)("%i random bytes", (length) => {
  const generateSessionToken = (): string => randomBytes(length).toString("hex")

  it("sign in whose address is proven, where the application makes them", async () => {
    const world = await makeWorld({ config: { session: { strategy: "database", generateSessionToken } } })
    const browser = world.browser()
    await world.signInByMail(browser, "ada@app.test")
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })

  it("stay signed in where the engine makes the next ones", async () => {
    const world = await makeWorld({ strategy: "database" })
    await world.signInByMail(world.browser(), "ada@app.test")
    const user = await world.adapter.getUserByEmail?.("ada@app.test")
    const sessionToken = generateSessionToken()
    const expires = new Date(Date.now() + 86_400_000)
    await world.adapter.createSession?.({ sessionToken, userId: user?.id ?? "", expires })
    const browser = world.browser()
    browser.setCookie(sessionCookie, sessionToken)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })
})
