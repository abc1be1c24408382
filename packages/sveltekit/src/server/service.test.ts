import { afterEach, describe, expect, it, vi } from "vitest"
import { acting, application, Browser, config, nameIn, origin, stage, who } from "../../test/support/application.js"
import { patience, type SvelteKitAuthConfig } from "./service.js"

const at = (path: string): Request => new Request(origin + path)
const page = (): Response => new Response("page")

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Keeps what is logged without a configuration out of the output. */
function quiet(): ReturnType<typeof vi.spyOn> {
  return vi.spyOn(console, "error").mockImplementation(() => undefined)
}

describe("the base path", () => {
  it.each([
    ["", undefined, "/auth"],
    ["/app", undefined, "/app/auth"],
    ["", "/login", "/login"],
    ["/app", "/login", "/app/login"],
    ["/app", "/app/login", "/app/login"],
  ])(
    "below %j with the option %j is %j (pains 3 and 9) [spec sveltekit callback-url]",
    async (kitBase, basePath, path) => {
      const given = Object.freeze(config(basePath === undefined ? {} : { basePath }))
      const browser = new Browser(application(given, { kitBase }))
      expect(await (await browser.visit(`${path}/providers`)).json()).toMatchObject({
        git: { callbackUrl: `${origin}${path}/callback/git` },
      })
      expect(await (await browser.visit(`${path}x/providers`)).text()).toBe("page")
    },
  )

  it("is not that of AUTH_URL: the application knows where it is", async () => {
    const app = application(config(), { environment: async () => ({ AUTH_URL: "https://public.test/other" }) })
    expect(await (await new Browser(app).visit("/auth/providers")).json()).toMatchObject({
      git: { callbackUrl: "https://public.test/auth/callback/git" },
    })
  })
})

describe("the environment", () => {
  it("is read once, and not while the application is built", async () => {
    const { secret: _, ...rest } = config()
    const environment = vi.fn(async () => ({ AUTH_SECRET: "0123456789abcdef0123456789abcdef" }))
    application(rest, { environment, isBuilding: () => true })
    expect(environment).not.toHaveBeenCalled()
    const browser = new Browser(application(rest, { environment }))
    await browser.visit("/about", page)
    expect((await browser.visit("/auth/session")).status).toBe(200)
    expect((await browser.visit("/auth/session")).status).toBe(200)
    expect(environment).toHaveBeenCalledTimes(1)
  })

  it("lets what is wrong be logged when the service is made, before anybody asks", async () => {
    const error = vi.fn()
    application({ ...config(), secret: "", logger: { error } })
    await vi.waitFor(() => expect(error).toHaveBeenCalledOnce())
    expect(error.mock.calls[0]?.[0]).toMatchObject({ name: "MissingSecret" })
  })

  it("may fail at first", async () => {
    quiet()
    const environment = vi.fn(async (): Promise<Record<string, string>> => ({}))
    environment.mockRejectedValueOnce(new Error("away"))
    const browser = new Browser(application(config(), { environment }))
    expect((await browser.visit("/auth/session")).status).toBe(500)
    expect((await browser.visit("/auth/session")).status).toBe(200)
    expect(environment).toHaveBeenCalledTimes(2)
  })
})

describe("a configuration that a function makes", () => {
  it("is made once for a request, with the event, and not for requests that need none [spec sveltekit factory]", async () => {
    const source = vi.fn(async (event: { url: URL }) => config({ basePath: `/${event.url.hostname.split(".")[0]}` }))
    const app = application(source)
    const browser = new Browser(app)
    await browser.visit("/", page)
    expect(source).not.toHaveBeenCalled()
    await browser.visit("/", async ({ locals }) => {
      await Promise.all([locals.auth(), locals.auth()])
      return page()
    })
    expect(source).toHaveBeenCalledTimes(1)
    expect((await browser.visit("/app/session")).headers.get("content-type")).toBe("application/json")
  })

  it("that throws is answered with 500 at the default path, without its reason, which goes to the log", {
    tags: ["threat:CF2-11"],
  }, async () => {
    const log = quiet()
    const app = application(() => Promise.reject(new Error("postgres://user:pass@db")))
    const answer = await new Browser(app).visit("/auth/session")
    expect(answer.status).toBe(500)
    expect(await answer.text()).not.toContain("postgres")
    expect(answer.headers.get("cache-control")).toContain("no-store")
    expect(log).toHaveBeenCalledTimes(1)
    expect(await (await new Browser(app).visit("/blog/session", page)).text()).toBe("page")
  })

  it.each([
    () => Promise.reject(new Error("away")),
    () => {
      throw new Error("away")
    },
    () => Promise.reject("away"),
  ])("that throws makes auth, signIn and signOut throw an AuthError", { tags: ["threat:CF2-11"] }, async (source) => {
    const app = application(source as never)
    const { event } = stage(at("/"))
    const errors = await Promise.allSettled([app.auth(event), app.signIn(event, {}), app.signOut(event, {})])
    for (const one of errors)
      expect(one).toMatchObject({ status: "rejected", reason: { type: "InvalidConfiguration", status: 500 } })
  })

  it("that is not there in time is answered with 503", async () => {
    quiet()
    vi.useFakeTimers()
    const app = application(() => new Promise<never>(() => undefined))
    const asked = new Browser(app).visit("/auth/session")
    const { event } = stage(at("/"))
    const read = app.auth(event).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(patience)
    const answer = await asked
    expect(answer.status).toBe(503)
    expect(answer.headers.get("retry-after")).toBe("5")
    expect(await read).toMatchObject({ type: "InvalidConfiguration", status: 503 })
  })

  it.each([undefined, null, "config", 1])(
    "that returns %j is reported as a mistake",
    { tags: ["threat:CF2-11"] },
    async (returned) => {
      quiet()
      const answer = await new Browser(application((() => returned) as never)).visit("/auth/session")
      expect(answer.status).toBe(500)
      expect(await answer.json()).toMatchObject({ error: "Configuration" })
    },
  )
})

describe("several configurations in one process", () => {
  const tenant = (name: string): SvelteKitAuthConfig => config({ secret: name.repeat(32).slice(0, 32) })

  it("keep 200 tenants apart, interleaved", { tags: ["threat:A-159"] }, async () => {
    const configs = new Map<string, SvelteKitAuthConfig>()
    const app = application(({ url }) => {
      const known = configs.get(url.hostname) ?? tenant(url.hostname)
      configs.set(url.hostname, known)
      return known
    })
    const browsers = Array.from({ length: 200 }, (_, index) => new Browser(app, `https://t${index}.test`))
    await Promise.all(
      browsers.map((browser, index) =>
        browser.post(
          "/signin",
          { providerId: "credentials", name: `n${index}`, password: "right" },
          acting(app.signIn),
        ),
      ),
    )
    const names = await Promise.all(browsers.map(async (browser) => nameIn(await browser.visit("/", who))))
    expect(names).toEqual(browsers.map((_, index) => `n${index}`))
  })

  it("stand side by side in one application: the first one is that of locals", async () => {
    const one = application(config({ basePath: "/one", cookies: { sessionToken: { name: "one" } } }))
    const two = application(config({ basePath: "/two", cookies: { sessionToken: { name: "two" } } }))
    const both = {
      handle: ((input) =>
        one.handle({ ...input, resolve: (event) => two.handle({ ...input, event }) })) as typeof one.handle,
    }
    const browser = new Browser(both)
    for (const [app, name] of [
      [one, "Ada"],
      [two, "Bea"],
    ] as const)
      await browser.post("/signin", { providerId: "credentials", name, password: "right" }, acting(app.signIn))
    const answer = await browser.visit("/", async (event) =>
      Response.json([await event.locals.auth(), await one.auth(event), await two.auth(event)]),
    )
    expect(await answer.json()).toMatchObject([
      { user: { name: "Ada" } },
      { user: { name: "Ada" } },
      { user: { name: "Bea" } },
    ])
    for (const path of ["/one/session", "/two/session"]) expect((await browser.visit(path)).status).toBe(200)
  })
})

it("goes on with the configuration it was made with when a member of it is exchanged", async () => {
  const given = config()
  const browser = new Browser(application(given))
  const providers = async (): Promise<string[]> =>
    Object.keys((await (await browser.visit("/auth/providers")).json()) as object)
  expect(await providers()).toEqual(["credentials", "git"])
  given.providers = given.providers.slice(0, 1)
  expect(await providers()).toEqual(["credentials", "git"])
})
