/** Paths that only resemble those of the service, sent by somebody who is signed in: nothing of the session is in the answer. */
import { beforeAll, describe, expect, it } from "vitest"
import { memoryAdapter } from "../../src/memory.js"
import type { TestBrowser } from "../support/browser.js"
import { makeWorld, type World } from "../support/world.js"

let world: World
let browser: TestBrowser
beforeAll(async () => {
  world = await makeWorld({ strategy: "jwt" })
  browser = world.browser()
  await world.signInAtOp(browser)
})

/** What a request for this path is answered with; a path that begins with two slashes stays one. */
const ask = (path: string, method = "GET") => browser.send(`https://app.test${path}`, { method })

describe("a path that is no address of the service", () => {
  it.each([
    ["PA-01", "/auth//session"],
    ["PA-01", "//auth/session"],
    ["PA-01", "/auth/signin//op"],
    ["PA-02", "/auth/%73ession"],
    ["PA-02", "/auth/sess%69on"],
    ["PA-02", "/%61uth/session"],
    ["PA-03", "/auth/session%2f"],
    ["PA-03", "/auth/session%2F"],
    ["PA-03", "/auth%2fsession"],
    ["PA-03", "/auth/signin%2fop"],
    ["PA-05", "/auth/session;x=1"],
    ["PA-05", "/auth;x/session"],
    ["PA-06", "/AUTH/session"],
    ["PA-06", "/auth/SESSION"],
    ["PA-07", "/auth/session.json"],
    ["PA-07", "/auth/session%00"],
    ["PA-07", "/auth/session%20"],
    ["PA-07", "/auth/session\u3000"],
    ["PA-08", "/auth%5Csession"],
    ["PA-09", "/auth"],
    ["PA-09", "/auth/"],
    ["PA-10", "/authx/session"],
    ["PA-10", "/xauth/session"],
    ["PA-10", "/auth-session"],
    ["PA-14", "/auth/signin/nobody"],
    ["PA-14", "/auth/signin/undefined"],
    ["PA-14", "/auth/signin/null"],
    ["PA-14", "/auth/signin/__proto__"],
    ["PA-14", "/auth/signin/%2e%2e%2fetc"],
    ["PA-14", "/auth/callback/.."],
    ["PA-14", "/auth/callback/%2e%2e"],
    ["PA-14", "/auth/callback/op%2fop"],
    ["PA-14", "/auth/callback/\u{1f600}"],
    ["PA-14", `/auth/signin/${"x".repeat(10_240)}`],
    ["PA-15", "/auth/callback/op/extra"],
    ["PA-15", "/auth/session/op"],
    ["PA-17", "/auth/signin/OP"],
    ["PA-17", "/auth/callback/Op"],
    ["PA-21", "/auth/nothing?x=/auth/session"],
    ["PA-21", "/?x=/auth/session"],
    ["PA-23", `/auth/${"a/".repeat(32_768)}`],
    ["PA-23", `/auth/${"a".repeat(65_536)}`],
    ["PA-24", "/auth/session%0a"],
    ["PA-24", "/auth/signin/op%0d%0aSet-Cookie:x"],
  ])("[%s] is answered with 404, and nothing of the session: %s", async (_, path) => {
    const [calls, logged] = [world.op.calls.length, world.errors.length]
    const { status, text, location, setCookies } = await ask(path)
    expect([status, location]).toEqual([404, undefined])
    expect(text).not.toMatch(/Ada|ada@/)
    expect(setCookies).toEqual([])
    // Nobody was asked, and a line of the log stays one line.
    expect(world.op.calls.length).toBe(calls)
    for (const { message } of world.errors.slice(logged)) expect(message).not.toMatch(/[\r\n]|x{100}/)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})

it.each(["/auth/session/", "/auth/session//", "/auth/session?x=/auth/signin"])(
  "slashes at the end, and the query, change nothing of a path: %s",
  { tags: ["threat:PA-01", "threat:PA-21"] },
  async (path) => {
    expect(JSON.parse((await ask(path)).text)).toMatchObject({ user: { name: "Ada" } })
  },
)

it("a backslash is none in a path by itself, but an address is read as browsers read it", {
  tags: ["threat:PA-08"],
}, async () => {
  expect(new URL("https://app.test/auth\\session").pathname).toBe("/auth/session")
  expect(JSON.parse((await ask("/auth\\session")).text)).toMatchObject({ user: { name: "Ada" } })
})

it.each([
  [
    "what comes back from a provider, at the sign-in by mail",
    "/auth/signin/mail",
    { code: "x", state: "y" },
    "EmailSignin",
  ],
  ["a form, where a link leads to", "/auth/callback/mail", { email: "ada@op.test", token: "x" }, "Verification"],
])("%s is refused", { tags: ["threat:PA-16"] }, async (_, path, fields, error) => {
  const one = await makeWorld({ adapter: memoryAdapter() })
  const stranger = one.browser()
  const visit = await stranger.post(path, fields as Record<string, string>)
  expect(visit.location).toContain(`error=${error}`)
  expect([one.mails, one.op.calls, await stranger.session()]).toEqual([[], [], null])
})

describe.each([
  ["", ""],
  ["/", ""],
  ["login", "/login"],
  ["/login/", "/login"],
  ["/login//", "/login"],
  ["/anmeldung/f%C3%BCr", "/anmeldung/f%C3%BCr"],
  ["/a%20b", "/a%20b"],
  ["/a.b", "/a.b"],
  ["/a+b", "/a+b"],
  ["/(x)", "/(x)"],
  ["/a$", "/a$"],
])("the base path %j", (basePath, path) => {
  it("is the one of every address that is made with it, and those lead back", {
    tags: ["threat:PA-11", "threat:PA-12"],
  }, async () => {
    const one = await makeWorld({ strategy: "jwt", config: { basePath } })
    const send = async (below: string): Promise<{ status: number; text: string }> => {
      const answer = await one.auth.handle(new Request(`https://app.test${path}${below}`))
      return { status: answer.status, text: await answer.text() }
    }
    const { op } = JSON.parse((await send("/providers")).text)
    expect(op).toMatchObject({
      signinUrl: `https://app.test${path}/signin/op`,
      callbackUrl: `https://app.test${path}/callback/op`,
    })
    expect((await send("/signin")).text).toContain(`action="https://app.test${path}/signin/op"`)
    for (const address of [op.signinUrl, op.callbackUrl])
      expect((await one.auth.handle(new Request(address))).status).not.toBe(404)
  })
})

it.each([
  ["/a.b", "/aXb"],
  ["/a+b", "/aab"],
  ["/(x)", "/x"],
  ["/a$", "/a"],
  ["/[ab]", "/a"],
])("the base path %j is no pattern: %s is not below it", { tags: ["threat:PA-11"] }, async (basePath, path) => {
  const one = await makeWorld({ strategy: "jwt", config: { basePath } })
  expect((await one.auth.handle(new Request(`https://app.test${path}/session`))).status).toBe(404)
})
