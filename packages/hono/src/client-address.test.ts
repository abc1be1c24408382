import { once } from "node:events"
import { serve } from "@hono/node-server"
import { skipCSRFCheck } from "@latchkey/core"
import { memoryRecords } from "@latchkey/core/memory"
import { Credentials } from "@latchkey/core/providers/credentials"
import { describe, expect, it, vi } from "vitest"
import { appOf, config } from "../test/support/app.js"

/** Two wrong passwords for each network, counted anew for each application. */
const limited = () =>
  config({ limits: { budgets: { guess: { network: { free: 2 } } } }, records: memoryRecords(), skipCSRFCheck })
const forged = { "x-forwarded-for": "203.0.113.7", "x-real-ip": "203.0.113.7", "cf-connecting-ip": "203.0.113.7" }

/** Statuses of four wrong passwords for four people, by the form of the service and by the application's own route. */
async function statusesOf(env: object | undefined, { headers = {}, cf }: { headers?: object; cf?: object } = {}) {
  const ask = async (path: string, body: (name: string) => RequestInit): Promise<number[]> => {
    const app = appOf(limited())
    const statuses: number[] = []
    for (const name of ["ada", "grace", "joan", "edith"]) {
      const sent = { origin: "https://app.test", ...headers }
      const request = new Request(`https://app.test${path}`, { method: "POST", headers: sent, ...body(name) })
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
    ["was reset", { localAddress: "10.0.0.1", destroyed: false }],
    ["has been destroyed since", { destroyed: true }],
  ])(
    "counts as gone where the connection %s: nobody tries from there",
    { tags: ["threat:V6-06"] },
    async (_, socket) => {
      const refused = [
        [400, 400, 400, 400],
        [500, 500, 500, 500],
      ]
      const env = { incoming: { socket } }
      const asked = vi.fn(() => null)
      const app = appOf(config({ providers: [Credentials({ authorize: asked })], skipCSRFCheck, limits: {} }))
      const body = new URLSearchParams({ name: "ada", password: "wrong" })
      await app.fetch(new Request("https://app.test/auth/callback/credentials", { method: "POST", body }), env)
      expect([await statusesOf(env), asked.mock.calls]).toEqual([refused, []])
    },
  )

  it("is unknown on a Unix socket", async () => {
    expect(await statusesOf({ incoming: { socket: { destroyed: false } } })).toEqual(uncounted)
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
