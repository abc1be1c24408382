import express5 from "express"
import express4 from "express4"
import { describe, expect, it } from "vitest"
import { refreshing } from "../../core/test/support/refreshed-token.js"
import { authSession, ExpressAuth, getSession } from "../src/index.js"
import { answerError, Browser, config, json, listen, majors } from "./support/app.js"

describe.each(majors)("a token that the jwt callback has refreshed, on Express %i", (major) => {
  const express: typeof express5 = major === 4 ? express4 : express5

  it.each(["/thin", "/middleware", "/rename"])("is in the cookie of the error answer: %s", async (path) => {
    const { state, callbacks } = refreshing()
    const given = config({
      callbacks,
    })
    const auth = ExpressAuth(given)
    const app = express()
    app.use("/auth", auth)
    app.post("/in", express.json(), (req, res, next) => {
      auth.signIn(req, res, { provider: "credentials", fields: req.body, trusted: true }).catch(next)
    })
    app.get("/thin", (req, res, next) => void getSession(req, res, given).then((session) => res.json(session), next))
    app.get("/middleware", authSession(given), (_req, res) => void res.json({}))
    app.get("/rename", (req, res, next) => {
      auth.update(req, res, {}, { trusted: true }).then((session) => res.json(session), next)
    })
    app.use(answerError)
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    Object.assign(state, { refresh: true, fails: true })
    const failed = await browser.ask(path)
    expect([failed.status, failed.headers.getSetCookie().length]).toEqual([500, 1])
    expect(failed.headers.get("cache-control")).toBe("private, no-store")
    Object.assign(state, { refresh: false, fails: false })
    expect(await (await browser.ask("/auth/session")).json()).toMatchObject({ user: { name: "Ada" } })
    expect(state.seen).toBe(1)
  })
})
