import { once } from "node:events"
import { serve } from "@hono/node-server"
import { skipCSRFCheck } from "@latchkey/core"
import { memoryRecords } from "@latchkey/core/memory"
import { Credentials } from "@latchkey/core/providers/credentials"
import { Hono } from "hono"
import { methodOverride } from "hono/method-override"
import { describe, expect, it, vi } from "vitest"
import { appOf, config } from "../test/support/app.js"
import { HonoAuth } from "./index.js"

/** Two wrong passwords for each network, counted anew for each application. */
const limited = () =>
  config({ limits: { budgets: { guess: { network: { free: 2 } } } }, records: memoryRecords(), skipCSRFCheck })
const forged = { "x-forwarded-for": "203.0.113.7", "x-real-ip": "203.0.113.7", "cf-connecting-ip": "203.0.113.7" }

interface Sent {
  readonly headers?: object
  readonly cf?: object
  readonly signal?: () => AbortSignal
}

/** That of a request whose connection was reset: Bun aborts it when the handler has begun. */
function resetSoon(): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => setTimeout(() => controller.abort(), 0), 0)
  return controller.signal
}

/** Statuses of four wrong passwords for four people, by the form of the service and by the application's own route. */
async function statusesOf(env: object | undefined, { headers = {}, cf, signal }: Sent = {}) {
  const ask = async (path: string, body: (name: string) => RequestInit): Promise<number[]> => {
    const app = appOf(limited())
    const statuses: number[] = []
    for (const name of ["ada", "grace", "joan", "edith"]) {
      const sent = { origin: "https://app.test", ...headers }
      const init = { method: "POST", headers: sent, ...(signal && { signal: signal() }), ...body(name) }
      const request = new Request(`https://app.test${path}`, init)
      if (cf) Object.defineProperty(request, "cf", { value: cf })
      statuses.push((await app.fetch(request, env)).status)
    }
    return statuses
  }
  return [
    await ask("/auth/callback/credentials", (name) => ({ body: new URLSearchParams({ name, password: "wrong" }) })),
    await ask("/in", (name) => ({ body: JSON.stringify({ name, password: "wrong" }) })),
  ]
}

const counted = [
  [302, 302, 429, 429],
  [401, 401, 500, 500],
]
const uncounted = [
  [302, 302, 302, 302],
  [401, 401, 401, 401],
]

const mounted = (inner: Hono): Hono => {
  const app = new Hono()
  app.mount("/", inner.fetch)
  return app
}

/** What hands on another request than the one that came. */
const copies: Readonly<Record<string, (inner: Hono) => Hono>> = {
  "a mounted application": mounted,
  "one within another": (inner) => mounted(mounted(inner)),
  "middleware that sets a header": (inner) => {
    const app = new Hono().use(async (c, next) => {
      const headers = new Headers(c.req.raw.headers)
      headers.set("x-request-id", "1")
      c.req.raw = new Request(c.req.raw, { headers })
      await next()
    })
    return app.route("/", inner)
  },
  methodOverride: (inner) => {
    const app = new Hono()
    return app.use(methodOverride({ app })).route("/", inner)
  },
}

describe("the address of a visitor", () => {
  it.each([
    ["Node.js", { incoming: { socket: { remoteAddress: "198.51.100.9" } } }],
    ["Deno", { remoteAddr: { hostname: "198.51.100.9", port: 1, transport: "tcp" } }],
    ["Bun", { requestIP: () => ({ address: "198.51.100.9", family: "IPv4", port: 1 }) }],
    ["Bun, as a member", { server: { requestIP: () => ({ address: "198.51.100.9" }) } }],
  ])("is that of the connection on %s, whatever headers say", async (_, env) => {
    expect(await statusesOf(env)).toEqual(counted)
    const names = ["x-forwarded-for", "x-real-ip", "cf-connecting-ip"]
    expect(await statusesOf(env, { headers: Object.fromEntries(names.map((name) => [name, "10.0.0.1"])) })).toEqual(
      counted,
    )
  })

  it("is what Cloudflare says on Workers", async () => {
    expect(await statusesOf({}, { headers: forged, cf: { colo: "VIE" } })).toEqual(counted)
    expect(await statusesOf({}, { cf: { colo: "VIE" } })).toEqual(uncounted)
  })

  it.each([undefined, {}, { requestIP: () => null }, { incoming: {} }, { cf: {} }])(
    "is unknown where no platform says it, whatever headers say: %j",
    async (env) => {
      expect(await statusesOf(env, { headers: forged })).toEqual(uncounted)
    },
  )

  it.each([
    ["was reset on Node.js", { incoming: { socket: { localAddress: "10.0.0.1", destroyed: false } } }],
    ["has been destroyed since", { incoming: { socket: { destroyed: true } } }],
    ["was reset on Deno", { remoteAddr: { hostname: "0.0.0.0", port: 0, transport: "tcp" } }],
    ["was reset on Deno, with IPv6", { remoteAddr: { hostname: "::", port: 0, transport: "tcp" } }],
    ["was reset on Bun", { requestIP: (): null => null, port: 3000 }],
    ["was reset on Bun, as a member", { server: { requestIP: (): null => null, port: 3000 } }],
    ["was reset on Bun long ago", { requestIP: (): null => null, port: 3000 }, () => AbortSignal.abort()],
  ])(
    "counts as gone where the connection %s: nobody tries from there",
    {
      tags: ["threat:V6-06"],
    },
    async (_, env, signal = resetSoon) => {
      const refused = [
        [400, 400, 400, 400],
        [500, 500, 500, 500],
      ]
      const asked = vi.fn(() => null)
      const app = appOf(config({ providers: [Credentials({ authorize: asked })], skipCSRFCheck, limits: {} }))
      const body = new URLSearchParams({ name: "ada", password: "wrong" })
      const init = { method: "POST", body, signal: signal() }
      await app.fetch(new Request("https://app.test/auth/callback/credentials", init), env)
      expect([await statusesOf(env, { signal }), asked.mock.calls]).toEqual([refused, []])
    },
  )

  /** As on Bun: it knows the requests that it has handed over itself. */
  const bun = (known: WeakSet<Request>) => ({
    requestIP: (request: Request) => (known.has(request) ? { address: "198.51.100.9" } : null),
    port: 3000,
  })

  it.each(Object.entries(copies))(
    "is unknown of a copy of a request on Bun, made by %s: people sign in",
    async (_, copying) => {
      const send = async (signal: AbortSignal | undefined) => {
        const known = new WeakSet<Request>()
        const app = copying(appOf(limited()))
        const body = new URLSearchParams({ name: "ada", password: "right", _method: "POST" })
        const init = { method: "POST", body, headers: { origin: "https://app.test" }, ...(signal && { signal }) }
        const request = new Request("https://app.test/auth/callback/credentials", init)
        known.add(request)
        return app.fetch(request, bun(known))
      }
      const honest = await send(undefined)
      expect([honest.status, honest.headers.getSetCookie().join()]).toEqual([
        302,
        expect.stringContaining("session-token=ey"),
      ])
      expect((await send(resetSoon())).status).toBe(400)
    },
  )

  it("is gone once Bun has the answer: nobody tries from there", async () => {
    const auth = HonoAuth(limited())
    const app = new Hono().use(async (c, next) => {
      await next()
      await auth.signIn(c, { provider: "credentials", fields: { name: "ada", password: "right" } })
    })
    app.post("/page", (c) => c.text("page"))
    const failed = vi.fn((error: Error) => new Response(error.name))
    app.onError(failed)
    const init = { method: "POST", headers: { origin: "https://app.test" } }
    await app.fetch(new Request("https://app.test/page", init), { requestIP: () => null, port: 3000 })
    expect(failed).toHaveBeenCalledOnce()
  })

  it.each([
    ["Node.js", { incoming: { socket: { destroyed: false } } }],
    ["Deno", { remoteAddr: { transport: "unix", path: "/run/app.sock" } }],
    ["Bun", { requestIP: () => null, port: undefined }],
  ])("is unknown on a Unix socket of %s, also where the proxy in front leaves", async (_, env) => {
    expect(await statusesOf(env)).toEqual(uncounted)
    expect(await statusesOf(env, { signal: () => AbortSignal.abort() })).toEqual(uncounted)
  })

  it("is that of the socket of a real server, where loopback counts as unknown", async () => {
    const seen: unknown[] = []
    const app = appOf(limited())
    const fetchApp = (request: Request, env: unknown) => {
      seen.push((env as { incoming: { socket: { remoteAddress: string } } }).incoming.socket.remoteAddress)
      return app.fetch(request, env as object)
    }
    const server = serve({ port: 0, hostname: "127.0.0.1", fetch: fetchApp })
    try {
      await once(server, "listening")
      const { port } = server.address() as { port: number }
      for (const name of ["ada", "grace", "joan"]) {
        const body = new URLSearchParams({ name, password: "wrong" })
        const init = { method: "POST", body, headers: forged, redirect: "manual" } as const
        expect((await fetch(`http://127.0.0.1:${port}/auth/callback/credentials`, init)).status).toBe(302)
      }
      expect(new Set(seen)).toEqual(new Set(["127.0.0.1"]))
    } finally {
      server.close()
    }
  })
})
