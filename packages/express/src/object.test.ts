import { type AuthService, createAuth } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import express5 from "express"
import express4 from "express4"
import { describe, expect, it } from "vitest"
import { answerError, Browser, config, json, listen, majors } from "../test/support/app.js"
import {
  authSession,
  CredentialsSignin,
  ExpressAuth,
  type ExpressAuthConfig,
  getSession,
  requireSession,
  signIn,
} from "./index.js"

describe.each(majors)("the object that ExpressAuth answers, on Express %i", (major) => {
  const express: typeof express5 = major === 4 ? express4 : express5

  async function open(given: ExpressAuthConfig = config()): Promise<Browser> {
    const app = express()
    const auth = ExpressAuth(given)
    app.use("/auth", auth)
    app.post("/in", express.json(), async (req, res, next) => {
      try {
        await auth.signIn(req, res, { provider: "credentials", fields: req.body, redirectTo: "/me" })
      } catch (error) {
        if (error instanceof CredentialsSignin) res.status(401).json({ code: error.code })
        else next(error)
      }
    })
    app.post("/out", express.json(), (req, res, next) => {
      auth.signOut(req, res, { redirectTo: "/bye", fields: req.body }).catch(next)
    })
    app.post("/out-by-machine", (req, res, next) => void auth.signOut(req, res, { trusted: true }).catch(next))
    app.post("/rename", express.json(), (req, res, next) => {
      auth.update(req, res, req.body).then((session) => res.json(session), next)
    })
    app.get("/me", (req, res, next) => void auth.session(req, res).then((session) => res.json(session), next))
    app.get(
      "/inside",
      auth.require({ redirectTo: "/auth/signin" }),
      (_req, res) => void res.json(res.locals["session"]),
    )
    app.get("/api", auth.require(), (_req, res) => void res.json({}))
    app.get("/thin", (req, res, next) => void getSession(req, res, auth).then((session) => res.json(session), next))
    app.get("/middleware", authSession(auth), requireSession(), (_req, res) => void res.json(res.locals["session"]))
    app.use(answerError)
    return new Browser(await listen(app))
  }

  const ours = { "sec-fetch-site": "same-origin" }
  const theirs = { "sec-fetch-site": "cross-site", origin: "https://evil.test" }
  const sent = (data: unknown, headers: Record<string, string>): RequestInit => {
    const { headers: type, ...rest } = json(data)
    return { ...rest, headers: { ...(type as Record<string, string>), ...headers } }
  }
  const ada = { name: "Ada", password: "right" }

  async function signedIn(): Promise<Browser> {
    const browser = await open()
    expect((await browser.ask("/in", sent(ada, ours))).headers.get("location")).toBe(`${browser.origin}/me`)
    return browser
  }

  it("is the handler, and signs a person of its own pages in and out", async () => {
    const browser = await signedIn()
    for (const path of ["/me", "/inside", "/thin", "/middleware", "/auth/session"])
      expect(await (await browser.ask(path)).json(), path).toMatchObject({ user: { name: "Ada" } })
    const out = await browser.ask("/out", sent({}, { origin: browser.origin }))
    expect(out.headers.get("location")).toBe(`${browser.origin}/bye`)
    expect(await (await browser.ask("/me")).json()).toBeNull()
  })

  it("guards routes without other middleware before it", async () => {
    const browser = await open()
    const inside = await browser.ask("/inside")
    expect([inside.status, inside.headers.get("location")]).toEqual([
      302,
      "/auth/signin?error=SessionRequired&callbackUrl=%2Finside",
    ])
    expect((await browser.ask("/api")).status).toBe(401)
    expect((await (await signedIn()).ask("/api")).status).toBe(200)
  })

  it.each([
    ["of another site", theirs],
    ["that do not say where they come from", {}],
  ])("refuses sign-ins, sign-outs and updates %s [CS-01]", async (_, headers) => {
    const stranger = await open()
    const answer = await stranger.ask("/in", sent(ada, headers))
    expect([answer.status, await answer.json()]).toEqual([403, { type: "MissingCSRF", isAuthError: true }])
    expect(stranger.has("session-token")).toBe(false)
    const browser = await signedIn()
    for (const path of ["/out", "/rename"])
      expect(await (await browser.ask(path, sent({ name: "Eve" }, headers))).json()).toMatchObject({
        type: "MissingCSRF",
      })
    expect(await (await browser.ask("/me")).json()).toMatchObject({ user: { name: "Ada" } })
  })

  it("takes the token of /auth/csrf from those that do not say where they come from", async () => {
    const browser = await signedIn()
    const { csrfToken } = (await (await browser.ask("/auth/csrf")).json()) as { csrfToken: string }
    await browser.ask("/out", json({ csrfToken }))
    expect(await (await browser.ask("/me")).json()).toBeNull()
  })

  it("leaves the session as it was for the rest of a request that may not sign out", async () => {
    const app = express()
    const auth = ExpressAuth(config())
    app.post("/in", express.json(), (req, res, next) => {
      auth.signIn(req, res, { provider: "credentials", fields: req.body, trusted: true }).catch(next)
    })
    app.post("/refused", auth.require(), async (req, res) => {
      const refused = await auth.signOut(req, res).catch((error: AuthError) => error)
      res.json([refused instanceof AuthError && refused.type, res.locals["session"]?.user?.name])
    })
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json(ada))
    const answer = await browser.ask("/refused", { method: "POST", headers: theirs })
    expect(await answer.json()).toEqual(["MissingCSRF", "Ada"])
  })

  it("asks nobody where the route says that it has seen to it", async () => {
    const browser = await signedIn()
    expect((await browser.ask("/out-by-machine", { method: "POST" })).status).toBe(302)
    expect(await (await browser.ask("/me")).json()).toBeNull()
  })

  it("passes an update to the callbacks", async () => {
    const browser = await open(
      config({
        callbacks: {
          jwt: ({ token, session }) => (session?.["name"] ? { ...token, name: String(session["name"]) } : token),
        },
      }),
    )
    await browser.ask("/in", sent(ada, ours))
    const renamed = await browser.ask("/rename", sent({ name: "Countess" }, ours))
    expect(await renamed.json()).toMatchObject({ user: { name: "Countess" } })
    expect(await (await browser.ask("/me")).json()).toMatchObject({ user: { name: "Countess" } })
  })

  it("sets the cookies of a call that throws: the jwt callback may have changed the token before", async () => {
    const service: AuthService = {
      ...createAuth(config()),
      signIn: async (_source, _provider, call) => {
        call?.onThrow?.([{ name: "session", value: "fresh", options: { path: "/" } }])
        throw new AuthError("refused")
      },
    }
    const app = express()
    app.get("/in", (req, res, next) => void signIn(req, res, service).catch(next))
    app.use(answerError)
    const answer = await new Browser(await listen(app)).ask("/in")
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([500, ["session=fresh; Path=/"]])
  })

  it("tells wrong credentials from everything else", async () => {
    const browser = await open()
    const answer = await browser.ask("/in", sent({ ...ada, password: "wrong" }, ours))
    expect([answer.status, await answer.json()]).toEqual([401, { code: "credentials" }])
  })
})
