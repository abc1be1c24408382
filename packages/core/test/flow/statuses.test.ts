import { describe, expect, it, vi } from "vitest"
import { makeWorld } from "../support/world.js"

const html = { accept: "text/html,application/xhtml+xml" }

describe("a request that cannot be served", () => {
  it.each([
    ["an unknown action", "GET", "/auth/nothing", 404],
    ["no action", "GET", "/auth/", 404],
    ["an unknown provider", "GET", "/auth/signin/nobody", 404],
    ["an unknown provider at the callback", "GET", "/auth/callback/nobody", 404],
    ["a callback without provider", "GET", "/auth/callback", 404],
    ["a method that is not served", "POST", "/auth/providers", 405],
    ["a method that nothing is served with", "DELETE", "/auth/session", 405],
    ["a name that objects have by themselves", "GET", "/auth/signin/__proto__", 404],
    ["what a script writes for a provider it does not know [PA-14]", "GET", "/auth/signin/undefined", 404],
    ["nothing, written as a name [PA-14]", "GET", "/auth/signin/null", 404],
    ["a path that only begins like ours", "GET", "/authsession", 404],
  ])("gets %s as JSON for scripts and as a page for people", async (_, method, path, status) => {
    const world = await makeWorld()
    const script = await world.browser().send(path, { method })
    expect(script.status).toBe(status)
    expect(JSON.parse(script.text)).toMatchObject({ error: "Configuration", message: expect.any(String) })
    const person = await world.browser().send(path, { method, headers: html })
    expect(person.status).toBe(status)
    expect(person.headers.get("content-type")).toContain("text/html")
  })

  it("is redirected to the sign-in page when a client of Auth.js names no provider", {
    tags: ["threat:PA-14"],
  }, async () => {
    const world = await makeWorld()
    const visit = await world.browser().post("/auth/signin/undefined")
    expect([visit.status, visit.location]).toEqual([302, "https://app.test/auth/signin"])
  })

  it("gets the header Allow with the methods that are served", async () => {
    const world = await makeWorld()
    expect((await world.browser().send("/auth/providers", { method: "POST" })).headers.get("allow")).toBe("GET, HEAD")
    expect((await world.browser().send("/auth/session", { method: "PUT" })).headers.get("allow")).toContain("POST")
  })

  it.each([
    ["broken JSON", "application/json", "{", 400],
    ["a body too large", "application/x-www-form-urlencoded", `a=${"x".repeat(300_000)}`, 413],
    ["an unknown content type", "text/plain", "hello", 415],
  ])("refuses %s", async (_, type, body, status) => {
    const world = await makeWorld()
    const browser = world.browser()
    await browser.get("/auth/csrf")
    const visit = await browser.send("/auth/signout", { method: "POST", headers: { "content-type": type }, body })
    expect(visit.status).toBe(status)
    expect(JSON.parse(visit.text)).toMatchObject({ error: "Configuration" })
  })
})

describe("HEAD", () => {
  it.each(["session", "csrf", "providers", "signin", "error"])(
    "answers %s like GET, without a body",
    async (action) => {
      const world = await makeWorld()
      const head = await world.browser().send(`/auth/${action}`, { method: "HEAD" })
      const get = await world.browser().get(`/auth/${action}`)
      expect(head.status).toBe(get.status)
      expect(head.text).toBe("")
      expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"))
    },
  )
})

describe("a prefetch", () => {
  it.each([
    ["HEAD", { method: "HEAD" }],
    ["Sec-Purpose", { headers: { "sec-purpose": "prefetch" } }],
    ["Purpose", { headers: { purpose: "prefetch" } }],
    ["X-Moz", { headers: { "x-moz": "prefetch" } }],
  ])("by %s does not use up a link", { tags: ["threat:CS-24", "threat:CS-25", "threat:FM-08"] }, async (_, init) => {
    const world = await makeWorld()
    const browser = world.browser()
    await browser.post("/auth/signin/mail", { email: "ada@app.test" })
    const { pathname, search } = new URL(world.mails[0]?.url ?? "")
    const looked = await browser.send(pathname + search, init)
    expect(looked.setCookies).toEqual([])
    await browser.get(pathname + search)
    expect(await browser.session()).toMatchObject({ user: { email: "ada@app.test" } })
  })
})

describe("a configuration that cannot work", () => {
  it("is shown on the page, with an incident id that the log has as well", async () => {
    const world = await makeWorld({ config: { secret: "" } })
    const visit = await world.browser().get("/auth/session")
    expect(visit.status).toBe(500)
    const body = JSON.parse(visit.text) as { incident: string }
    expect(body).toMatchObject({ error: "Configuration", incident: expect.stringMatching(/^[A-Za-z0-9]{12}$/) })
    expect(visit.headers.get("x-auth-incident")).toBe(body.incident)
    // Logged when the service was made, and for this request.
    expect(world.errors.map(({ name }) => name)).toEqual(["MissingSecret", "MissingSecret"])
    expect(world.errors[1]).toHaveProperty("incident", body.incident)
  })

  it.each(["signin", "signout", "error", "verify-request"])("shows people a page at %s", async (action) => {
    const world = await makeWorld({ config: { secret: "" } })
    const visit = await world.browser().get(`/auth/${action}`, html)
    expect(visit.status).toBe(500)
    expect(visit.text).toContain("<!doctype html>")
  })

  it("redirects to the application's own error page, unless that page requires a sign-in itself", async () => {
    const world = await makeWorld({ config: { secret: "", pages: { error: "/oops" } } })
    const visit = await world.browser().get("/auth/signin", html)
    expect(visit.location).toMatch(/^https:\/\/app\.test\/oops\?error=Configuration&incident=\w{12}$/)
    const loop = await world.browser().get("/auth/signin?callbackUrl=%2Foops", html)
    expect(loop.status).toBe(500)
    expect(world.errors.at(-1)?.name).toBe("ErrorPageLoop")
  })
})

describe("the default logger", () => {
  it("prints the incident id that is in the response", async () => {
    const printed: string[] = []
    const spy = vi.spyOn(console, "error").mockImplementation((line: unknown) => void printed.push(String(line)))
    try {
      const world = await makeWorld({ config: { secret: "", logger: undefined } })
      const visit = await world.browser().get("/auth/session")
      const { incident } = JSON.parse(visit.text) as { incident: string }
      expect(printed.filter((line) => line.includes(`(incident ${incident})`))).toHaveLength(1)
    } finally {
      spy.mockRestore()
    }
  })
})

describe("a session that no cookies can hold", () => {
  it.each([{}, { accept: "application/json" }])(
    "is an error that is logged and shown, not a sign-in without end: %j",
    {
      tags: ["threat:CK-23"],
    },
    async (headers: Record<string, string>) => {
      const world = await makeWorld({
        strategy: "jwt",
        config: { callbacks: { jwt: ({ token }) => ({ ...token, text: "x".repeat(60_000) }) } },
      })
      const browser = world.browser()
      const begun = await browser.post("/auth/signin/op")
      const visit = await browser.get(world.op.authorize(begun.location ?? "").href, headers)
      expect(visit.location).toMatch(/^https:\/\/app\.test\/auth\/error\?error=Configuration&incident=/)
      expect([...browser.jar.keys()].filter((name) => name.includes("session-token"))).toEqual([])
      expect(world.errors).toMatchObject([{ type: "InvalidConfiguration" }])
      expect((await browser.get(visit.location ?? "", html)).status).toBe(500)
      expect(await browser.session()).toBeNull()
    },
  )
})
