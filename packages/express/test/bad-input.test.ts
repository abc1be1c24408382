/** What arrives broken, late, twice or never, on both majors of Express. */
import { once } from "node:events"
import type { IncomingMessage } from "node:http"
import { connect, type Socket } from "node:net"
import { createAuth } from "@latchkey/core"
import { memoryAdapter } from "@latchkey/core/memory"
import express5, { type ErrorRequestHandler, type RequestHandler } from "express"
import express4 from "express4"
import { describe, expect, it } from "vitest"
import { authSession, ExpressAuth, type ExpressAuthConfig, getSession, requireSession } from "../src/index.js"
import { config, serve } from "./support/app.js"
import type { Front } from "./support/proxy.js"
import { Visitor } from "./support/visitor.js"

const visit = (front: Front, host = "app.test"): Visitor => new Visitor({ front, host })

/** Writes bytes as they are, and gives what came back until the other side closed. */
async function raw(front: Front, bytes: string): Promise<string> {
  const socket = connect(front.port, "127.0.0.1")
  let text = ""
  socket.setEncoding("utf8")
  socket.on("data", (chunk) => {
    text += chunk
  })
  socket.write(bytes)
  await once(socket, "close")
  return text
}

/** Begins to send something and does not end it. */
async function begin(front: Front, bytes: string): Promise<Socket> {
  const socket = connect(front.port, "127.0.0.1")
  socket.on("error", () => undefined)
  await once(socket, "connect")
  socket.write(bytes)
  return socket
}

/** Counts the errors that reach the error handlers, and answers with their messages. */
function failures(): { readonly seen: unknown[]; readonly handler: ErrorRequestHandler } {
  const seen: unknown[] = []
  return {
    seen,
    handler: (error, _req, res, _next) => {
      seen.push(error)
      res.status(error.status ?? 500).json({ type: error.type ?? error.message })
    },
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
}

function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** Notes each call of next, and lets the test wait for the handler itself. */
function watched(handler: RequestHandler): {
  readonly calls: unknown[]
  readonly run: RequestHandler
  done: Promise<void>
} {
  const calls: unknown[] = []
  const { promise: done, resolve } = deferred<void>()
  const run: RequestHandler = async (req, res, next) => {
    await handler(req, res, (error?: unknown) => {
      calls.push(error)
      next(error)
    })
    resolve()
  }
  return { calls, run, done }
}

const form = "content-type: application/x-www-form-urlencoded\r\n"

describe.each([
  [4, express4],
  [5, express5],
] as const)("Express %i", (_, express) => {
  describe("a body", () => {
    it("that something else has read is refused with the reason, once [users 10]", async () => {
      const { seen, handler } = failures()
      const app = express()
      app.use((req, _res, next) => {
        req.on("data", () => undefined)
        req.on("end", () => next())
      })
      app.use("/auth", ExpressAuth(config()), handler)
      const answer = await visit(await serve(app)).ask("/auth/signout", { form: { csrfToken: "x" } })
      expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { type: "UnreadableRequest" }])
      expect(seen).toHaveLength(1)
    })

    it("that breaks off leaves nothing behind: no next(), no failure, and the next visitor is answered", async () => {
      const watch = watched(ExpressAuth(config()))
      const arrived = deferred<void>()
      const app = express()
      app.use((_req, _res, next) => {
        arrived.resolve()
        next()
      })
      app.use("/auth", watch.run)
      const front = await serve(app)
      const socket = await begin(
        front,
        `POST /auth/signout HTTP/1.1\r\nhost: app.test\r\n${form}content-length: 100\r\n\r\ncsrf`,
      )
      await arrived.promise
      socket.destroy()
      await watch.done
      expect(watch.calls).toEqual([])
      expect((await visit(front).ask("/auth/session")).text).toBe("null")
    })

    it("whose sender went away while the configuration was being found is not looked at", async () => {
      const asked = deferred<IncomingMessage>()
      const found = deferred<ExpressAuthConfig>()
      const watch = watched(
        ExpressAuth((req) => {
          asked.resolve(req)
          return found.promise
        }),
      )
      const app = express()
      app.use("/auth", watch.run)
      const socket = await begin(
        await serve(app),
        `POST /auth/signout HTTP/1.1\r\nhost: app.test\r\n${form}content-length: 9\r\n\r\ncsrf`,
      )
      const req = await asked.promise
      const closed = new Promise((resolve) => req.socket.once("close", resolve))
      socket.destroy()
      await closed
      found.resolve(config())
      await watch.done
      expect(watch.calls).toEqual([])
    })

    // Whoever cannot have the CSRF token is refused for that, whatever the size.
    const cookie = "authjs.csrf-token=x"
    it.each([
      ["with a length", { "content-length": "400000", cookie }, 413],
      ["in chunks", { "transfer-encoding": "chunked", cookie }, 413],
      ["with a length and unread", { "content-length": "400000" }, 302],
      ["in chunks and unread", { "transfer-encoding": "chunked" }, 302],
    ])("that is too large is refused %s, and the server goes on", async (_name, headers, status) => {
      const app = express()
      app.use("/auth", ExpressAuth(config()))
      const front = await serve(app)
      const large = `csrfToken=${"x".repeat(400_000 - "csrfToken=".length)}`
      const length = "transfer-encoding" in headers ? `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n` : large
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const socket = await begin(
        front,
        `POST /auth/signout HTTP/1.1\r\nhost: app.test\r\n${form}${fields.join("")}\r\n${length}`,
      )
      const [chunk] = (await once(socket, "data")) as [Buffer]
      expect(chunk.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      socket.destroy()
      expect((await visit(front).ask("/auth/session")).status).toBe(200)
    })
  })

  describe("next()", () => {
    const nothing = { locals: {}, destroyed: false, getHeader: () => undefined } as never
    const request = {
      baseUrl: "",
      url: "/elsewhere",
      params: {},
      headers: {},
      method: "GET",
      protocol: "http",
    } as never

    it("is called once by the handler, also when it throws", async () => {
      const calls: unknown[] = []
      const next = (error?: unknown): void => {
        calls.push(error)
        throw new Error("further down")
      }
      await expect(Promise.resolve(ExpressAuth(config())(request, nothing, next))).rejects.toThrow("further down")
      expect(calls).toEqual([undefined])
    })

    it("is called once by authSession, also when it throws", async () => {
      const calls: unknown[] = []
      const next = (error?: unknown): void => {
        calls.push(error)
        throw new Error("further down")
      }
      await expect(Promise.resolve(authSession(config())(request, nothing, next))).rejects.toThrow("further down")
      expect(calls).toEqual([undefined])
    })

    it("may be called twice by somebody else: the second answer is dropped", async () => {
      const watch = watched(ExpressAuth(config()))
      const app = express()
      app.use((_req, _res, next) => {
        next()
        next()
      })
      app.use("/auth", watch.run)
      const front = await serve(app)
      expect((await visit(front).ask("/auth/session")).text).toBe("null")
      await watch.done
      expect(watch.calls).toEqual([])
    })
  })

  describe("a request", () => {
    it("without Host (HTTP/1.0) is refused, and served where the application names its address", {
      tags: ["threat:HO-24"],
    }, async () => {
      const { handler } = failures()
      const app = express()
      app.use("/auth", ExpressAuth(config()), handler)
      app.use("/fixed", ExpressAuth(createAuth(config(), { env: { AUTH_URL: "https://app.test/fixed" } })))
      app.get("/read", (req, res) => void getSession(req, config()).then((session) => res.json(session)))
      const front = await serve(app)
      expect(await raw(front, "GET /auth/providers HTTP/1.0\r\n\r\n")).toMatch(/ 400 .*"UnreadableRequest"/s)
      expect(await raw(front, "GET /fixed/providers HTTP/1.0\r\n\r\n")).toContain(
        "https://app.test/fixed/callback/credentials",
      )
      expect(await raw(front, "GET /read HTTP/1.0\r\n\r\n")).toMatch(/ 200 .*null$/s)
    })

    it("with two lines of Host is refused or has the first one alone", { tags: ["threat:HO-24"] }, async () => {
      const app = express()
      app.use("/auth", ExpressAuth(config()))
      const lines = "host: app.test\r\nhost: evil.test\r\nconnection: close\r\n"
      const answer = await raw(await serve(app), `GET /auth/providers HTTP/1.1\r\n${lines}\r\n`)
      expect(answer).not.toContain("evil.test")
    })

    it("with a target in absolute form has the host of its header", { tags: ["threat:HO-25"] }, async () => {
      const app = express()
      app.use("/auth", ExpressAuth(config()))
      const head = "host: app.test\r\nconnection: close\r\n"
      const answer = await raw(await serve(app), `GET http://evil.test/auth/providers HTTP/1.1\r\n${head}\r\n`)
      expect(answer).toContain('"http://app.test/auth/callback/credentials"')
      expect(answer).not.toContain("evil.test")
    })

    it("with HEAD is answered like GET, without a body", async () => {
      const app = express()
      app.use("/auth", ExpressAuth(config()))
      const visitor = visit(await serve(app))
      const head = await visitor.ask("/auth/signin", { method: "HEAD" })
      const got = await visitor.ask("/auth/signin")
      expect([head.status, head.text]).toEqual([200, ""])
      expect(head.headers["content-type"]).toBe(got.headers["content-type"])
    })

    it("is followed by others on the same connection", async () => {
      const app = express()
      app.use("/auth", ExpressAuth(config()))
      const one = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\nhost: app.test\r\n${more}\r\n`
      const text = await raw(
        await serve(app),
        one("/auth/session") + one("/auth/csrf") + one("/auth/session", "connection: close\r\n"),
      )
      expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(3)
    })

    it.each(["/auth/signin?callbackUrl=%0d%0aSet-Cookie:%20evil=1", "/inside?a=%0d%0aSet-Cookie:%20evil=1"])(
      "cannot split the head of the answer: %s",
      async (path) => {
        const auth = config({ pages: { signIn: "/login" } })
        const app = express()
        app.use("/auth", ExpressAuth(auth))
        app.get("/inside", authSession(auth), requireSession({ redirectTo: "/auth/signin" }))
        const answer = await visit(await serve(app)).ask(path)
        expect(answer.status).toBe(302)
        expect(answer.cookies.filter((line) => line.includes("evil=1") && !line.includes("authjs."))).toEqual([])
        expect(answer.headers.location).not.toMatch(/[\r\n]/)
      },
    )

    it.each([
      ["several hosts in one field", true, { "x-forwarded-host": "evil.test, app.test" }, 400],
      ["another scheme", true, { "x-forwarded-proto": "ftp" }, 400],
      ["forged by a stranger", "10.0.0.0/8", { "x-forwarded-host": "evil.test", "x-forwarded-proto": "https" }, 200],
    ] as const)(
      "with wrong proxy headers is refused or not believed: %s [users 3] [wire 18.5 56]",
      { tags: ["threat:HO-05", "threat:HO-20", "threat:A-165"] },
      async (_name, trust, headers, status) => {
        const { handler } = failures()
        const app = express()
        app.set("trust proxy", trust)
        app.use("/auth", ExpressAuth(config()), handler)
        const answer = await visit(await serve(app)).ask("/auth/providers", { headers })
        expect(answer.status).toBe(status)
        if (status === 200) expect(answer.text).toContain('"http://app.test/auth/callback/credentials"')
        expect(answer.text).not.toContain("evil.test")
      },
    )
  })

  describe("a function in place of a configuration", () => {
    it.each([
      ["throws", (): never => expect.fail("no tenant"), "no tenant"],
      ["rejects", () => Promise.reject(new Error("no tenant")), "no tenant"],
      ["finds nothing", () => undefined, "InvalidConfiguration"],
      ["finds something else", async () => "acme", "InvalidConfiguration"],
    ])("that %s fails the request once, wherever it stands, and opens no guard", async (_name, find, type) => {
      const { seen, handler } = failures()
      const app = express()
      app.use("/auth", ExpressAuth(find as never))
      app.get("/inside", authSession(find as never), requireSession(), (_req, res) => void res.send("inside"))
      app.use(handler)
      const visitor = visit(await serve(app))
      for (const path of ["/auth/session", "/inside"]) {
        const answer = await visitor.ask(path)
        expect([answer.status, JSON.parse(answer.text)]).toEqual([500, { type }])
      }
      expect(seen).toHaveLength(2)
    })

    it.each([undefined, null, "route", "router", 0, ""])(
      "opens no guard where it rejects with %j",
      { tags: ["threat:CF2-11"] },
      async (thrown) => {
        const find = () => Promise.reject(thrown)
        const app = express()
        app.use("/guarded", ExpressAuth(find).require())
        app.use("/session", authSession(find), requireSession())
        app.use("/auth", ExpressAuth(find))
        const refuse: ErrorRequestHandler = (_error, _req, res, _next) => void res.status(500).send("refused")
        app.use((_req, res) => void res.send("inside"))
        app.use(refuse)
        const visitor = visit(await serve(app))
        for (const path of ["/guarded", "/session", "/auth/session"])
          expect([path, (await visitor.ask(path)).text]).toEqual([path, "refused"])
      },
    )
  })

  describe("when the session cannot be determined, the guard never opens", () => {
    const down = (): never => {
      throw new Error("store down")
    }
    const causes: Readonly<Record<string, () => Partial<ExpressAuthConfig>>> = {
      "the store is down": () => ({
        adapter: { ...memoryAdapter(), getSessionAndUser: async () => down() },
        session: { strategy: "database" },
      }),
      "the session callback throws": () => ({ callbacks: { session: down } }),
      "the jwt callback throws": () => ({
        callbacks: { jwt: ({ token, trigger }) => (trigger === "signIn" ? token : down()) },
      }),
      "the configuration is broken": () => ({ secret: "" }),
    }

    it.each(Object.keys(causes))("%s", async (cause) => {
      const good = config()
      const broken = config(causes[cause]?.())
      const app = express()
      app.use("/auth", ExpressAuth(good))
      const going: ErrorRequestHandler = (_error, _req, _res, next) => next()
      // The worst application: it goes on after a failure as if nothing had happened.
      app.use("/inside", authSession(broken), going)
      app.get("/inside", requireSession({ redirectTo: "/auth/signin" }), (_req, res) => void res.send("inside"))
      app.use(failures().handler)
      const visitor = visit(await serve(app))
      const { csrfToken } = await visitor.json<{ csrfToken: string }>("/auth/csrf")
      await visitor.ask("/auth/callback/credentials", { form: { csrfToken, name: "Ada", password: "right" } })
      const answer = await visitor.ask("/inside")
      expect(answer.status).toBe(500)
      expect(answer.text).not.toContain("inside")
    })
  })
})

describe.each([
  ["Express 5", express5],
  ["Express 4", express4 as unknown as typeof express5],
])("a mount with a parameter, on %s", (_, express) => {
  const bad = ["/{1}", "/[x]", "/a|b", '/"x', "/a^", "/%2e%2e", "/.%2E"]

  it("logs nothing and leaves the path to the application where a visitor writes what no base path can be", {
    tags: ["threat:PA-13", "threat:PA-18"],
  }, async () => {
    const logged: unknown[] = []
    const note = (entry: unknown): void => void logged.push(entry)
    const auth = ExpressAuth(config({ logger: { error: note, warn: note, debug: () => undefined } }))
    const app = express()
    const { seen, handler } = failures()
    app.use("/:tenant/auth", auth, (_req, res) => void res.status(404).send("of the application"))
    app.use(handler)
    const front = await serve(app)
    const ask = (path: string): Promise<string> =>
      raw(front, `GET ${path}/auth/session HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n`)
    for (const path of bad) expect(await ask(path), path).toMatch(/^HTTP\/1\.1 404[\s\S]*of the application$/)
    expect(await ask("/red")).toMatch(/^HTTP\/1\.1 200[\s\S]*null$/)
    expect([logged, seen]).toEqual([[], []])
  })
})
