import { memoryAdapter } from "@latchkey/core/memory"
import { managedSessions } from "@latchkey/core/sessions"
import { createClock, signInAs } from "@latchkey/testing"
import express5, { type ErrorRequestHandler } from "express"
import express4 from "express4"
import { describe, expect, it } from "vitest"
import { switchedRecords } from "../../core/test/support/records-away.js"
import { authSession, ExpressAuth, type ExpressAuthConfig } from "../src/index.js"
import { Browser, config, json, listen, majors } from "./support/app.js"

const cases = majors.flatMap((major) => (["jwt", "database"] as const).map((strategy) => ({ major, strategy })))

describe.each(cases)("auth.sessions on Express $major, $strategy strategy", ({ major, strategy }) => {
  const express: typeof express5 = major === 4 ? express4 : express5

  async function open(more: Partial<ExpressAuthConfig> = {}) {
    const adapter = memoryAdapter()
    const store = switchedRecords(adapter)
    const given = config({
      adapter,
      records: store.records,
      session: { strategy },
      features: [managedSessions()],
      ...more,
    })
    const auth = ExpressAuth(given)
    const app = express()
    app.use("/auth", auth)
    app.get("/list", (req, res, next) => void auth.sessions.list(req, res).then((list) => res.json(list), next))
    app.get("/update", (req, res, next) => {
      auth.update(req, res, {}, { trusted: true }).then((session) => res.json(session), next)
    })
    app.get("/shared", (req, res, next) => {
      const answer = (list: readonly unknown[]) => res.set("Cache-Control", "public, max-age=60").json(list.length)
      auth.sessions.list(req, res).then(answer, next)
    })
    app.post("/:what", express.json(), authSession(given), (req, res, next) => {
      const { id = "", userId = "", ...rest } = req.body as Record<string, string>
      const options = { fields: rest }
      const work = {
        end: () => auth.sessions.end(req, res, id, options),
        others: () => auth.sessions.endOthers(req, res, options),
        all: () => auth.sessions.endAll(req, res, userId, options),
        rotate: () => auth.sessions.rotate(req, res, options),
        act: () => auth.sessions.actAs(req, res, userId, options),
        machine: () => auth.sessions.endAll(req, res, userId, { trusted: true }),
      }[req.params["what"] as "end"]
      work().then((done) => res.json({ done, shown: res.locals["session"]?.user?.name ?? null }), next)
    })
    app.use(answerStatus)
    const origin = await listen(app)
    const signIn = async (name = "Ada"): Promise<Browser> => {
      const browser = new Browser(origin)
      const { cookies } = await signInAs(
        given,
        { id: name, name, email: `${name.toLowerCase()}@app.test` },
        { url: origin },
      )
      browser.set(cookies(origin))
      return browser
    }
    return { adapter, given, origin, signIn, store }
  }

  const answerStatus: ErrorRequestHandler = (error, _req, res, _next) => {
    res.status(error.status ?? 500).json({ type: error.type })
  }

  const ours = { "sec-fetch-site": "same-origin" }
  const post = (data: object, headers: Record<string, string> = ours): RequestInit => {
    const { headers: type, ...rest } = json(data)
    return { ...rest, headers: { ...(type as Record<string, string>), ...headers } }
  }
  const ask = async (browser: Browser, path: string, data: object = {}) =>
    (await browser.ask(path, post(data))).json() as Promise<unknown>
  const listOf = async (browser: Browser) =>
    (await (await browser.ask("/list")).json()) as { id: string; current: boolean; actor?: string }[]
  const nameOf = async (browser: Browser) =>
    ((await (await browser.ask("/auth/session")).json()) as { user?: { name: string } } | null)?.user?.name

  it.each([
    ["list", [], "expected list(req, res), received nothing"],
    ["end", ["an id"], "expected end(req, res, id), received a string"],
    ["endOthers", [{ headers: {} }], "expected endOthers(req, res), received an object"],
    ["endAll", ["u1"], "expected endAll(req, res, userId), received a string"],
    ["endAll", [{ headers: {} }, "u1"], "expected endAll(req, res, userId), received an object, a string"],
    ["rotate", [null, undefined], "expected rotate(req, res), received null, nothing"],
    ["actAs", ["u1", { trusted: true }], "expected actAs(req, res, userId), received a string, an object"],
  ] as const)("says how %s is called, with %j", async (method, given, message) => {
    const auth = ExpressAuth(config({ adapter: memoryAdapter(), features: [managedSessions()] }))
    const call = auth.sessions[method] as unknown as (...given: unknown[]) => Promise<unknown>
    await expect(call(...given)).rejects.toMatchObject({
      type: "InvalidConfiguration",
      message: expect.stringContaining(message) as string,
    })
  })

  it("lists the sessions of whoever asks, and none for a visitor", async () => {
    const { origin, signIn } = await open()
    const [here] = [await signIn(), await signIn(), await signIn("Bob")]
    expect((await listOf(here)).map(({ current }) => current).toSorted()).toEqual([false, true])
    expect(await listOf(new Browser(origin))).toEqual([])
  })

  it("keeps the list and an update out of shared caches, also where no cookie is set, unless the route says otherwise", {
    tags: ["threat:HD-03"],
  }, async () => {
    const { origin, signIn } = await open()
    const here = await signIn()
    const kept = async (path: string, browser = here) => {
      const { headers } = await browser.ask(path)
      return [headers.get("cache-control"), headers.getSetCookie()]
    }
    for (const path of ["/list", "/update"]) expect(await kept(path), path).toEqual(["private, no-store", []])
    expect(await kept("/shared")).toEqual(["public, max-age=60", []])
    expect(await kept("/list", new Browser(origin))).toEqual(["private, no-store", []])
    expect(await kept("/update", new Browser(origin))).toEqual([null, []])
  })

  it("ends one session, also the current one: its cookie is cleared, and the rest of the request knows it", async () => {
    const { signIn } = await open()
    const [here, other] = [await signIn(), await signIn()]
    const [entry] = (await listOf(here)).filter(({ current }) => !current)
    expect(await ask(here, "/end", { id: entry?.id })).toEqual({ done: true, shown: "Ada" })
    expect([await nameOf(here), await nameOf(other)]).toEqual(["Ada", undefined])
    const [own] = await listOf(here)
    expect(await ask(here, "/end", { id: own?.id })).toEqual({ done: true, shown: null })
    expect(here.has("session-token")).toBe(false)
  })

  it("ends the others, and sets the new token of this one", async () => {
    const { signIn } = await open()
    const [here, other] = [await signIn(), await signIn()]
    const before = here.value("session-token")
    const answer = await here.ask("/others", post({}))
    expect(await answer.json()).toEqual({ done: true, shown: "Ada" })
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
    expect(here.value("session-token")).not.toBe(before)
    expect([await nameOf(here), await nameOf(other)]).toEqual(["Ada", undefined])
  })

  it("gives the session a new token: the old one opens nothing after half a minute", async () => {
    const { origin, signIn } = await open()
    const here = await signIn()
    const copy = new Browser(origin)
    copy.set([{ name: here.nameOf("session-token"), value: here.value("session-token") }])
    expect(await ask(here, "/rotate")).toEqual({ done: true, shown: "Ada" })
    using clock = createClock()
    clock.advance({ seconds: 31 })
    expect([await nameOf(here), await nameOf(copy)]).toEqual(["Ada", undefined])
  })

  it("replaces the session with one of the user whom somebody acts for", async () => {
    const { adapter, signIn } = await open()
    const [support] = [await signIn("Support"), await signIn("Ada")]
    const ada = await adapter.getUserByEmail?.("ada@app.test")
    expect(await ask(support, "/act", { userId: ada?.id })).toEqual({ done: true, shown: "Ada" })
    expect((await listOf(support)).filter(({ current }) => current)).toMatchObject([{ actor: expect.any(String) }])
    expect(await ask(support, "/act", { userId: "nobody" })).toEqual({ done: false, shown: "Ada" })
  })

  it("ends all sessions of a user", async () => {
    const { adapter, signIn } = await open()
    const [here, other] = [await signIn(), await signIn("Bob")]
    const ada = await adapter.getUserByEmail?.("ada@app.test")
    expect(await ask(other, "/all", { userId: ada?.id })).toEqual({ done: 1, shown: "Bob" })
    expect([await nameOf(here), await nameOf(other)]).toEqual([undefined, "Bob"])
  })

  it.each([
    ["/end", { id: "x" }],
    ["/others", {}],
    ["/rotate", {}],
    ["/act", { userId: "Ada" }],
  ])("changes nothing for a visitor: %s", async (path, data) => {
    const { origin } = await open()
    const visitor = new Browser(origin)
    const answer = await visitor.ask(path, post(data))
    expect(await answer.json()).toEqual({ done: false, shown: null })
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it("refuses what another site sends, unless the form has the CSRF token or the route is trusted", async () => {
    const { adapter, signIn } = await open()
    const here = await signIn()
    const ada = await adapter.getUserByEmail?.("ada@app.test")
    const theirs = { "sec-fetch-site": "cross-site", origin: "https://evil.test" }
    for (const path of ["/end", "/others", "/all", "/rotate", "/act"]) {
      const refused = await here.ask(path, post({ userId: ada?.id }, theirs))
      expect([await refused.json(), refused.headers.getSetCookie()], path).toEqual([{ type: "MissingCSRF" }, []])
    }
    const { csrfToken } = (await (await here.ask("/auth/csrf")).json()) as { csrfToken: string }
    expect(await (await here.ask("/rotate", post({ csrfToken }, {}))).json()).toEqual({ done: true, shown: "Ada" })
    expect(await (await here.ask("/machine", post({ userId: ada?.id }, theirs))).json()).toMatchObject({ done: 1 })
  })

  it("answers 503 and touches no cookie while the records are away", async () => {
    const { signIn, store } = await open()
    const here = await signIn()
    const before = here.value("session-token")
    const [entry] = await listOf(here)
    store.isAway = true
    for (const path of ["/list", "/others", "/rotate"]) {
      const answer = await here.ask(path, path === "/list" ? {} : post({ id: entry?.id }))
      expect([answer.status, answer.headers.getSetCookie()], path).toEqual([503, []])
    }
    store.isAway = false
    expect([await nameOf(here), here.value("session-token")]).toEqual(["Ada", before])
  })

  it("does the same for a session from before, which gets a record with its new token", async () => {
    const { given, origin, signIn } = await open()
    const { features, ...before } = given
    const { cookies } = await signInAs(before, { id: "Ada", name: "Ada", email: "ada@app.test" }, { url: origin })
    const here = new Browser(origin)
    here.set(cookies(origin))
    const other = await signIn()
    expect(features).toHaveLength(1)
    expect(await ask(here, "/others")).toEqual({ done: true, shown: "Ada" })
    expect([await nameOf(here), await nameOf(other)]).toEqual(["Ada", undefined])
    expect(await listOf(here)).toMatchObject([{ current: true }])
  })

  it("says so where the feature is not listed", async () => {
    const { signIn } = await open({ features: [] })
    const answer = await (await signIn()).ask("/list")
    expect([answer.status, await answer.json()]).toEqual([500, { type: "InvalidConfiguration" }])
  })
})
