/** A person signs in on many devices: none of the sessions ends another. */
import { describe, expect, it } from "vitest"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld } from "../support/world.js"

describe.each(["jwt", "database"] as const)("sessions of one person, %s", (strategy) => {
  it("stand beside each other, as many as there are browsers, and each ends by itself", {
    tags: ["threat:V7-02"],
  }, async () => {
    const world = await makeWorld({ strategy })
    const browsers = Array.from({ length: 12 }, () => world.browser())
    for (const browser of browsers) await world.signInByMail(browser, "ada@app.test")
    expect(new Set(browsers.map((browser) => browser.cookie(sessionCookie))).size).toBe(12)
    const [first, ...others] = browsers
    await first?.post("/auth/signout")
    expect(await first?.session()).toBeNull()
    for (const browser of others) expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })
})
