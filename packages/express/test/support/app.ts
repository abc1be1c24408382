/** An application on the loopback interface, and a browser that keeps its cookies. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { memoryAdapter } from "@latchkey/core/memory"
import { Credentials } from "@latchkey/core/providers/credentials"
import express5, { type ErrorRequestHandler, type Express } from "express"
import express4 from "express4"
import { afterEach } from "vitest"
import { switchedRecords } from "../../../core/test/support/records-away.js"
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
} from "../../src/index.js"
import { type Front, type Listener, serveDirectly } from "./proxy.js"

const open: { close(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

/** Closes a server when the test has ended. */
export function closeAfterwards<Server extends { close(): void }>(server: Server): Server {
  open.push(server)
  return server
}

/** Serves an application of either major under the name it is asked by. */
export async function serve(app: Express): Promise<Front> {
  return closeAfterwards(await serveDirectly(app as unknown as Listener))
}

/** A provider that nobody calls. */
export const op = {
  id: "op",
  name: "OP",
  type: "oauth",
  clientId: "c",
  clientSecret: "s",
  authorization: "https://op.test/authorize",
  token: "https://op.test/token",
  userinfo: "https://op.test/userinfo",
} as const

export async function listen(app: Express): Promise<string> {
  const server = createServer(app)
  open.push({ close: () => server.close().closeAllConnections() })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const silent = { error: () => {}, warn: () => {}, debug: () => {} }

export function config(more: Partial<ExpressAuthConfig> = {}): ExpressAuthConfig {
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

export const answerError: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error.status ?? 500).json({ type: error.type, isAuthError: error instanceof AuthError })
}

/** Asks with the cookies that were answered before. */
export class Browser {
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

  /** Puts cookies in, as if they had been set before. */
  set(cookies: readonly { readonly name: string; readonly value: string }[]): void {
    for (const { name, value } of cookies) this.#cookies.set(name, value)
  }

  /** The name of the first cookie that has this in its name. */
  nameOf(part: string): string {
    return [...this.#cookies.keys()].find((key) => key.includes(part)) ?? ""
  }

  /** Its value. */
  value(part: string): string {
    return this.#cookies.get(this.nameOf(part)) ?? ""
  }

  async form(path: string, fields: Record<string, string>): Promise<Response> {
    const { csrfToken } = (await (await this.ask("/auth/csrf")).json()) as { csrfToken: string }
    return this.ask(path, { method: "POST", body: new URLSearchParams({ csrfToken, ...fields }) })
  }
}

/** The majors of Express that are served. */
export const majors = [4, 5] as const

/** Makes applications on one major. */
export function appFor(major: 4 | 5): (auth: ExpressAuthConfig) => Express {
  return (auth) => appOn(major === 4 ? express4 : express5, auth)
}

function appOn(express: typeof express5, auth: ExpressAuthConfig): Express {
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
  app.use(answerError)
  return app
}

export const json = (data: unknown): RequestInit => ({
  method: "POST",
  body: JSON.stringify(data),
  headers: { "content-type": "application/json" },
})

/** A store that cannot remove records while it is away. */
export const switchedStore = () => switchedRecords(memoryAdapter(), "takeRecord")
