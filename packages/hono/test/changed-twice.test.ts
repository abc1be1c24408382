/** One request changes the session twice: middleware reads it when it is due, and what answers then signs out or in. */
import { createAuth, skipCSRFCheck } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import { Hono } from "hono"
import { cors } from "hono/cors"
import { describe, expect, it } from "vitest"
import { HonoAuth, type HonoAuthConfig } from "../src/index.js"
import { browse, config } from "./support/app.js"

/** Each in which reading the session sets its cookie. */
const due: readonly (readonly [string, Partial<HonoAuthConfig>])[] = [
  ["extended by every read", { session: { strategy: "jwt", updateAge: 0 } }],
  ["changed by the jwt callback", { callbacks: { jwt: ({ token }) => ({ ...token, seen: Math.random() }) } }],
  [
    "too long for one cookie once it is read",
    { callbacks: { jwt: ({ token, user }) => ({ ...token, ...(!user && { more: "x".repeat(9000) }) }) } },
  ],
  [
    "given to the domain",
    { session: { strategy: "jwt", updateAge: 0 }, cookies: { sessionToken: { options: { domain: ".app.test" } } } },
  ],
]

type Auth = ReturnType<typeof HonoAuth>
type Mount = (app: Hono, auth: Auth, given: HonoAuthConfig) => unknown

const inner = (auth: Auth): Hono => new Hono().use("/auth/*", auth)

/** How the actions of the service stand behind the middleware. */
const mounts: readonly (readonly [string, Mount])[] = [
  ["the handler", (app, auth) => app.use("/auth/*", auth)],
  ["an application below", (app, auth) => app.route("/", inner(auth))],
  ["a mounted application", (app, auth) => app.mount("/", inner(auth).fetch, { replaceRequest: (request) => request })],
  ["an application that is handed the request", (app, auth) => app.all("/auth/*", (c) => inner(auth).fetch(c.req.raw))],
  [
    "the service",
    (app, _auth, given) => {
      const service = createAuth(given as AuthConfig)
      return app.all("/auth/*", (c) => service.handle(c.req.raw))
    },
  ],
]

function open(more: Partial<HonoAuthConfig>, mount: Mount, isBehindCors = false) {
  // Fetching a token would read the session between what is sent.
  const given = config({ ...more, skipCSRFCheck })
  const auth = HonoAuth(given)
  const app = new Hono()
  if (isBehindCors) app.use(cors({ origin: "https://app.test", credentials: true }))
  app.use(auth.load())
  app.use("/me", auth.require())
  app.get("/me", () => new Response("me", { headers: { "Set-Cookie": "theme=dark" } }))
  app.post("/bye", async (c) => {
    await auth.signOut(c, { redirect: false })
    return new Response("bye")
  })
  mount(app, auth, given)
  const browser = browse(app)
  const who = async () => ((await browser.session()) as { user?: { name?: string } } | null)?.user?.name
  const post = (path: string, fields: Record<string, string> = {}) => browser.post(path, fields, { csrf: false })
  const enter = async (name: string) => post("/auth/callback/credentials", { name, password: "right" })
  return {
    browser,
    enter,
    post,
    who,
    kept: () => [...browser.jar.keys()].filter((name) => name.includes("session-token")),
  }
}

const cases = [false, true].flatMap((isBehindCors) =>
  mounts.map(([name, mount]) => [`${name}${isBehindCors ? ", behind cors()" : ""}`, mount, isBehindCors] as const),
)

describe.each(due)("a session that is %s", { tags: ["threat:RC-12"] }, (_kind, more) => {
  it.each(cases)("ends, and gives way to another, by the answer of %s", async (_what, mount, isBehindCors) => {
    const { enter, post, who, kept } = open(more, mount, isBehindCors)
    await enter("Ada")
    await enter("Bob")
    expect(await who()).toBe("Bob")
    await enter("Ada")
    await post("/auth/signout")
    expect([await who(), kept()]).toEqual([undefined, []])
  })

  it("keeps the cookie that it was read with, once, beside one that a handler sets", async () => {
    const { browser, enter, who } = open(more, (app, auth) => app.use("/auth/*", auth))
    await enter("Ada")
    const lines = (await browser.get("/me")).headers.getSetCookie()
    expect(lines).toContain("theme=dark")
    expect(lines.join()).toContain("session-token")
    expect(lines).toEqual([...new Set(lines)])
    expect(await who()).toBe("Ada")
  })

  it("is ended by a handler with a response of its own", async () => {
    const { enter, post, who, kept } = open(more, (app, auth) => app.use("/auth/*", auth))
    await enter("Ada")
    await post("/bye")
    expect([await who(), kept()]).toEqual([undefined, []])
  })
})

describe("cookies that are held until there is a response", () => {
  const more = { session: { strategy: "jwt", updateAge: 0 } } as const
  const named = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split("=", 1)[0])

  it("come with the answer to an error, and with that of a guard", { tags: ["threat:RC-12"] }, async () => {
    const given = config(more)
    const auth = HonoAuth(given)
    const app = new Hono()
    app.use("/auth/*", auth)
    app.onError((_error, c) => c.text("failed", 500))
    app.get("/fails", auth.load(), () => {
      throw new Error("failed")
    })
    app.get("/gone", auth.require({ redirectTo: "/login" }), (c) => c.text("in"))
    const browser = browse(app)
    await browser.post("/auth/callback/credentials", { name: "Ada", password: "right" })
    const failed = await browser.get("/fails")
    expect([failed.status, failed.setCookies]).toEqual([500, ["__Secure-authjs.session-token"]])
    const headers = { cookie: "__Secure-authjs.session-token=nothing" }
    const gone = await app.request("https://app.test/gone", { headers })
    expect([gone.status, named(gone)]).toEqual([303, ["__Secure-authjs.session-token"]])
    expect(gone.headers.get("cache-control")).toBe("private, no-store")
  })

  it("end the session where a route does, whatever its response says that was made before", {
    tags: ["threat:RC-12"],
  }, async () => {
    const service = createAuth(config({ ...more, skipCSRFCheck }) as AuthConfig)
    const auth = HonoAuth(service)
    const app = new Hono()
    app.use("/auth/*", auth)
    app.use(auth.load())
    app.post("/out", async (c) => {
      const answer = await service.handle(new Request("https://app.test/auth/session", { headers: c.req.raw.headers }))
      await auth.signOut(c, { redirect: false })
      return answer
    })
    const browser = browse(app)
    await browser.post("/auth/callback/credentials", { name: "Ada", password: "right" }, { csrf: false })
    await browser.post("/out", {}, { csrf: false })
    expect(await browser.session()).toBeNull()
  })

  it("include those of a middleware that changes the session behind the handler", {
    tags: ["threat:RC-12"],
  }, async () => {
    const auth = HonoAuth(config(more))
    const app = new Hono()
    app.use("/auth/*", auth)
    app.use(auth.load())
    app.use(async (c, next) => {
      await next()
      if (c.req.path === "/last") await auth.signOut(c, { redirect: false, trusted: true })
    })
    app.use(auth.load())
    app.get("/last", () => new Response("last"))
    const browser = browse(app)
    await browser.post("/auth/callback/credentials", { name: "Ada", password: "right" })
    await browser.get("/last")
    expect(await browser.session()).toBeNull()
  })
})
