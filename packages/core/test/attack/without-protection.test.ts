import { describe, expect, it } from "vitest"
import { table } from "../../src/actions/table.js"
import { makeWorld } from "../support/world.js"

const credentials = {
  id: "credentials",
  name: "Credentials",
  type: "credentials" as const,
  credentials: {},
  authorize: () => ({ id: "1", name: "Ada" }),
}

/** Every line of the route table, tried without what protects it. */
describe("the route table without its protection", () => {
  const protectedRows = table.filter(({ csrf }) => csrf)
  const world = () =>
    makeWorld({
      strategy: "jwt",
      config: {
        providers: [
          credentials,
          {
            id: "mail",
            name: "Mail",
            type: "email",
            sendVerificationRequest: () => {
              throw new Error("a mail was sent")
            },
          } as never,
        ],
      },
    })
  const pathOf = (action: string, kinds: readonly string[]): string =>
    `/auth/${action}${kinds.includes("credentials") && !kinds.includes("none") ? "/credentials" : kinds.includes("email") ? "/mail" : ""}`

  it("has protected rows", () =>
    expect(protectedRows.map(({ action, kinds }) => `${action} ${kinds.includes("none") ? "any" : kinds}`)).toEqual([
      "session any",
      "signin any",
      "signin oauth,oidc,email",
      "signout any",
      "callback credentials",
      "callback email",
    ]))

  it.each(protectedRows.map((row) => [row.method, pathOf(row.action, row.kinds)] as const))(
    "refuses %s %s without token, with a token of another browser and with one in the query [spec authentication 8]",
    { tags: ["threat:CS-01", "threat:CS-02", "threat:CS-03", "threat:CS-07"] },
    async (_, path) => {
      const { auth, errors, ...rest } = await world()
      const own = rest.browser()
      const other = rest.browser()
      const stranger = await other.csrfToken()
      await own.csrfToken()
      const tries = [
        own.post(path, { email: "a@app.test" }, { csrf: false }),
        own.post(path, { email: "a@app.test", csrfToken: stranger }, { csrf: false }),
        own.post(`${path}?csrfToken=${await own.csrfToken()}`, { email: "a@app.test" }, { csrf: false }),
        rest.browser().post(path, { csrfToken: stranger }, { csrf: false }),
      ]
      for (const visit of await Promise.all(tries)) {
        expect(visit.setCookies).not.toContain("__Secure-authjs.session-token")
        if (path === "/auth/session") expect(visit.status).toBe(403)
        else expect(visit.location).toBe("https://app.test/auth/signin?error=Signin")
      }
      expect(errors.map(({ name }) => name)).toEqual(["MissingCSRF", "MissingCSRF", "MissingCSRF", "MissingCSRF"])
      expect(auth.problems()).toEqual([])
    },
  )

  it.each([
    ["an array", { csrfToken: ["t"] }],
    ["an object", { csrfToken: { toString: "t" } }],
    ["a number", { csrfToken: 1 }],
    ["true", { csrfToken: true }],
    ["null", { csrfToken: null }],
  ])("refuses a token that is %s", { tags: ["threat:CS-06"] }, async (_, body) => {
    const browser = (await world()).browser()
    await browser.csrfToken()
    const visit = await browser.send("/auth/signout", {
      method: "POST",
      headers: { "content-type": "application/json", "x-auth-return-redirect": "1" },
      body: JSON.stringify(body),
    })
    expect(visit.status).toBe(403)
    expect(JSON.parse(visit.text)).toMatchObject({ error: "Signin", url: "https://app.test/auth/signin?error=Signin" })
  })

  it.each(["GET", "HEAD"])("never starts a flow by %s", { tags: ["threat:CS-23"] }, async (method) => {
    const { browser, op } = await makeWorld()
    const visit = await browser().send("/auth/signin/op", { method })
    expect(visit.status).toBe(200)
    expect(visit.location).toBeUndefined()
    expect(op.calls).toEqual([])
  })

  it("ends no session by GET, nor by a method that is written into the request", {
    tags: ["threat:CS-13", "threat:CS-20"],
  }, async () => {
    const { browser: open, signInAtOp } = await makeWorld()
    const browser = open()
    await signInAtOp(browser)
    for (const [query, headers] of [
      ["", { accept: "image/*" }],
      ["?_method=POST", { "x-http-method-override": "POST" }],
      ["?_method=DELETE", { "x-http-method-override": "DELETE" }],
    ] as const) {
      const visit = await browser.send(`/auth/signout${query}`, { headers })
      expect(visit.status).toBe(200)
      expect(visit.text).toContain("<form")
      expect(await browser.session()).not.toBeNull()
    }
  })

  it.each([
    "text/plain",
    "Text/Plain;charset=utf-8",
    "Application/X-WWW-Form-URLEncoded",
    "APPLICATION/X-WWW-FORM-URLENCODED; charset=UTF-8",
    "multipart/form-data; boundary=x",
    "application/json",
    "",
  ])("changes nothing for a form of another site, of the type %j", { tags: ["threat:A-153"] }, async (type) => {
    const open = (await world()).browser
    const browser = open()
    await browser.post("/auth/callback/credentials", {})
    expect(await browser.session()).not.toBeNull()
    const cookies = new Map(browser.jar)
    for (const path of ["signout", "signin/mail", "callback/credentials", "session"]) {
      const body = new TextEncoder().encode("email=victim@app.test&callbackUrl=/")
      const headers = {
        origin: "https://evil.test",
        "sec-fetch-site": "cross-site",
        ...(type && { "content-type": type }),
      }
      const visit = await browser.send(`/auth/${path}`, { method: "POST", headers, body })
      expect(visit.status, path).toBeLessThan(500)
      expect(visit.setCookies, path).not.toContain("session-token")
    }
    for (const [name, { value }] of cookies)
      if (name.includes("session-token")) expect(browser.cookie(name)).toBe(value)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })

  it("reads no token where a body has no type", { tags: ["threat:CT-01"] }, async () => {
    const { browser: open, errors } = await world()
    const browser = open()
    const csrfToken = await browser.csrfToken()
    const body = new TextEncoder().encode(`csrfToken=${csrfToken}`)
    const visit = await browser.send("/auth/signout", { method: "POST", body })
    expect(visit.location).toBe("https://app.test/auth/signin?error=Signin")
    expect(errors.map(({ name }) => name)).toEqual(["MissingCSRF"])
  })

  it("gives its token to this origin alone, and its cookie once", {
    tags: ["threat:CS-15", "threat:CS-22"],
  }, async () => {
    const browser = (await world()).browser()
    const visits = [await browser.get("/auth/csrf", { origin: "https://evil.test" }), await browser.get("/auth/csrf")]
    for (const { headers } of visits) {
      expect(headers.get("content-type")).toBe("application/json")
      expect(headers.get("cache-control")).toContain("no-store")
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([])
    }
    const [first, second] = visits.map(({ text }) => JSON.parse(text) as Record<string, string>)
    expect(first).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(second).toEqual(first)
    expect(visits.map(({ setCookies }) => setCookies)).toEqual([["__Host-authjs.csrf-token"], []])
  })

  it("grants no other origin anything", { tags: ["threat:CS-22", "threat:V3-09"] }, async () => {
    const { auth } = await world()
    const request = new Request("https://app.test/auth/csrf", {
      method: "OPTIONS",
      headers: { origin: "https://evil.test" },
    })
    const response = await auth.handle(request)
    expect(response.status).toBe(405)
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([])
  })
})
