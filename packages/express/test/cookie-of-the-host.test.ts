/** A session cookie for the domain: beside it the one that the host had is cleared, and the route knows the new session. */
import express5 from "express"
import express4 from "express4"
import { describe, expect, it } from "vitest"
import { ExpressAuth, type ExpressAuthConfig } from "../src/index.js"
import { Browser, config, json, listen, majors } from "./support/app.js"

const name = "authjs.session-token"

describe.each(majors)("Express %i", (major) => {
  const express: typeof express5 = major === 4 ? express4 : express5

  async function serve(given: ExpressAuthConfig): Promise<string> {
    const auth = ExpressAuth(given)
    const app = express()
    app.use("/auth", auth)
    app.post("/in", express.json(), async (req, res) => {
      await auth.signIn(req, res, { provider: "credentials", fields: req.body, redirect: false, trusted: true })
      res.json(await auth.session(req, res))
    })
    app.post("/out", async (req, res) => {
      await auth.signOut(req, res, { redirect: false, trusted: true })
      res.json(await auth.session(req, res))
    })
    return listen(app)
  }

  it("sets both on one response, each in a field of its own", { tags: ["threat:CK-30"] }, async () => {
    const before = new Browser(await serve(config()))
    await before.ask("/in", json({ name: "Ada", password: "right" }))
    const browser = new Browser(
      await serve(config({ cookies: { sessionToken: { options: { domain: ".app.test" } } } })),
    )
    browser.set([{ name, value: before.value(name) }])
    const entered = await browser.ask("/in", json({ name: "Bob", password: "right" }))
    expect(await entered.json()).toMatchObject({ user: { name: "Bob" } })
    const set = entered.headers.getSetCookie().filter((line) => line.startsWith(`${name}=`))
    expect(set).toEqual([
      expect.stringMatching(/=; Max-Age=0; Path=\//),
      expect.stringContaining("; Domain=.app.test;"),
    ])
    const left = await browser.ask("/out", { method: "POST" })
    expect(await left.json()).toBeNull()
    const cleared = left.headers.getSetCookie().filter((line) => line.startsWith(`${name}=; Max-Age=0`))
    expect(cleared.map((line) => line.includes("Domain=.app.test"))).toEqual([false, true])
  })
})
