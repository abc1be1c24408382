/** The debug log: the course of each request, and never a secret. */
import { expect, it } from "vitest"
import { settingsOf } from "../../src/engine/service.js"
import { leaks, logText } from "../support/logged.js"
import { makeWorld } from "../support/world.js"

it("logs a whole sign-in: route, endpoint, checks, calls, store and response [spec options debug]", async () => {
  const world = await makeWorld({ strategy: "database" })
  const browser = world.browser()
  await browser.get("/auth/csrf")
  await world.signInAtOp(browser)
  const reported = world.debugs.map(([message]) => message)
  expect(reported).toEqual(
    expect.arrayContaining([
      "Request POST signin/op",
      "Row POST signin",
      "Checks of op are made",
      "Request GET callback/op",
      "Row GET callback",
      "Check state of op holds",
      "Check pkceCodeVerifier of op holds",
      `Outbound POST ${world.op.issuer}/token`,
      "Store",
      "Answer",
    ]),
  )
  expect(world.debugs).toContainEqual([`Outbound POST ${world.op.issuer}/token`, { provider: "op", status: 200 }])
  const stored = world.debugs.filter(([message]) => message === "Store").map(([, call]) => call)
  expect(stored).toContainEqual({
    operation: "getUserByAccount",
    milliseconds: expect.any(Number),
    outcome: "nothing",
  })
  expect(stored).toContainEqual({ operation: "createSession", milliseconds: expect.any(Number), outcome: "found" })
  expect(world.debugs.at(-1)).toMatchObject(["Answer", { redirect: "/", changed: expect.any(Array) }])
  expect(leaks(world, [browser])).toEqual([])
})

it("logs how a request failed, with only the names of its cookies and fields", async () => {
  const world = await makeWorld()
  const browser = world.browser()
  browser.setCookie("mine", "cookie-value-of-mine")
  await browser.send("/auth/callback/op?code=the-code-itself&state=the-state-itself", { method: "GET" })
  const [, request] = world.debugs.find(([message]) => message === "Request GET callback/op") ?? []
  expect(request).toMatchObject({ cookieNames: ["mine"], queryNames: ["code", "state"], caller: "browser" })
  expect(world.debugs.at(-1)).toMatchObject(["Answer", { redirect: "/auth/signin", error: "InvalidCheck" }])
  expect(logText(world)).not.toMatch(/cookie-value-of-mine|the-code-itself|the-state-itself/)
})

it("logs a thrown value that cannot be read", async () => {
  const authorize = (): never => {
    throw new Proxy(new Error("x"), {
      get: () => {
        throw new Error("no")
      },
      getPrototypeOf: () => {
        throw new Error("no")
      },
    })
  }
  const world = await makeWorld({ more: [{ id: "own", name: "Own", type: "credentials", credentials: {}, authorize }] })
  expect((await world.browser().post("/auth/callback/own", {})).status).toBe(302)
  expect(world.debugs.at(-1)?.[0]).toBe("Answer")
})

it("names the call that failed, without the parameters of its address", async () => {
  const world = await makeWorld()
  world.op.faults.discovery = () => {
    throw new TypeError("fetch failed")
  }
  const browser = world.browser()
  await browser.post("/auth/signin/op", {})
  expect(world.errors[0]?.name).toBe("ProviderUnavailable")
  expect(world.errors[0]?.message).toContain(`(GET ${world.op.issuer}/.well-known/openid-configuration)`)
})

it.each([
  ["https://app.test", {}],
  ["http://localhost:3000", { config: { redirectProxyUrl: "https://auth.test/auth", redirectProxyOrigins: [] } }],
])("logs the redirect URI, and nothing else of the URL: %s", async (origin, options) => {
  const world = await makeWorld({ origin, ...options })
  await world.browser().post("/auth/signin/op", {})
  const base = "config" in options ? "https://auth.test" : origin
  expect(world.debugs.at(-1)).toEqual([
    "Answer",
    {
      redirect: `${world.op.issuer}/authorize`,
      redirect_uri: `${base}/auth/callback/op`,
      changed: expect.any(Array),
    },
  ])
})

it("says that the cookie of the CSRF token is missing, and a possible reason", async () => {
  const world = await makeWorld()
  await world.browser().send("/auth/signout", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "csrfToken=abc",
  })
  expect(world.errors[0]?.message).toMatch(/its cookie "__Host-authjs\.csrf-token" is missing: .*https only/)
})

it.each([
  ["signIn", "/auth/signin"],
  ["signIn", "/auth/signin/op"],
  ["signIn", "/auth/signin?x=1"],
  ["signOut", "/auth/signout"],
  ["error", "/auth/error"],
  ["verifyRequest", "/auth/verify-request"],
])(
  "leaves out pages.%s at %s, which would redirect to itself forever, and warns",
  { tags: ["threat:CF2-15"] },
  async (page, path) => {
    const world = await makeWorld({ config: { pages: { [page]: path } } })
    const visit = await world.browser().get(path)
    expect([visit.status, visit.location]).toEqual([200, undefined])
    expect([world.warnings, world.auth.problems()]).toEqual([["page-leads-to-itself"], []])
    const other = await makeWorld({ config: { basePath: "/api/auth", pages: { [page]: path } } })
    expect([other.warnings, settingsOf(other.auth)?.pages]).toEqual([[], { [page]: path }])
  },
)
