/** `@hono/auth-js` on our engine. */

import { expect, it } from "vitest"
import { byTsc, describeApplication, itTakesPasswords } from "./support/application.js"
import { ada, signIn } from "./support/journey.js"

const story = {
  framework: "@hono/auth-js",
  folder: "hono-auth-js",
  basePath: "/auth",
  checkTypes: byTsc,
  start: ["node", "dist/app.js"],
}

describeApplication(story, (running) => {
  it("guards a page, and hands the token to what lies behind", async () => {
    const browser = running().open()
    expect((await browser.get("/closed")).status).toBe(401)
    await signIn(browser, running().place)
    expect((await browser.get("/closed")).text).toBe(`inside: ${ada.name}`)
  })

  itTakesPasswords(running)

  it("is loaded by `require` as well", async () => {
    const command = ["node", "-p", "typeof require('@hono/auth-js').authHandler"]
    const { code, output } = await running().fixture.attempt(command)
    expect([code, output.trim()]).toEqual([0, "function"])
  })
})
