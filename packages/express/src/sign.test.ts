import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { memoryAdapter } from "@latchkey/core/memory"
import { Credentials } from "@latchkey/core/providers/credentials"
import express, { type ErrorRequestHandler, type Express } from "express"
import { afterEach, describe, expect, it } from "vitest"
import {
  AuthError,
  authSession,
  CredentialsSignin,
  ExpressAuth,
  type ExpressAuthConfig,
  getSession,
  requireSession,
  signIn,
  signOut,
  update,
} from "./index.js"

const open: { close(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function listen(app: Express): Promise<string> {
  const server = createServer(app)
  open.push({ close: () => server.close().closeAllConnections() })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const silent = { error: () => {}, warn: () => {}, debug: () => {} }

function config(more: Partial<ExpressAuthConfig> = {}): ExpressAuthConfig {
  return {
    secret: "0123456789abcdef0123456789abcdef",
    trustHost: true,
    logger: silent,
    providers: [
      Credentials({
        credentials: { name: {}, password: { type: "password" } },
        authorize: ({ name, password }) => (password === "right" ? { id: "1", name: String(name) } : null),
      }),
    ],
    ...more,
  }
}

const told: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(500).json({ type: error.type, isAuthError: error instanceof AuthError })
}

/** Asks with the cookies that were answered before. */
class Browser {
  readonly #cookies = new Map<string, string>()
  readonly origin: string

  constructor(origin: string) {
    this.origin = origin
  }

  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const answer = await fetch(this.origin + path, {
      redirect: "manual",
      ...init,
      headers: { ...init.headers, cookie },
    })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1)
      const at = pair.indexOf("=")
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) this.#cookies.delete(pair.slice(0, at))
      else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
    return answer
  }

  has(name: string): boolean {
    return [...this.#cookies.keys()].some((key) => key.includes(name))
  }

  async form(path: string, fields: Record<string, string>): Promise<Response> {
    const { csrfToken } = (await (await this.ask("/auth/csrf")).json()) as { csrfToken: string }
    return this.ask(path, { method: "POST", body: new URLSearchParams({ csrfToken, ...fields }) })
  }
}

function appOf(auth: ExpressAuthConfig): Express {
  const app = express()
  app.use("/auth", ExpressAuth(auth))
  app.post("/in", express.json(), async (req, res, next) => {
    try {
      await signIn(req, res, auth, { provider: "credentials", fields: req.body, redirectTo: "/me" })
    } catch (error) {
      if (error instanceof CredentialsSignin) res.status(401).json({ code: error.code })
      else next(error)
    }
  })
  app.post("/out", async (req, res) => void (await signOut(req, res, auth, { redirectTo: "/bye" })))
  app.post("/out-quietly", async (req, res) => {
    res.json(await signOut(req, res, auth, { redirect: false }))
  })
  app.post("/rename", express.json(), async (req, res) => void res.json(await update(req, res, auth, req.body)))
  app.get("/peek", async (req, res) => void res.json(await getSession(req, auth)))
  app.get("/me", async (req, res) => void res.json(await getSession(req, res, auth)))
  app.use(authSession(auth))
  app.get(
    "/inside",
    requireSession({ redirectTo: "/auth/signin" }),
    (_req, res) => void res.json(res.locals["session"]),
  )
  app.post("/inside", requireSession({ redirectTo: "/auth/signin" }), (_req, res) => void res.json({}))
  app.get("/api", requireSession({ status: 403 }), (_req, res) => void res.json({}))
  app.get("/api401", requireSession(), (_req, res) => void res.json({}))
  app.use(told)
  return app
}

const json = (data: unknown): RequestInit => ({
  method: "POST",
  body: JSON.stringify(data),
  headers: { "content-type": "application/json" },
})

describe("signing in", () => {
  it("works through the mounted handler, with a form", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const answer = await browser.form("/auth/callback/credentials", {
      name: "Ada",
      password: "right",
      callbackUrl: "/me",
    })
    expect(answer.status).toBe(302)
    expect(answer.headers.get("location")).toBe(`${browser.origin}/me`)
    expect(await (await browser.ask("/me")).json()).toMatchObject({ user: { name: "Ada" } })
  })

  it("works from a route of the application", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const answer = await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect(answer.status).toBe(302)
    expect(answer.headers.get("location")).toBe(`${browser.origin}/me`)
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
    expect(await (await browser.ask("/me")).json()).toMatchObject({ user: { name: "Ada" } })
  })

  it("throws CredentialsSignin to the route when the credentials are wrong [spec credentials-signin 2]", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const answer = await browser.ask("/in", json({ name: "Ada", password: "wrong" }))
    expect(answer.status).toBe(401)
    expect(await answer.json()).toEqual({ code: "credentials" })
    expect(browser.has("session-token")).toBe(false)
  })

  it("refuses a form without its token", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const body = new URLSearchParams({ name: "Ada", password: "right" })
    await browser.ask("/auth/callback/credentials", { method: "POST", body })
    expect(browser.has("session-token")).toBe(false)
  })
})

describe("the session", () => {
  it("is null for nobody [spec integration 1]", async () => {
    const browser = new Browser(await listen(appOf(config())))
    expect(await (await browser.ask("/peek")).json()).toBeNull()
  })

  it("is extended only where the cookie can be written [users 10]", async () => {
    const browser = new Browser(await listen(appOf(config({ session: { updateAge: 0 } }))))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect((await browser.ask("/peek")).headers.getSetCookie()).toEqual([])
    const answer = await browser.ask("/me")
    expect(answer.headers.getSetCookie()).toHaveLength(1)
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
  })

  it("can be updated from a route, and signed out of", async () => {
    const callbacks: ExpressAuthConfig["callbacks"] = {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" && typeof session?.["name"] === "string" ? { ...token, name: session["name"] } : token,
    }
    const browser = new Browser(await listen(appOf(config({ callbacks }))))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect(await (await browser.ask("/rename", json({ name: "Countess" }))).json()).toMatchObject({
      user: { name: "Countess" },
    })
    expect(await (await browser.ask("/me")).json()).toMatchObject({ user: { name: "Countess" } })
    const answer = await browser.ask("/out", { method: "POST" })
    expect(answer.headers.get("location")).toBe(`${browser.origin}/bye`)
    expect(await (await browser.ask("/me")).json()).toBeNull()
  })

  it("lets the route answer itself with redirect: false", async () => {
    const browser = new Browser(await listen(appOf(config())))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    const answer = await browser.ask("/out-quietly", { method: "POST" })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ redirect: browser.origin })
    expect(browser.has("session-token")).toBe(false)
  })
})

describe("the guard", () => {
  it("sends strangers to sign in and tells where to return to [spec integration 1] [spec authentication 11]", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const answer = await browser.ask("/inside?a=1&b=2")
    expect(answer.status).toBe(302)
    const { pathname, searchParams } = new URL(answer.headers.get("location") ?? "", browser.origin)
    expect(pathname).toBe("/auth/signin")
    expect(Object.fromEntries(searchParams)).toEqual({ error: "SessionRequired", callbackUrl: "/inside?a=1&b=2" })
  })

  it("does not return to what was posted", async () => {
    const browser = new Browser(await listen(appOf(config())))
    const answer = await browser.ask("/inside", { method: "POST" })
    expect(answer.headers.get("location")).toBe("/auth/signin?error=SessionRequired")
  })

  it("answers with a status where one is given", async () => {
    const browser = new Browser(await listen(appOf(config())))
    expect((await browser.ask("/api")).status).toBe(403)
    expect((await browser.ask("/api401")).status).toBe(401)
  })

  it("lets those pass who are signed in", async () => {
    const browser = new Browser(await listen(appOf(config())))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect(await (await browser.ask("/inside")).json()).toMatchObject({ user: { name: "Ada" } })
  })

  it("keeps those out whose session has no user", async () => {
    const callbacks: ExpressAuthConfig["callbacks"] = {
      session: ({ session: { expires } }) => ({ expires: String(expires) }),
    }
    const browser = new Browser(await listen(appOf(config({ callbacks }))))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    expect((await browser.ask("/inside")).status).toBe(302)
  })

  it("never opens when the session cannot be told", async () => {
    const adapter = { ...memoryAdapter(), getSessionAndUser: () => Promise.reject(new Error("store down")) }
    const auth = config({ adapter, session: { strategy: "database" } })
    const origin = await listen(appOf(auth))
    const answer = await fetch(`${origin}/inside`, {
      headers: { cookie: "authjs.session-token=x" },
      redirect: "manual",
    })
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ isAuthError: true })
  })

  it("never opens without authSession before it", async () => {
    const app = express()
    app.get("/inside", requireSession(), (_req, res) => void res.json({}))
    app.use(told)
    const answer = await fetch(`${await listen(app)}/inside`)
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ type: "InvalidConfiguration" })
  })

  it("reads the session once for a request", async () => {
    let reads = 0
    const callbacks: ExpressAuthConfig["callbacks"] = {
      session: ({ session }) => {
        reads++
        return session
      },
    }
    const auth = config({ callbacks })
    const app = appOf(auth)
    const again = authSession(auth)
    app.get("/twice", again, again, (_req, res) => void res.json({}))
    const browser = new Browser(await listen(app))
    await browser.ask("/in", json({ name: "Ada", password: "right" }))
    reads = 0
    await browser.ask("/twice")
    expect(reads).toBe(2)
  })
})

describe("the base path", () => {
  it("is /auth where nothing else is said", async () => {
    const app = express()
    app.use(ExpressAuth(config()))
    const origin = await listen(app)
    expect(await (await fetch(`${origin}/auth/providers`)).json()).toMatchObject({
      credentials: { callbackUrl: `${origin}/auth/callback/credentials` },
    })
  })
})

describe("two configurations in one process", () => {
  it("stay apart, and neither is written to", async () => {
    const one = Object.freeze(config({ secret: "a".repeat(32), basePath: "/one" }))
    const two = Object.freeze(config({ secret: "b".repeat(32) }))
    const app = express()
    app.use("/one", ExpressAuth(one))
    app.use("/two/auth", ExpressAuth(two))
    const origin = await listen(app)
    const providers = async (path: string): Promise<unknown> => (await fetch(`${origin}${path}/providers`)).json()
    expect(await providers("/one")).toMatchObject({
      credentials: { callbackUrl: `${origin}/one/callback/credentials` },
    })
    expect(await providers("/two/auth")).toMatchObject({
      credentials: { callbackUrl: `${origin}/two/auth/callback/credentials` },
    })
  })
})
