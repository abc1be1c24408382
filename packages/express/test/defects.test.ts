/** Defects that people have met elsewhere with Express, each by its number in the catalogue. */
import { createAuth } from "@latchkey/core"
import express5, { type Express } from "express"
import express4 from "express4"
import { describe, expect, it } from "vitest"
import { authSession, ExpressAuth, type ExpressAuthConfig, getSession, requireSession } from "../src/index.js"
import { closeAfterwards, config, op, serve } from "./support/app.js"
import { type Listener, serveWithTls } from "./support/proxy.js"
import { Visitor } from "./support/visitor.js"

async function visit(app: Express): Promise<Visitor> {
  return new Visitor({ front: await serve(app), host: "app.test" })
}

async function csrf(visitor: Visitor, base = "/auth"): Promise<string> {
  return (await visitor.json<{ csrfToken: string }>(`${base}/csrf`)).csrfToken
}

describe.each([
  [4, express4],
  [5, express5],
] as const)("Express %i", (_, express) => {
  it("warns of nothing when AUTH_URL has the base path [wire 18.5 54]", async () => {
    const warnings: string[] = []
    const logger = { error: () => undefined, debug: () => undefined, warn: (code: string) => void warnings.push(code) }
    const auth = createAuth(config({ logger, trustHost: undefined as never }), {
      env: { AUTH_URL: "https://app.test/auth" },
    })
    const app = express()
    app.use("/auth", ExpressAuth(auth))
    const visitor = await visit(app)
    for (const path of ["session", "csrf", "providers"]) expect((await visitor.ask(`/auth/${path}`)).status).toBe(200)
    expect(warnings).toEqual([])
  })

  it("redirects without a Content-Type, empty or not [wire 18.5 55]", async () => {
    const app = express()
    app.use("/auth", ExpressAuth(config({ pages: { signIn: "/login" } })))
    const answer = await (await visit(app)).ask("/auth/signin")
    expect(answer.status).toBe(302)
    expect(answer.headers).not.toHaveProperty("content-type")
  })

  it("extends the session where it can write, and says so with a cookie [users 10, X2]", async () => {
    const auth = config({ session: { updateAge: 0 } })
    const app = express()
    app.use("/auth", ExpressAuth(auth))
    app.get("/me", (req, res, next) => void getSession(req, res, auth).then((session) => res.json(session), next))
    const visitor = await visit(app)
    const form = { csrfToken: await csrf(visitor), name: "Ada", password: "right" }
    await visitor.ask("/auth/callback/credentials", { form })
    expect((await visitor.ask("/me")).cookies).toEqual([expect.stringContaining("authjs.session-token=")])
  })

  it("knows TLS of its own without a word about proxies [users 3]", async () => {
    const app = express()
    app.use("/auth", ExpressAuth(config()))
    const front = closeAfterwards(await serveWithTls("app.test", app as unknown as Listener))
    const visitor = new Visitor({ front, host: "app.test" })
    const form = { csrfToken: await csrf(visitor), name: "Ada", password: "right", callbackUrl: "/welcome" }
    const entered = await visitor.ask("/auth/callback/credentials", { form })
    expect(entered.headers.location).toBe("https://app.test/welcome")
    expect([...visitor.cookies.keys()]).toContain("__Secure-authjs.session-token")
  })

  it("sets each cookie in a field of its own", { tags: ["threat:CK-30"] }, async () => {
    const app = express()
    app.use("/auth", ExpressAuth(config()))
    const visitor = await visit(app)
    const form = { csrfToken: await csrf(visitor), name: "Ada", password: "right", callbackUrl: "/welcome" }
    const { cookies } = await visitor.ask("/auth/callback/credentials", { form })
    const names = cookies.map((line) => line.slice(0, line.indexOf("=")))
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(1)
  })

  describe("addresses behind a proxy [users 3]", () => {
    const proxied = { "x-forwarded-host": "shop.test", "x-forwarded-proto": "https" }
    interface Case {
      readonly trust: boolean
      readonly env: Readonly<Record<string, string>>
      readonly mount: string
      readonly basePath?: string
      readonly callback: string
    }
    const cases: readonly Case[] = [
      { trust: true, env: {}, mount: "/auth", callback: "https://shop.test/auth/callback/op" },
      { trust: false, env: {}, mount: "/auth", callback: "http://app.test/auth/callback/op" },
      { trust: true, env: {}, mount: "/api/auth", callback: "https://shop.test/api/auth/callback/op" },
      {
        trust: true,
        env: { AUTH_URL: "https://fixed.test/auth" },
        mount: "/auth",
        callback: "https://fixed.test/auth/callback/op",
      },
      {
        trust: false,
        env: { AUTH_URL: "https://fixed.test" },
        mount: "/auth",
        callback: "https://fixed.test/auth/callback/op",
      },
      {
        // The proxy takes off /shop before it hands on.
        trust: true,
        env: {},
        mount: "/auth",
        basePath: "/shop/auth",
        callback: "https://shop.test/shop/auth/callback/op",
      },
    ]
    it.each(cases)("trust $trust, $env, mounted at $mount, base path $basePath: $callback", async (given) => {
      const { basePath, callback, env, mount, trust } = given
      const auth = createAuth(config({ providers: [op], ...(basePath && { basePath }) }), { env })
      const app = express()
      app.set("trust proxy", trust)
      // A service that is held knows its base path; only a configuration takes that of the mount.
      app.use(mount, ExpressAuth(mount === "/auth" ? auth : config({ providers: [op] })))
      const visitor = await visit(app)
      const first = await visitor.ask(`${mount}/csrf`, { headers: proxied })
      const { csrfToken } = JSON.parse(first.text) as { csrfToken: string }
      // As the browser would, which the proxy serves with https.
      for (const line of first.cookies) {
        const [pair = ""] = line.split(";", 1)
        visitor.cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
      }
      const leaving = await visitor.ask(`${mount}/signin/op`, { form: { csrfToken }, headers: proxied })
      expect(new URL(leaving.headers.location ?? "").searchParams.get("redirect_uri")).toBe(callback)
    })
  })

  describe("forged and stale forms [users 23]", () => {
    async function signedIn(): Promise<Visitor> {
      const auth = config()
      const app = express()
      app.use("/auth", ExpressAuth(auth))
      const visitor = await visit(app)
      const form = { csrfToken: await csrf(visitor), name: "Ada", password: "right" }
      await visitor.ask("/auth/callback/credentials", { form })
      return visitor
    }

    it.each([
      ["no token", () => ({})],
      ["a wrong token", () => ({ csrfToken: "0".repeat(64) })],
    ])("with %s change nothing", async (_name, fields) => {
      const visitor = await signedIn()
      await visitor.ask("/auth/signout", { form: fields(), headers: { origin: "https://evil.test" } })
      expect(await visitor.json("/auth/session")).toMatchObject({ user: { name: "Ada" } })
    })

    it("a script fetches the token, and sends it with JSON", async () => {
      const visitor = await signedIn()
      const answer = await visitor.ask("/auth/signout", {
        json: { csrfToken: await csrf(visitor) },
        headers: { "x-auth-return-redirect": "1" },
      })
      expect(answer.status).toBe(200)
      expect(await visitor.json("/auth/session")).toBeNull()
    })

    it("a token that has become stale leads back to the page, which has a fresh one", async () => {
      const visitor = await signedIn()
      const stale = await csrf(visitor)
      for (const name of visitor.cookies.keys()) if (name.includes("csrf")) visitor.cookies.delete(name)
      const refused = await visitor.ask("/auth/signin/credentials", { form: { csrfToken: stale } })
      expect(refused.status).toBe(302)
      const { pathname, search } = new URL(refused.headers.location ?? "")
      expect(pathname).toBe("/auth/signin")
      expect((await visitor.ask(pathname + search)).text).toContain('name="csrfToken"')
    })
  })

  describe("the page after signing in [users 30]", () => {
    function guarded(auth: ExpressAuthConfig): Express {
      const app = express()
      app.use("/auth", ExpressAuth(auth))
      app.use(authSession(auth), requireSession({ redirectTo: "/auth/signin" }))
      return app
    }

    it("is the one that was asked for, in each of two tabs", async () => {
      const visitor = await visit(guarded(config()))
      const tabs = await Promise.all(["/one?a=1%262", "/two"].map((path) => visitor.ask(path)))
      const wanted = tabs.map(({ headers: { location } }) =>
        new URL(location ?? "", visitor.origin).searchParams.get("callbackUrl"),
      )
      expect(wanted).toEqual(["/one?a=1%262", "/two"])
      for (const { headers } of tabs) await visitor.ask(headers.location ?? "")
      for (const callbackUrl of wanted) {
        const form = { csrfToken: await csrf(visitor), name: "Ada", password: "right", callbackUrl: callbackUrl ?? "" }
        const answer = await visitor.ask("/auth/callback/credentials", { form })
        expect(answer.headers.location).toBe(visitor.origin + callbackUrl)
      }
    })

    it.each([
      "//evil.test",
      "/\\evil.test",
      "https://evil.test",
      "http://app.test@evil.test",
      "javascript:alert(1)",
      "https:evil.test",
      "http://evil.test\\@app.test/",
      "https://app.test\\.evil.test/",
      "/\t/evil.test",
      "ht\ntps://evil.test/",
      "/\r\n/evil.test",
    ])("is never another host: %j", { tags: ["threat:A-067"] }, async (callbackUrl) => {
      const visitor = await visit(guarded(config()))
      const form = { csrfToken: await csrf(visitor), name: "Ada", password: "right", callbackUrl }
      const answer = await visitor.ask("/auth/callback/credentials", { form })
      expect(new URL(answer.headers.location ?? "").host).toBe("app.test")
    })
  })
})
