import { createAuth } from "@latchkey/core"
import { Hono } from "hono"
import { describe, expect, it } from "vitest"
import { appOf, browse, config, enter } from "../test/support/app.js"
import { HonoAuth } from "./index.js"

const failing = (app: Hono): Hono => app.onError((error, c) => c.text(error.message, 500))

describe("the handler", () => {
  it("signs a person in with the form of the service, and serves the session", async () => {
    const browser = browse(appOf())
    const entered = await browser.post("/auth/callback/credentials", {
      name: "Ada",
      password: "right",
      callbackUrl: "/inside",
    })
    expect(entered.location).toBe("https://app.test/inside")
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })

  it("leaves everything else to the application", async () => {
    const app = new Hono()
    app.use("/auth/*", HonoAuth(config()))
    app.get("/auth/handbook", (c) => c.text("ours"))
    expect(await (await app.request("/auth/handbook")).text()).toBe("ours")
    expect((await app.request("/auth/nothing")).status).toBe(404)
  })

  it("answers HEAD without a body", async () => {
    const answer = await appOf().request("/auth/signin", { method: "HEAD" })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe("")
  })

  it("keeps headers and cookies that other middleware has set before, in either way of setting them", async () => {
    const app = new Hono()
    app.use(async (c, next) => {
      c.header("X-Before", "prepared")
      c.header("Vary", "Origin")
      if (c.req.query("made") !== undefined) c.res.headers.set("X-Made", "made")
      c.header("Set-Cookie", "theirs=1", { append: true })
      await next()
    })
    app.use("/auth/*", HonoAuth(config()))
    for (const query of ["", "?made"]) {
      const { headers } = await app.request(`https://app.test/auth/csrf${query}`)
      expect(headers.get("x-before")).toBe("prepared")
      expect(headers.get("x-made")).toBe(query === "" ? null : "made")
      const names = headers.getSetCookie().map((line) => line.split("=", 1)[0])
      expect(names).toEqual(["theirs", "__Host-authjs.csrf-token"])
    }
  })

  it("reads a form that a middleware has read before", async () => {
    const app = new Hono()
    app.use(async (c, next) => {
      if (c.req.method === "POST") await c.req.parseBody()
      await next()
    })
    app.use("/auth/*", HonoAuth(config()))
    const browser = browse(app)
    await browser.post("/auth/callback/credentials", { name: "Ada", password: "right" })
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})

describe("where it is mounted", () => {
  it("may be below an application of its own", async () => {
    const auth = HonoAuth(config({ basePath: "/api/auth" }))
    const app = new Hono().route("/api", new Hono().use("/auth/*", auth))
    expect(await (await app.request("https://app.test/api/auth/providers")).json()).toMatchObject({
      credentials: { callbackUrl: "https://app.test/api/auth/callback/credentials" },
    })
  })

  it("may be everywhere", async () => {
    const app = new Hono().use(HonoAuth(config()))
    app.get("/", (c) => c.text("home"))
    expect(await (await app.request("/")).text()).toBe("home")
    expect((await app.request("/auth/csrf")).status).toBe(200)
  })

  it("has to hold the base path: the error names both and what to set", { tags: ["threat:PA-13"] }, async () => {
    const app = failing(new Hono())
    app.use("/api/auth/*", HonoAuth(config()))
    const answer = await app.request("/api/auth/signin")
    expect(answer.status).toBe(500)
    expect(await answer.text()).toContain(
      'HonoAuth is mounted at "/api/auth/*", where nothing of its base path "/auth" arrives. Mount it at "/auth/*", or set `basePath: "/api/auth"`.',
    )
  })
})

describe("a function of the context", () => {
  it("finds a configuration with the bindings of the request, which hold its variables too", async () => {
    const asked: string[] = []
    const held = config({ secret: undefined })
    const auth = HonoAuth((c) => {
      asked.push(c.req.path)
      return held
    })
    const app = new Hono()
    app.use("/auth/*", auth)
    app.get("/who", auth.load(), async (c) => c.json(await auth.session(c)))
    const bindings = { AUTH_SECRET: "the-secret-of-the-bindings-long-enough", DB: { prepare: () => undefined } }
    const browser = browse({ fetch: (request) => app.fetch(request, bindings) })
    await browser.post("/auth/callback/credentials", { name: "Ada", password: "right" })
    asked.length = 0
    expect((await browser.get("/who")).text).toContain("Ada")
    expect(asked, "asked once for each request").toEqual(["/who"])
  })

  it("keeps the people of two tenants apart", async () => {
    const tenants = { one: config({ secret: "1".repeat(32) }), two: config({ secret: "2".repeat(32) }) }
    const auth = HonoAuth((c) => tenants[c.req.header("x-tenant") === "two" ? "two" : "one"])
    const app = new Hono()
    app.use("/auth/*", auth)
    const browser = browse(app)
    await browser.post("/auth/callback/credentials", { name: "Ada", password: "right" })
    expect((await browser.get("/auth/session")).text).toContain("Ada")
    expect((await browser.get("/auth/session", { "x-tenant": "two" })).text).toBe("null")
  })

  it("is refused when it finds nothing", async () => {
    const nothing = (): never => undefined as never
    const app = failing(new Hono().use("/auth/*", HonoAuth(nothing)))
    expect(await (await app.request("/auth/session")).text()).toContain(
      "The function given to HonoAuth has to return a configuration or a service, but returned undefined.",
    )
  })
})

it("takes the service that an application holds already", async () => {
  const browser = browse(new Hono().use("/auth/*", HonoAuth(createAuth(config()))))
  await browser.post("/auth/callback/credentials", { name: "Ada", password: "right" })
  expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
})

it("logs the problems of a configuration when it is made", () => {
  const logged: string[] = []
  HonoAuth({ secret: "", providers: [], logger: { error: ({ name }) => void logged.push(name), warn: () => {} } })
  expect(logged).toEqual(["MissingSecret"])
})

it("signs in without its own pages, too", async () => {
  const browser = browse(appOf())
  await enter(browser)
  expect((await browser.get("/inside")).text).toContain("Ada")
})
