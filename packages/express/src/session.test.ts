import { memoryAdapter } from "@latchkey/core/memory"
import express from "express"
import { describe, expect, it } from "vitest"
import { appOf, Browser, config, json, listen, told } from "../test/support/app.js"
import { authSession, type ExpressAuthConfig, requireSession } from "./index.js"

describe("the session", () => {
  it("is null for nobody [spec integration 1]", async () => {
    const browser = new Browser(await listen(appOf(config())))
    expect(await (await browser.ask("/peek")).json()).toBeNull()
  })

  it("is extended only where the cookie can be written [users 10]", async () => {
    const browser = new Browser(await listen(appOf(config({ session: { updateAge: 0 } }))))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect((await browser.ask("/peek")).headers.getSetCookie()).toEqual([])
    const answer = await browser.ask("/me")
    expect(answer.headers.getSetCookie()).toHaveLength(1)
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
  })

  it("can be updated from a route, and signed out of", async () => {
    const callbacks: ExpressAuthConfig["callbacks"] = {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" && typeof session?.["name"] === "string" ? { ...token, name: session["name"] } : token,
    }
    const browser = new Browser(await listen(appOf(config({ callbacks }))))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect(await (await browser.ask("/rename", json({ name: "Countess" }))).json()).toMatchObject({
      user: { name: "Countess" },
    })
    expect(await (await browser.ask("/me")).json()).toMatchObject({ user: { name: "Countess" } })
    const answer = await browser.ask("/out", { method: "POST" })
    expect(answer.headers.get("location")).toBe(`${browser.origin}/bye`)
    expect(await (await browser.ask("/me")).json()).toBeNull()
  })

  it("lets the route answer itself with redirect: false", async () => {
    const browser = new Browser(await listen(appOf(config())))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    const answer = await browser.ask("/out-quietly", { method: "POST" })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ redirect: browser.origin })
    expect(browser.has("session-token")).toBe(false)
  })
})

describe("the guard", () => {
  it("sends strangers to sign in and tells where to return to [spec integration 1] [spec authentication 11]", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const answer = await browser.ask("/inside?a=1&b=2")
    expect(answer.status).toBe(302)
    const { pathname, searchParams } = new URL(answer.headers.get("location") ?? "", browser.origin)
    expect(pathname).toBe("/auth/signin")
    expect(Object.fromEntries(searchParams)).toEqual({ error: "SessionRequired", callbackUrl: "/inside?a=1&b=2" })
  })

  it("does not return to what was posted", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const answer = await browser.ask("/inside", { method: "POST" })
    expect(answer.headers.get("location")).toBe("/auth/signin?error=SessionRequired")
  })

  it("answers with a status where one is given", async () => {
    const browser = new Browser(await listen(appOf(config())))
    expect((await browser.ask("/api")).status).toBe(403)
    expect((await browser.ask("/api401")).status).toBe(401)
  })

  it("lets those pass who are signed in", async () => {
    const browser = new Browser(await listen(appOf(config())))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect(await (await browser.ask("/inside")).json()).toMatchObject({ user: { name: "Ada" } })
  })

  it("keeps those out whose session has no user", async () => {
    const callbacks: ExpressAuthConfig["callbacks"] = {
      session: ({ session: { expires } }) => ({ expires: String(expires) }),
    }
    const browser = new Browser(await listen(appOf(config({ callbacks }))))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect((await browser.ask("/inside")).status).toBe(302)
  })

  it("never opens when the session cannot be told", async () => {
    const adapter = { ...memoryAdapter(), getSessionAndUser: () => Promise.reject(new Error("store down")) }
    const auth = config({ adapter, session: { strategy: "database" } })
    const origin = await listen(appOf(auth))
    const answer = await fetch(`${origin}/inside`, {
      headers: { cookie: "authjs.session-token=x" },
      redirect: "manual",
    })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ isAuthError: true })
  })

  it("never opens without authSession before it", async () => {
    const app = express()
    app.get("/inside", requireSession(), (_req, res) => void res.json({}))
    app.use(told)
    const answer = await fetch(`${await listen(app)}/inside`)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ type: "InvalidConfiguration" })
  })

  it("reads the session once for a request", async () => {
    let reads = 0
    const callbacks: ExpressAuthConfig["callbacks"] = {
      session: ({ session }) => {
        reads++
        return session
      },
    }
    const auth = config({ callbacks })
    const app = appOf(auth)
    const again = authSession(auth)
    app.get("/twice", again, again, (_req, res) => void res.json({}))
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    reads = 0
    await browser.ask("/twice")
    expect(reads).toBe(2)
  })
})
