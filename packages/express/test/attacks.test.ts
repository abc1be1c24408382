/** What one request can do to the guard and to the cookies when several parts of an application have a hand in it. */
import { createConnection } from "node:net"
import { inspect } from "node:util"
import express5, { type ErrorRequestHandler, type Express, type RequestHandler } from "express"
import express4 from "express4"
import { describe, expect, it } from "vitest"
import {
  type AuthOfRequest,
  authSession,
  ExpressAuth,
  type ExpressAuthConfig,
  requireSession,
  signOut,
} from "../src/index.js"
import { Browser, config, listen } from "./support/app.js"

/** A session that is read out of the cookie `name`. */
function tenant(name: string): ExpressAuthConfig {
  const options = { httpOnly: true, path: "/", sameSite: "lax" } as const
  return config({ cookies: { sessionToken: { name, options } } })
}

/** The answer to a request that is sent as it stands. */
function sent(port: string, request: string): Promise<string> {
  return new Promise((resolve) => {
    let read = ""
    const socket = createConnection(Number(port), "127.0.0.1", () => socket.write(request))
    socket.on("data", (part) => (read += part)).on("close", () => resolve(read))
  })
}

async function signedIn(app: Express): Promise<Browser> {
  const browser = new Browser(await listen(app))
  await browser.form("/auth/callback/credentials", { name: "Ada", password: "right" })
  return browser
}

describe.each([
  ["4", express4],
  ["5", express5],
] as const)("on Express %s", (_major, express: typeof express5) => {
  describe("a guard behind two readings of the session", () => {
    it("goes by the configuration that its function finds there, not by the one it found before", {
      tags: ["threat:CF2-11"],
    }, async () => {
      const tenants = { default: tenant("default"), b: tenant("b") }
      const find: AuthOfRequest = ({ params }) => (params["tenant"] === "b" ? tenants.b : tenants.default)
      const app = express()
      app.use("/auth", ExpressAuth(tenants.default))
      app.use(authSession(find))
      app.get("/:tenant/inside", authSession(find), requireSession(), (_req, res) => void res.send("inside"))
      const browser = await signedIn(app)
      expect((await browser.ask("/default/inside")).status).toBe(200)
      expect((await browser.ask("/b/inside")).status).toBe(401)
    })

    it.each<[string, () => unknown]>([
      ["rejects", () => Promise.reject(new Error("down"))],
      [
        "throws",
        () => {
          throw new Error("down")
        },
      ],
      ["returns nothing", () => undefined],
      ["answers nothing", () => Promise.resolve(null)],
    ])(
      "stays shut when the second one %s and somebody goes on after the error",
      {
        tags: ["threat:FD-01", "threat:CF2-11"],
      },
      async (_, find) => {
        const users = config()
        const app = express()
        app.use("/auth", ExpressAuth(users))
        app.use(authSession(users))
        const fails = find as AuthOfRequest
        const goOn: ErrorRequestHandler = (_error, _req, _res, next) => next()
        app.get("/admin", authSession(fails, { onRequest: true }), goOn, requireSession())
        app.get("/admin", (_req, res) => void res.send("in"))
        app.use(
          ((error, _req, res, _next) => void res.status(500).json({ type: error.type })) satisfies ErrorRequestHandler,
        )
        const browser = await signedIn(app)
        const answer = await browser.ask("/admin")
        expect([answer.status, await answer.json()]).toEqual([500, { type: "InvalidConfiguration" }])
      },
    )
  })

  describe("a GET with a body", () => {
    it.each([
      ["Content-Length: 21\r\n\r\ncsrfToken=x&x=1234567"],
      ["Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n0\r\n\r\n"],
    ])("is answered as if it had none: %j", { tags: ["threat:CT-20"] }, async (rest) => {
      const users = config()
      const app = express()
      app.use("/auth", ExpressAuth(users))
      const { port } = new URL(await listen(app))
      const type = "Content-Type: application/x-www-form-urlencoded\r\n"
      for (const path of ["/auth/signout", "/auth/session"]) {
        const head = `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n`
        expect(await sent(port, `${head}${type}${rest}`)).toMatch(/^HTTP\/1\.1 200 /)
      }
    })
  })

  describe("a callback as the address to return to", () => {
    it.each(["/AUTH/callback/credentials?token=x", "/auth/Callback/credentials", "//auth/callback/credentials"])(
      "leads home, though Express serves it as well, spelled %s",
      { tags: ["threat:RD-114"] },
      async (callbackUrl) => {
        const app = express()
        app.use("/auth", ExpressAuth(config()))
        const browser = new Browser(await listen(app))
        const { status } = await browser.form("/AUTH/callback/credentials", { name: "Ada", password: "wrong" })
        expect(status).toBe(302)
        const answer = await browser.form("/auth/callback/credentials", { name: "Ada", password: "right", callbackUrl })
        expect([answer.status, answer.headers.get("location")]).toEqual([302, browser.origin])
        expect(browser.has("session-token")).toBe(true)
      },
    )
  })

  describe("a sign-in page of the application that stands in the place of others", () => {
    it.each([
      ["/inside?error=CredentialsSignin"],
      ["//evil.test/inside?error=CredentialsSignin"],
      ["/\\evil.test/inside?error=CredentialsSignin"],
      ["http://evil.test/inside?error=CredentialsSignin"],
    ])("posts to its own host, asked for %j", { tags: ["threat:HO-25"] }, async (target) => {
      const auth = ExpressAuth(config({ trustHost: true }))
      const app = express()
      app.use("/auth", auth)
      app.use((req, res, next) => {
        auth.signInView(req, res).then((view) => res.json(view), next)
      })
      const { port } = new URL(await listen(app))
      const text = await sent(port, `GET ${target} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n`)
      expect(text).toContain('"action":"http://app.test/auth/')
      expect(text).toContain('"error":')
      expect(text).not.toContain("evil.test")
    })
  })

  describe("res.locals", () => {
    it("shows nobody who prints it the secrets of the configuration", async () => {
      const auth = config({ secret: "this must not stand in any log!!" })
      const app = express()
      app.use(authSession(auth))
      app.get("/", (_req, res) => void res.send(inspect(res.locals, { depth: 9, showHidden: true })))
      const text = await (await fetch(await listen(app))).text()
      expect(text).toContain("session")
      expect(text).not.toContain("this must not")
    })
  })

  describe("signing out where the session was extended in the same response", () => {
    /** A token that is in one cookie or in several, by turns. */
    function growing(isLarge: (round: number) => boolean): ExpressAuthConfig {
      let round = 0
      return config({
        session: { updateAge: 0 },
        callbacks: {
          jwt: ({ token, trigger }) => {
            const { blob: _, ...rest } = token
            const isBig = trigger === "signIn" || trigger === "signUp" ? isLarge(0) : isLarge(++round)
            return isBig ? { ...rest, blob: "x".repeat(6000) } : rest
          },
        },
      })
    }

    const sizes = [
      ["grew into several cookies", (round: number) => round > 0],
      ["shrank into one", (round: number) => round === 0],
    ] as const

    it.each(sizes)("takes away a session that %s, from a route [SF-05, CK-18]", async (_, isLarge) => {
      const auth = growing(isLarge)
      const app = express()
      app.use("/auth", ExpressAuth(auth))
      app.post("/out", authSession(auth), async (req, res) => void (await signOut(req, res, auth)))
      const browser = await signedIn(app)
      expect(browser.has("session-token")).toBe(true)
      await browser.ask("/out", { method: "POST" })
      expect(browser.has("session-token")).toBe(false)
    })

    it("hands out no session that was extended before", async () => {
      const auth = config({ session: { updateAge: 0 } })
      const app = express()
      app.use("/auth", ExpressAuth(auth))
      app.post("/out", authSession(auth), async (req, res) => {
        res.append("Set-Cookie", ["authjs.session-token=of-another-path; Path=/shop", "own=1"])
        await signOut(req, res, auth, { redirect: false })
        res.end()
      })
      const browser = await signedIn(app)
      const { headers } = await browser.ask("/out", { method: "POST" })
      const set = headers.getSetCookie().map((field) => field.split(";", 1)[0])
      expect(set.slice(0, 3)).toEqual(["authjs.session-token=of-another-path", "own=1", "authjs.session-token="])
    })

    it.each(sizes)("takes away a session that %s, by the handler below [SF-05, CK-18]", async (_, isLarge) => {
      const auth = growing(isLarge)
      const app = express()
      app.use((req, res, next) => (req.path === "/auth/signout" ? authSession(auth)(req, res, next) : next()))
      app.use("/auth", ExpressAuth(auth))
      const browser = await signedIn(app)
      expect(browser.has("session-token")).toBe(true)
      await browser.form("/auth/signout", {})
      expect(browser.has("session-token")).toBe(false)
    })
  })

  describe("a response that carries a session's cookie", () => {
    it.each<[string, RequestHandler]>([
      ["with send", (_req, res) => void res.set("Cache-Control", "public, max-age=60").send("page")],
      ["with write", (_req, res) => void res.setHeader("Cache-Control", "public, max-age=60").end("page")],
      [
        "with writeHead",
        (_req, res) => void res.writeHead(200, "OK", { "Cache-Control": "public", "x-own": "1" }).end(),
      ],
      [
        "with a list for writeHead",
        (_req, res) => void res.writeHead(200, ["Cache-Control", "public", "Vary", "a", "Vary", "b"]).end(),
      ],
      [
        "with a list of names, numbers and lists for writeHead",
        (_req, res) =>
          void res.writeHead(200, ["Content-Length", 0, "Vary", ["a", "b"], "Cache-Control", "public"] as never).end(),
      ],
      [
        "with pairs for writeHead",
        (_req, res) =>
          void res
            .writeHead(200, [
              ["Cache-Control", "public"],
              ["Vary", "a"],
            ] as never)
            .end(),
      ],
      ["for one field alone", (_req, res) => void res.set("Cache-Control", 'private="x-own", s-maxage=60').end()],
      [
        "to caches at the edge",
        (_req, res) =>
          void res
            .set({ "CDN-Cache-Control": "max-age=60", "Surrogate-Control": "max-age=60" })
            .set("X-LiteSpeed-Cache-Control", "public")
            .send("page"),
      ],
      [
        "before writeHead",
        (_req, res) => void res.setHeader("Cache-Control", "public").writeHead(200, { "x-own": "1" }).end(),
      ],
    ])(
      "stays out of shared caches, whatever the route says afterwards, %s",
      { tags: ["threat:HD-03"] },
      async (_, route) => {
        const auth = config({ session: { updateAge: 0 } })
        const app = express()
        app.use("/auth", ExpressAuth(auth))
        app.get("/", authSession(auth), route)
        const browser = await signedIn(app)
        const answer = await browser.ask("/")
        expect(answer.status).toBe(200)
        expect(answer.headers.getSetCookie()).toHaveLength(1)
        expect(answer.headers.get("cache-control")).toBe("private, no-store")
        for (const name of ["cdn-cache-control", "surrogate-control", "x-litespeed-cache-control"])
          expect(answer.headers.has(name), name).toBe(false)
      },
    )

    it("so does a page with the token of forms, also where it sets no cookie", { tags: ["threat:HD-06"] }, async () => {
      const app = express()
      const auth = ExpressAuth(config())
      app.use("/auth", auth)
      app.get("/login", (req, res, next) => {
        const show = (view: unknown) => void res.set("Cache-Control", "public, max-age=60").json(view)
        auth.signInView(req, res).then(show, next)
      })
      const browser = new Browser(await listen(app))
      const visits = [await browser.ask("/login"), await browser.ask("/login")]
      expect(visits.map(({ headers }) => headers.getSetCookie().length)).toEqual([1, 0])
      for (const { headers } of visits) expect(headers.get("cache-control")).toBe("private, no-store")
    })

    it("leaves one that carries none as its route says", async () => {
      const app = express()
      app.get(
        "/",
        authSession(config()),
        (_req, res) => void res.set("Cache-Control", "public, max-age=60").send("page"),
      )
      const answer = await fetch(await listen(app))
      expect(answer.headers.get("cache-control")).toBe("public, max-age=60")
    })
  })

  it("the guard returns to no path that a browser would read as a host", { tags: ["threat:A-069"] }, async () => {
    const app = express()
    app.use(authSession(config()), requireSession({ redirectTo: "/login" }))
    const { port } = new URL(await listen(app))
    const locations: (string | undefined)[] = []
    for (const target of ["/\t/evil.test", "/\f/evil.test", "/x\\..\\..\\evil.test"]) {
      const text = await sent(port, `GET ${target} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n`)
      locations.push(/^location: (.*)\r$/im.exec(text)?.[1])
    }
    expect(locations.filter((location) => location?.includes("callbackUrl"))).toEqual([])
  })
})
