import { memoryAdapter } from "@latchkey/core/memory"
import { signInAs } from "@latchkey/testing"
import express from "express"
import { describe, expect, it } from "vitest"
import { trustedElsewhere } from "../../../e2e/support/hostile-headers.js"
import { answerError, appFor, Browser, config, json, listen, majors } from "../test/support/app.js"
import { authSession, type ExpressAuthConfig, requireSession } from "./index.js"

describe.each(majors)("the guard on Express %i", (major) => {
  const appOf = appFor(major)

  it("sends strangers to sign in and tells where to return to [spec express guard] [spec authentication 11]", async () => {
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

  it("is opened by no header that names a path, a person or another program", {
    tags: ["threat:A-081", "threat:A-114", "threat:A-116", "threat:A-152"],
  }, async () => {
    const origin = await listen(appOf(config()))
    for (const headers of trustedElsewhere)
      expect((await fetch(`${origin}/inside`, { headers, redirect: "manual" })).status, JSON.stringify(headers)).toBe(
        302,
      )
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

  it("never opens when the session cannot be determined", async () => {
    const adapter = { ...memoryAdapter(), getSessionAndUser: () => Promise.reject(new Error("store down")) }
    const auth = config({ adapter, session: { strategy: "database" } })
    const origin = await listen(appOf(auth))
    const answer = await fetch(`${origin}/inside`, {
      headers: { cookie: "authjs.session-token=x" },
      redirect: "manual",
    })
    expect(answer.status).toBe(503)
    expect(await answer.json()).toMatchObject({ isAuthError: true })
  })

  it("never opens without authSession before it", async () => {
    const app = express()
    app.get("/inside", requireSession(), (_req, res) => void res.json({}))
    app.use(answerError)
    const answer = await fetch(`${await listen(app)}/inside`)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ type: "InvalidConfiguration" })
  })

  it.each(["/login", "/login/", "/login?error=SessionRequired"])(
    "says what is wrong where it stands before the page it leads to, in place of redirecting without end: %s",
    { tags: ["threat:PA-25"] },
    async (path) => {
      const app = express()
      app.use(authSession(config()), requireSession({ redirectTo: "/login?lang=de#form" }))
      app.get("/login", (_req, res) => void res.send("form"))
      app.use(answerError)
      const origin = await listen(app)
      expect((await fetch(`${origin}/login2`, { redirect: "manual" })).status).toBe(302)
      const answer = await fetch(origin + path, { redirect: "manual" })
      expect(await answer.json()).toMatchObject({ type: "InvalidConfiguration" })
    },
  )

  it.each([
    ["the built-in page", undefined, ["/inside", "/auth/signin"]],
    ["a page of the application", "/login", ["/inside", "/auth/signin", "/login"]],
  ] as const)(
    "leads somebody whose session has ended to %s, and no further",
    { tags: ["threat:AL-22"] },
    async (_, page, way) => {
      const auth = config(page === undefined ? {} : { pages: { signIn: page } })
      const app = appOf(auth)
      app.get("/login", (_req, res) => void res.send("form"))
      const origin = await listen(app)
      const { headers } = await signInAs(auth, { id: "1", name: "Ada" }, { url: origin, at: new Date(0) })
      const seen: string[] = []
      let answer = new Response(null, { headers: { location: "/inside" } })
      for (
        let at = answer.headers.get("location");
        at !== null && seen.length < 9;
        at = answer.headers.get("location")
      ) {
        const address = new URL(at, origin)
        seen.push(address.pathname)
        answer = await fetch(address, { headers, redirect: "manual" })
      }
      expect([seen, answer.status]).toEqual([way, 200])
    },
  )

  it("takes only a path to return to: of others, a page of the application could make an address", {
    tags: ["threat:A-069"],
  }, async () => {
    const app = express()
    app.use(authSession(config()), requireSession({ redirectTo: "/login?a=1#top" }))
    const origin = await listen(app)
    const sent = async (path: string): Promise<string | null> =>
      (await fetch(origin + path, { redirect: "manual" })).headers.get("location")
    expect(await sent("//evil.test/x")).toBe("/login?a=1&error=SessionRequired#top")
    expect(await sent("/%2f/evil.test")).toBe("/login?a=1&error=SessionRequired&callbackUrl=%2F%252f%2Fevil.test#top")
    expect(await sent(`/${"x".repeat(2048)}`)).toBe("/login?a=1&error=SessionRequired#top")
  })

  it("is not opened by what other middleware calls a session", async () => {
    const app = express()
    app.use(authSession(config()))
    app.use((_req, res, next) => {
      res.locals["session"] = { user: { name: "Mallory" }, cookie: {} }
      next()
    })
    app.get("/inside", requireSession(), (_req, res) => void res.send("inside"))
    expect((await fetch(`${await listen(app)}/inside`)).status).toBe(401)
  })

  it("can be closed by other middleware", async () => {
    const auth = config()
    const app = appOf(auth)
    const banned: express.RequestHandler = (_req, res, next) => {
      res.locals["session"] = null
      next()
    }
    app.get("/later", banned, authSession(auth), requireSession(), (_req, res) => void res.send("inside"))
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect((await browser.ask("/inside")).status).toBe(200)
    expect((await browser.ask("/later")).status).toBe(401)
  })

  it("works with a session that the application put there itself", async () => {
    const app = express()
    app.use((req, res, next) => {
      res.locals["session"] = req.query["who"] ? { user: { name: "Ada" }, expires: "" } : null
      next()
    })
    app.get("/inside", requireSession(), (_req, res) => void res.send("inside"))
    const origin = await listen(app)
    expect((await fetch(`${origin}/inside?who=ada`)).status).toBe(200)
    expect((await fetch(`${origin}/inside`)).status).toBe(401)
  })
})
