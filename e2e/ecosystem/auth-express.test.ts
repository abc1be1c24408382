/** `@auth/express` on our engine. */

import { expect, it } from "vitest"
import { byTsc, describeApplication, itTakesPasswords } from "./support/application.js"
import { readJson, signIn } from "./support/journey.js"

const story = {
  framework: "@auth/express",
  folder: "auth-express",
  basePath: "/auth",
  checkTypes: byTsc,
  start: ["node", "dist/app.js"],
}

describeApplication(story, (running) => {
  it("guards a page with its session", async () => {
    const browser = running().open()
    expect((await browser.get("/closed")).status).toBe(401)
    await signIn(browser, running().place)
    expect((await browser.get("/closed")).text).toBe("inside")
  })

  it("shows our pages, with every provider of the configuration", async () => {
    const { status, text } = await running().open().get("/auth/signin")
    expect(status).toBe(200)
    for (const words of ["Certified", "/auth/callback/credentials", "Password"]) expect(text).toContain(words)
  })

  itTakesPasswords(running)

  it("takes a password from a script", async () => {
    const browser = running().open()
    const answer = await browser.post(
      "/auth/callback/credentials",
      { password: "open sesame", callbackUrl: "/closed" },
      { json: true, headers: { "x-auth-return-redirect": "1" } },
    )
    expect(JSON.parse(answer.text)).toEqual({ url: `${running().origin}/closed` })
    expect(await readJson(browser, "/me")).toMatchObject({ user: { name: "Password Person", id: "7" } })
  })
})
