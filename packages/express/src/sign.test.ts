import { Credentials } from "@latchkey/core/providers/credentials"
import express from "express"
import { describe, expect, it, vi } from "vitest"
import { answerError, appFor, Browser, config, json, listen, majors } from "../test/support/app.js"
import { ExpressAuth } from "./index.js"

describe.each(majors)("signing in on Express %i", (major) => {
  const appOf = appFor(major)

  it("works through the mounted handler, with a form", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const answer = await browser.form("/auth/callback/credentials", {
      name: "Ada",
      password: "right",
      callbackUrl: "/me",
    })
    expect(answer.status).toBe(302)
    expect(answer.headers.get("location")).toBe(`${browser.origin}/me`)
    expect(await (await browser.ask("/me")).json()).toMatchObject({ user: { name: "Ada" } })
  })

  it("works from a route of the application", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const answer = await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect(answer.status).toBe(302)
    expect(answer.headers.get("location")).toBe(`${browser.origin}/me`)
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
    expect(await (await browser.ask("/me")).json()).toMatchObject({ user: { name: "Ada" } })
  })

  it("throws CredentialsSignin to the route when the credentials are wrong [spec credentials-signin 2]", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const answer = await browser.ask("/in", json({ name: "Ada", password: "wrong" }))
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({ code: "credentials" })
    expect(browser.has("session-token")).toBe(false)
  })

  it("refuses a form without its token", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const body = new URLSearchParams({ name: "Ada", password: "right" })
    await browser.ask("/auth/callback/credentials", { method: "POST", body })
    expect(browser.has("session-token")).toBe(false)
  })
})

it("refuses fields nested thousands of levels deep that a route hands on: 400, and nothing is asked about them", {
  tags: ["threat:CT-07"],
}, async () => {
  const authorize = vi.fn(() => null)
  const auth = ExpressAuth(config({ providers: [Credentials({ credentials: { name: {} }, authorize })] }))
  const app = express().use("/auth", auth)
  app.post("/login", express.json(), async (req, res) => {
    await auth.signIn(req, res, { provider: "credentials", fields: req.body, redirect: false })
  })
  app.post("/name", express.json(), async (req, res) => {
    res.json(await auth.update(req, res, { name: req.body.name }))
  })
  app.use(answerError)
  const browser = new Browser(await listen(app))
  const body = `{"name":${"[".repeat(45_000)}${"]".repeat(45_000)}}`
  const headers = { "content-type": "application/json", "sec-fetch-site": "same-origin" }
  for (const path of ["/login", "/name"])
    expect((await browser.ask(path, { method: "POST", body, headers })).status, path).toBe(400)
  expect(authorize).not.toHaveBeenCalled()
})

describe("the base path", () => {
  it("is /auth where nothing else is said", async () => {
    const app = express()
    app.use(ExpressAuth(config()))
    const origin = await listen(app)
    expect(await (await fetch(`${origin}/auth/providers`)).json()).toMatchObject({
      credentials: { callbackUrl: `${origin}/auth/callback/credentials` },
    })
  })
})

describe("two configurations in one process", () => {
  it("stay apart, and neither is written to", async () => {
    const one = Object.freeze(config({ secret: "a".repeat(32), basePath: "/one" }))
    const two = Object.freeze(config({ secret: "b".repeat(32) }))
    const app = express()
    app.use("/one", ExpressAuth(one))
    app.use("/two/auth", ExpressAuth(two))
    const origin = await listen(app)
    const providers = async (path: string): Promise<unknown> => (await fetch(`${origin}${path}/providers`)).json()
    expect(await providers("/one")).toMatchObject({
      credentials: { callbackUrl: `${origin}/one/callback/credentials` },
    })
    expect(await providers("/two/auth")).toMatchObject({
      credentials: { callbackUrl: `${origin}/two/auth/callback/credentials` },
    })
  })
})
