import { request as send } from "node:http"
import type { AuthService, ServerRequest, ServerResponse } from "@latchkey/core"
import express, { type ErrorRequestHandler, type RequestHandler } from "express"
import { describe, expect, it } from "vitest"
import { listen } from "../test/support/app.js"
import { ExpressAuth } from "./handler.js"

interface Given {
  readonly basePath?: string
  readonly origin?: string
  readonly respond?: (request: ServerRequest) => Promise<ServerResponse>
}

function answerWith(body: unknown): ServerResponse {
  return { status: 200, headers: { "content-type": "application/json" }, cookies: [], body: JSON.stringify(body) }
}

/** A service that answers with the address it was asked for. */
function echo({ basePath = "/auth", origin, respond }: Given = {}): AuthService {
  return {
    // What tells a service from a configuration.
    handle: () => Promise.reject(new Error("a web request was made")),
    respond: respond ?? (async ({ method, url }: ServerRequest) => answerWith({ method, url })),
    isOwn: (path: string) =>
      /^\/(?:session|signin|callback)(?:\/|$)/.test(path.startsWith(basePath) ? path.slice(basePath.length) : ""),
    basePath,
    origin,
  } as unknown as AuthService
}

const answerError: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(error.status ?? 500).json({ error: error.type ?? error.message })
}

interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
}

/** As `fetch`, but any header and any method can be sent. */
function ask(url: string, { method = "GET", headers = {} }: Sent = {}): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = send(url, { method, headers, setHost: headers["host"] === undefined }, (answer) => {
      let text = ""
      answer.on("data", (chunk) => {
        text += chunk
      })
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, body: text.startsWith("{") ? JSON.parse(text) : text }),
      )
    })
    sent.on("error", reject)
    sent.end()
  })
}

describe("a mount where nothing of the base path arrives", { tags: ["threat:PA-13"] }, () => {
  const answerAt = async (path: string, mount: (app: express.Express, auth: RequestHandler) => unknown) => {
    const app = express()
    mount(app, ExpressAuth(echo({ basePath: "/auth" })))
    app.use((_req, res) => void res.status(404).json({ error: "page" }))
    app.use(answerError)
    return ask((await listen(app)) + path)
  }

  it('is named in an error with what to set, in place of "Not found"', async () => {
    const thrown: Error[] = []
    const noted: ErrorRequestHandler = (error, _req, _res, next) => {
      thrown.push(error)
      next(error)
    }
    const answer = await answerAt("/api/login/signin", (app, auth) => app.use("/api/login", auth).use(noted))
    expect(answer).toMatchObject({ status: 500, body: { error: "InvalidConfiguration" } })
    expect(thrown.map(({ message }) => message)).toEqual([
      'ExpressAuth is mounted at "/api/login", where nothing of its base path "/auth" arrives. Mount it at "/auth", or leave `basePath` out.',
    ])
  })

  it.each([
    ["of paths that name no action", "/api/login/users", "/api/login"],
    ["where the base path begins with it", "/signin", "/"],
    ["whose path a visitor writes", "/acme/login/signin", "/:tenant/login"],
  ])("says nothing %s", async (_, path, mount) => {
    expect(await answerAt(path, (app, auth) => app.use(mount, auth))).toEqual({ status: 404, body: { error: "page" } })
  })
})

describe("the handler", () => {
  it("answers the actions below the base path and lets everything else pass on", async () => {
    const app = express()
    app.use("/auth", ExpressAuth(echo()))
    app.use((_req, res) => void res.json({ passed: true }))
    const origin = await listen(app)
    expect((await ask(`${origin}/auth/session?x=1`)).body).toEqual({ method: "GET", url: `${origin}/auth/session?x=1` })
    expect((await ask(`${origin}/auth/elsewhere`)).body).toEqual({ passed: true })
    expect((await ask(`${origin}/auth`)).body).toEqual({ passed: true })
    expect((await ask(`${origin}/other`)).body).toEqual({ passed: true })
  })

  it.each(["/auth", "/auth/*splat", "/auth/{*any}", "/auth{/*any}"])(
    "can be mounted as %s [spec express mount]",
    async (mount) => {
      const app = express()
      app.use(mount, ExpressAuth(echo()))
      const origin = await listen(app)
      expect((await ask(`${origin}/auth/callback/github?code=c`)).body).toEqual({
        method: "GET",
        url: `${origin}/auth/callback/github?code=c`,
      })
    },
  )

  it("can stand in a router, as a route and without a mount", async () => {
    const app = express()
    const router = express.Router()
    router.all("/auth/*splat", ExpressAuth(echo({ basePath: "/api/auth" })))
    app.use("/api", router)
    app.use(ExpressAuth(echo()))
    const origin = await listen(app)
    expect((await ask(`${origin}/api/auth/session`)).body).toMatchObject({ url: `${origin}/api/auth/session` })
    expect((await ask(`${origin}/auth/session`)).body).toMatchObject({ url: `${origin}/auth/session` })
  })

  it("puts back a prefix that a proxy takes off, when the base path has it", async () => {
    const app = express()
    app.use("/auth", ExpressAuth(echo({ basePath: "/app/auth" })))
    const origin = await listen(app)
    expect((await ask(`${origin}/auth/session`)).body).toMatchObject({ url: `${origin}/app/auth/session` })
  })

  it("hands failures to next(error)", async () => {
    const app = express()
    app.use(
      "/auth",
      ExpressAuth(
        echo({
          respond: async () => {
            throw new Error("broken")
          },
        }),
      ),
      answerError,
    )
    expect(await ask(`${await listen(app)}/auth/session`)).toEqual({ status: 500, body: { error: "broken" } })
  })

  it("passes HEAD as it is and refuses methods that no web request can have", { tags: ["threat:CT-21"] }, async () => {
    const methods: string[] = []
    const app = express()
    const respond = async ({ method }: ServerRequest): Promise<ServerResponse> => {
      methods.push(method)
      return answerWith(null)
    }
    app.use("/auth", ExpressAuth(echo({ respond })), answerError)
    const origin = await listen(app)
    await ask(`${origin}/auth/session`, { method: "HEAD" })
    expect(methods).toEqual(["HEAD"])
    expect((await ask(`${origin}/auth/session`, { method: "TRACE" })).status).toBe(405)
  })
})

interface OriginCase {
  readonly name: string
  readonly trust?: boolean | number
  readonly headers: Record<string, string>
  readonly origin: string | undefined
}

const origins: readonly OriginCase[] = [
  { name: "is the Host", headers: { host: "app.test:8080" }, origin: "http://app.test:8080" },
  { name: "is in lower case [HO-17]", headers: { host: "APP.test" }, origin: "http://app.test" },
  {
    name: "ignores forwarded headers of an untrusted proxy [HO-21, wire 18.5 56]",
    headers: { host: "app.test", "x-forwarded-host": "evil.test", "x-forwarded-proto": "https" },
    origin: "http://app.test",
  },
  {
    name: "takes forwarded headers of a trusted proxy [spec express proxy] [HO-04]",
    trust: true,
    headers: { host: "inner", "x-forwarded-host": "app.test", "x-forwarded-proto": "https" },
    origin: "https://app.test",
  },
  {
    name: "drops the default port [HO-09]",
    trust: true,
    headers: { host: "inner", "x-forwarded-host": "app.test:443", "x-forwarded-proto": "https" },
    origin: "https://app.test",
  },
  {
    name: "is refused when the proxy hands on several hosts, of which the sender may have written the first [HO-05] [HO-06]",
    trust: true,
    headers: { host: "inner", "x-forwarded-host": "evil.test, app.test", "x-forwarded-proto": "https" },
    origin: undefined,
  },
  {
    name: "falls back to Host when the forwarded one is empty [HO-08]",
    trust: true,
    headers: { host: "app.test", "x-forwarded-host": " " },
    origin: "http://app.test",
  },
  { name: "reads IPv6 [HO-15]", headers: { host: "[::1]:3000" }, origin: "http://[::1]:3000" },
  {
    name: "ignores other headers that name hosts [HO-22, HO-23]",
    trust: true,
    headers: {
      host: "app.test",
      forwarded: "host=evil.test;proto=https",
      "x-forwarded-port": "1",
      "x-forwarded-prefix": "//evil.test",
      "x-forwarded-server": "evil.test",
      "x-host": "evil.test",
      "x-original-host": "evil.test",
    },
    origin: "http://app.test",
  },
  {
    name: "refuses user information [HO-12]",
    trust: true,
    headers: { host: "app.test", "x-forwarded-host": "evil.test@app.test" },
    origin: undefined,
  },
  {
    name: "refuses a path [HO-13]",
    trust: true,
    headers: { host: "app.test", "x-forwarded-host": "app.test/evil" },
    origin: undefined,
  },
  {
    name: "refuses user information in front of the other host [HO-12]",
    trust: true,
    headers: { host: "app.test", "x-forwarded-host": "app.test@evil.test" },
    origin: undefined,
  },
  ...["99999", "abc", "-1", ""].map((port) => ({
    name: `refuses the port "${port}", which is none [HO-11]`,
    trust: true,
    headers: { host: "app.test", "x-forwarded-host": `app.test:${port}` },
    origin: undefined,
  })),
  {
    name: "keeps a port that the proxy names [HO-10]",
    trust: true,
    headers: { host: "inner", "x-forwarded-host": "app.test:8443", "x-forwarded-proto": "https" },
    origin: "https://app.test:8443",
  },
  ...["app.test?x", "app.test#x", "app.test\\@evil.test"].map((host) => ({
    name: `refuses more than a host: ${host} [HO-13]`,
    trust: true,
    headers: { host: "app.test", "x-forwarded-host": host },
    origin: undefined,
  })),
  ...["app.test%0d%0aX: y", "app .test"].map((host) => ({
    name: `refuses what no host holds: ${host} [HO-14]`,
    trust: true,
    headers: { host: "app.test", "x-forwarded-host": host },
    origin: undefined,
  })),
  { name: "refuses a trailing dot [HO-17]", headers: { host: "app.test." }, origin: undefined },
  { name: "refuses numbers that are another host", headers: { host: "0x7f.1" }, origin: undefined },
  {
    name: "refuses markup [HO-14]",
    trust: true,
    headers: { host: "app.test", "x-forwarded-host": "<script>" },
    origin: undefined,
  },
  {
    name: "refuses other schemes [HO-20]",
    trust: true,
    headers: { host: "app.test", "x-forwarded-proto": "javascript" },
    origin: undefined,
  },
  { name: "refuses an empty Host [HO-24]", headers: { host: "" }, origin: undefined },
]

describe("the origin", () => {
  it.each(origins)("$name", async ({ headers, origin, trust = false }) => {
    const app = express()
    app.set("trust proxy", trust)
    app.use("/auth", ExpressAuth(echo()), answerError)
    const answer = await ask(`${await listen(app)}/auth/session`, { headers })
    if (origin === undefined) expect(answer).toEqual({ status: 400, body: { error: "UnreadableRequest" } })
    else expect(answer.body).toMatchObject({ url: `${origin}/auth/session` })
  })

  it("is never read when the application names its own", { tags: ["threat:HO-02"] }, async () => {
    const app = express()
    app.use("/auth", ExpressAuth(echo({ origin: "https://app.test" })))
    const answer = await ask(`${await listen(app)}/auth/session`, { headers: { host: "<evil>" } })
    expect(answer.body).toMatchObject({ url: "https://app.test/auth/session" })
  })
})
