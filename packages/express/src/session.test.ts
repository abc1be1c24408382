import { memoryAdapter } from "@latchkey/core/memory"
import { Credentials } from "@latchkey/core/providers/credentials"
import { managedSessions } from "@latchkey/core/sessions"
import express from "express"
import { describe, expect, it } from "vitest"
import { answerError, appFor, Browser, config, json, listen, majors, switchedStore } from "../test/support/app.js"
import { authSession, type ExpressAuthConfig, getSession, signOut, update } from "./index.js"

describe.each(majors)("the session on Express %i", (major) => {
  const appOf = appFor(major)

  it("is null for nobody [spec express getSession]", async () => {
    const browser = new Browser(await listen(appOf(config())))
    expect(await (await browser.ask("/peek")).json()).toBeNull()
  })

  it("is extended with the response and without it [users 10]", async () => {
    const browser = new Browser(await listen(appOf(config({ session: { updateAge: 0 } }))))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    for (const path of ["/peek", "/me"]) {
      const answer = await browser.ask(path)
      expect(answer.headers.getSetCookie()).toHaveLength(1)
      expect(answer.headers.get("cache-control")).toBe("private, no-store")
    }
  })

  it("keeps what the jwt callback answers, also where only the request is named [spec callback jwt] [spec express getSession]", async () => {
    const warnings: string[] = []
    const logger = { error: () => {}, debug: () => {}, warn: (code: string) => void warnings.push(code) }
    const auth = config({
      logger,
      callbacks: {
        jwt: ({ token }) => ({ ...token, turn: Number(token["turn"] ?? 0) + 1 }),
        session: ({ session, token }) => ({ ...session, turn: token["turn"] }),
      },
    })
    const app = express()
    app.get("/late", (req, res, next) => {
      res.flushHeaders()
      getSession(req, auth).then((session) => res.end(JSON.stringify(session)), next)
    })
    app.use(appOf(auth))
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    const turn = async (path: string): Promise<unknown> => (await (await browser.ask(path)).json()).turn
    expect([await turn("/peek"), await turn("/peek"), await turn("/peek")]).toEqual([2, 3, 4])
    expect(warnings).toEqual([])
    // Once the head is sent nothing can be kept: that is said once.
    expect([await turn("/late"), await turn("/late")]).toEqual([5, 5])
    expect(warnings).toEqual(["session-not-saved"])
  })

  it("of the store is extended only together with its cookie [users 10]", async () => {
    const store = memoryAdapter()
    let extended = 0
    const adapter: typeof store = {
      ...store,
      updateSession(session) {
        extended += 1
        return store.updateSession(session)
      },
    }
    const user = await store.createUser({ id: "1", name: "Ada", email: "ada@app.test", emailVerified: null })
    const providers = [Credentials({ credentials: {}, authorize: () => user })]
    const auth = config({ adapter, providers, session: { strategy: "database", updateAge: 0 } })
    const app = express()
    app.get("/late", (req, res, next) => {
      res.flushHeaders()
      getSession(req, auth).then((session) => res.end(JSON.stringify(session)), next)
    })
    app.use(appOf(auth))
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json({}))
    expect(await (await browser.ask("/late")).json()).toMatchObject({ user: { name: "Ada" } })
    expect(extended).toBe(0)
    for (const path of ["/peek", "/me"]) expect((await browser.ask(path)).headers.getSetCookie()).toHaveLength(1)
    expect(extended).toBe(2)
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

describe.each(majors)("the session in res.locals on Express %i", (major) => {
  const appOf = appFor(major)

  function counting(): { auth: ExpressAuthConfig; count: () => number } {
    let reads = 0
    const callbacks: ExpressAuthConfig["callbacks"] = {
      session: ({ session }) => {
        reads++
        return session
      },
    }
    return { auth: config({ callbacks }), count: () => reads }
  }

  it("is read once for a request, however often the middleware stands in its way", async () => {
    const { auth, count } = counting()
    const app = appOf(auth)
    app.get("/twice", authSession(auth), authSession(auth), (_req, res) => void res.json(res.locals["session"]))
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    const before = count()
    expect(await (await browser.ask("/twice")).json()).toMatchObject({ user: { name: "Ada" } })
    expect(count() - before).toBe(1)
  })

  it("is read again for another configuration", async () => {
    const app = appOf(config())
    const other = config({ secret: "another secret of 32 characters." })
    app.get("/other", authSession(other), (_req, res) => void res.json(res.locals["session"]))
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect(await (await browser.ask("/other")).json()).toBeNull()
  })

  it("stands in req.auth as well where that is wanted, and nowhere else", async () => {
    const auth = config()
    const app = appOf(auth)
    app.get("/without", authSession(auth), (req, res) => void res.json("auth" in req))
    app.get("/with", authSession(auth, { onRequest: true }), (req, res) => void res.json(Reflect.get(req, "auth")))
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect(await (await browser.ask("/without")).json()).toBe(false)
    expect(await (await browser.ask("/with")).json()).toMatchObject({ session: { user: { name: "Ada" } } })
  })

  it("follows what a route does to it", async () => {
    const callbacks: ExpressAuthConfig["callbacks"] = {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" ? { ...token, name: String(session?.["name"]) } : token,
    }
    const auth = config({ callbacks })
    const app = appOf(auth)
    app.post("/both", async (req, res) => {
      await update(req, res, auth, { name: "Countess" })
      const updated = res.locals["session"]?.user?.name
      await signOut(req, res, auth, { redirect: false })
      res.json([updated, res.locals["session"]])
    })
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect(await (await browser.ask("/both", { method: "POST" })).json()).toEqual(["Countess", null])
  })

  it.each([true, false])(
    "is no longer shown where it could not be removed, and signing out throws: redirect %s",
    {
      tags: ["threat:SF-07"],
    },
    async (redirect) => {
      const store = switchedStore()
      const auth = config({ adapter: store.records, session: { strategy: "jwt" }, features: [managedSessions()] })
      const app = appOf(auth)
      const shown: unknown[] = []
      app.post("/quit", async (req, res, next) => {
        try {
          await signOut(req, res, auth, { redirect })
          if (!res.headersSent) res.json({ signedOut: true })
        } catch (error) {
          shown.push(res.locals["session"], await getSession(req, res, auth))
          next(error)
        }
      })
      app.use(answerError)
      const browser = new Browser(await listen(app))
      await browser.ask("/in", json({ name: "Ada", password: "right" }))
      const copy = new Browser(browser.origin)
      copy.set([{ name: browser.nameOf("session-token"), value: browser.value("session-token") }])
      store.isAway = true
      const answer = await browser.ask("/quit", { method: "POST" })
      expect([answer.status, await answer.json()]).toEqual([503, { type: "SignOutError", isAuthError: true }])
      expect(shown).toEqual([null, null])
      expect(browser.has("session-token")).toBe(false)
      store.isAway = false
      expect(await (await copy.ask("/peek")).json()).toMatchObject({ user: { name: "Ada" } })
    },
  )

  it("takes a response that carries a cookie out of shared caches, whatever was said before", async () => {
    const auth = config({ session: { updateAge: 0 } })
    const app = express()
    app.use("/before", (_req, res, next) => {
      res.setHeader("Cache-Control", "public, max-age=600")
      next()
    })
    app.use(appOf(auth))
    app.get("/before/me", authSession(auth), (_req, res) => void res.json(res.locals["session"]))
    const browser = new Browser(await listen(app))
    expect((await browser.ask("/before/me")).headers.get("cache-control")).toBe("public, max-age=600")
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect((await browser.ask("/before/me")).headers.get("cache-control")).toBe("private, no-store")
  })

  it("keeps what is shown to somebody out of shared caches, also where no cookie is set, unless the route says otherwise", {
    tags: ["threat:HD-03"],
  }, async () => {
    const auth = config()
    const app = express().use(appOf(auth))
    const shared = "public, max-age=60"
    app.get("/asked", async (req, res) => void res.json(await getSession(req, auth)))
    app.get("/later", authSession(auth), (_req, res) => void res.set("Cache-Control", shared).send("news"))
    app.get("/head", authSession(auth), (_req, res) => void res.writeHead(200, { "Cache-Control": shared }).end())
    const browser = new Browser(await listen(app))
    const kept = async (path: string) => (await browser.ask(path)).headers.get("cache-control")
    expect(await kept("/me")).toBeNull()
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    for (const path of ["/me", "/asked", "/inside"]) expect(await kept(path), path).toBe("private, no-store")
    for (const path of ["/later", "/head"]) expect(await kept(path), path).toBe(shared)
  })

  it("hands a failure to next(error) once", async () => {
    const failures: unknown[] = []
    const app = express()
    app.use(
      authSession(() => {
        throw new Error("no tenant")
      }),
    )
    app.use(((error, _req, _res, next) => {
      failures.push(error)
      next(error)
    }) satisfies express.ErrorRequestHandler)
    app.use(answerError)
    expect((await fetch(await listen(app))).status).toBe(500)
    expect(failures).toHaveLength(1)
  })
})
