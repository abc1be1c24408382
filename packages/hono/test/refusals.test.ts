/** Errors that a visitor causes, in an application that answers them by Hono's own error handler. */
import { memoryAdapter } from "@latchkey/core/memory"
import { Credentials } from "@latchkey/core/providers/credentials"
import { managedSessions } from "@latchkey/core/sessions"
import { Hono } from "hono"
import { afterEach, describe, expect, it, vi } from "vitest"
import { type AuthError, CredentialsSignin, HonoAuth, type HonoAuthConfig } from "../src/index.js"
import { browse, config, enter, switchedStore } from "./support/app.js"

afterEach(() => vi.restoreAllMocks())

function open(more: Partial<HonoAuthConfig> = {}) {
  const trace = vi.spyOn(console, "error").mockImplementation(() => {})
  const auth = HonoAuth(
    config({ adapter: memoryAdapter(), session: { strategy: "jwt" }, features: [managedSessions()], ...more }),
  )
  const app = new Hono()
  app.use("/auth/*", auth)
  app.post("/in", async (c) => auth.signIn(c, { provider: "credentials", fields: await c.req.json() }))
  app.post("/out", (c) => auth.signOut(c, { redirectTo: "/" }))
  app.post("/name", async (c) => c.json(await auth.update(c, { name: "Eve" })))
  app.post("/others", async (c) => c.json(await auth.sessions.endOthers(c)))
  return { app, auth, trace }
}

const quiet = { csrf: false, json: true } as const
const evil = { ...quiet, headers: { origin: "https://evil.test" } }

describe("is answered with the status of the error, and no trace", () => {
  it.each(["/in", "/out", "/name", "/others"])("what a page of another site sends to %s", async (path) => {
    const { app, trace } = open()
    const browser = browse(app)
    await enter(browser)
    const answer = await browser.post(path, { name: "Ada", password: "right" }, evil)
    expect([answer.status, answer.text, answer.headers.get("cache-control")]).toEqual([
      403,
      "Forbidden",
      "private, no-store",
    ])
    expect(trace).not.toHaveBeenCalled()
  })

  it("a wrong password, and one more than the budget allows", async () => {
    const { app, trace } = open({ limits: {} })
    const browser = browse(app)
    const answers = []
    for (let count = 0; count < 12; count++) {
      answers.push(await browser.post("/in", { name: "Ada", password: "wrong" }, quiet))
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429])
    expect(answers.map(({ text }) => text)).toEqual([
      ...Array(10).fill("Unauthorized"),
      "Too Many Requests",
      "Too Many Requests",
    ])
    expect(Number(answers.at(-1)?.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(trace).not.toHaveBeenCalled()
  })
})

describe("stays what it was", () => {
  it("for an error handler of the application, with the error itself", async () => {
    const { app } = open()
    app.onError((error, c) => c.json([error instanceof CredentialsSignin, { ...error }], 418 as 400))
    const answer = await browse(app).post("/in", { name: "Ada", password: "wrong" }, quiet)
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      418,
      [
        true,
        { type: "CredentialsSignin", kind: "signIn", status: 401, name: "CredentialsSignin", code: "credentials" },
      ],
    ])
  })

  it("where the error brings a response of its own, cannot be changed, or has a status that is none of a refusal", async () => {
    const lost = Object.assign(new CredentialsSignin(), { status: 204 })
    const own = Object.assign(new CredentialsSignin(), { getResponse: () => new Response("own", { status: 409 }) })
    const frozen = Object.freeze(new CredentialsSignin())
    const thrown: AuthError[] = [own, frozen, lost]
    const authorize = (): never => {
      throw thrown.shift()
    }
    const { app, trace } = open({ providers: [Credentials({ credentials: { name: {} }, authorize })] })
    const browser = browse(app)
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push((await browser.post("/in", {}, quiet)).status)
    expect(statuses).toEqual([409, 500, 500])
    expect(trace.mock.calls).toEqual([[expect.any(CredentialsSignin)], [expect.any(CredentialsSignin)]])
  })

  it("where the service is at fault: 500, and a trace", async () => {
    const store = switchedStore()
    const { app, trace } = open({ adapter: store.records })
    const browser = browse(app)
    await enter(browser)
    store.isAway = true
    const answer = await browser.post("/out", {}, quiet)
    expect([answer.status, answer.text, trace.mock.calls.length]).toEqual([500, "Internal Server Error", 1])
  })
})
