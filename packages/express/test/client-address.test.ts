/** Limits by network behind proxies: whose address counts, with and without `trust proxy`, in both majors of Express. */
import { connect } from "node:net"
import { setTimeout as setTimeoutPromise } from "node:timers/promises"
import { skipCSRFCheck } from "@latchkey/core"
import { memoryRecords } from "@latchkey/core/memory"
import { Credentials } from "@latchkey/core/providers/credentials"
import express5, { type Express } from "express"
import express4 from "express4"
import { describe, expect, it, vi } from "vitest"
import { ExpressAuth, signIn } from "../src/index.js"
import { config, listen } from "./support/app.js"

/** Two wrong passwords for each network, counted anew for each application. */
const limited = () =>
  config({ limits: { budgets: { guess: { network: { free: 2 } } } }, records: memoryRecords(), skipCSRFCheck })

describe.each([
  ["4", express4 as unknown as typeof express5],
  ["5", express5],
])("Express %s", (_, express) => {
  function appOf(trust: unknown): Express {
    const app = express()
    const given = limited()
    if (trust !== undefined) app.set("trust proxy", trust)
    app.use("/auth/*path".slice(0, express === express5 ? undefined : 7), ExpressAuth(given))
    app.post("/in", express.json(), (req, res) => {
      signIn(req, res, given, { provider: "credentials", fields: req.body, redirect: false }).then(
        () => res.sendStatus(200),
        (error: { type: string }) => res.status(error.type === "TooManyRequests" ? 429 : 401).end(),
      )
    })
    return app
  }

  /** Statuses of four wrong passwords for four people, each of which says that it comes from elsewhere. */
  async function statusesOf(trust: unknown, forwardedFor: (index: number) => string): Promise<number[][]> {
    const all: number[][] = []
    for (const path of ["/auth/callback/credentials", "/in"]) {
      const origin = await listen(appOf(trust))
      const statuses: number[] = []
      for (const [index, name] of ["ada", "grace", "joan", "edith"].entries()) {
        const fields = { name, password: "wrong" }
        const isOwn = path === "/in"
        const headers = {
          "x-forwarded-for": forwardedFor(index),
          ...(isOwn && { "content-type": "application/json" }),
        }
        const body = isOwn ? JSON.stringify(fields) : new URLSearchParams(fields)
        statuses.push((await fetch(origin + path, { method: "POST", redirect: "manual", headers, body })).status)
      }
      all.push(statuses)
    }
    return all
  }

  const counted = [
    [302, 302, 429, 429],
    [401, 401, 429, 429],
  ]
  const uncounted = [
    [302, 302, 302, 302],
    [401, 401, 401, 401],
  ]

  it("counts nobody by a header while no proxy is trusted, and the proxy on this machine is not one visitor", async () => {
    expect(await statusesOf(undefined, () => "203.0.113.7")).toEqual(uncounted)
  })

  it("counts visitors by the address that the trusted proxy has seen", async () => {
    expect(await statusesOf("loopback", () => "203.0.113.7")).toEqual(counted)
    expect(await statusesOf("loopback", (index) => `203.0.113.${index}`)).toEqual(uncounted)
  })

  it.each([1, "loopback"])(
    "is not fooled by what a visitor puts before that address, with `trust proxy` %j",
    async (trust) => {
      expect(await statusesOf(trust, (index) => `198.51.100.${index}, 203.0.113.7`)).toEqual(counted)
    },
  )

  it("counts an IPv6 visitor by the network, not by the address", async () => {
    expect(await statusesOf(1, (index) => `2001:db8:1:2::${index + 1}`)).toEqual(counted)
  })

  it.each(["/auth/callback/credentials", "/in"])(
    "lets nobody try at %s who resets the connection, so that Node.js no longer knows from where",
    { tags: ["threat:V6-06"] },
    async (path) => {
      const tried: unknown[] = []
      const provider = Credentials({
        credentials: { name: {}, password: {} },
        authorize: (fields) => {
          tried.push(fields.name)
          return null
        },
      })
      const given = config({ providers: [provider], records: memoryRecords(), skipCSRFCheck, limits: {} })
      const app = express()
      // The request is there as a whole before the reset arrives, and is read after it.
      app.use((_req, _res, next) => void setTimeout(next, 30))
      app.use("/auth", ExpressAuth(given))
      app.post("/in", express.urlencoded({ extended: false }), (req, res) => {
        signIn(req, res, given, { provider: "credentials", fields: req.body, redirect: false }).catch(() => res.end())
      })
      const origin = await listen(app)
      await send(origin, path, "name=ada&password=wrong", { isReset: false })
      await vi.waitFor(() => expect(tried).toEqual(["ada"]))
      for (let n = 0; n < 5; n++) await send(origin, path, `name=${n}&password=wrong`, { isReset: true })
      await send(origin, path, "name=last&password=wrong", { isReset: false })
      await vi.waitFor(() => expect(tried).toContain("last"))
      expect(tried).toEqual(["ada", "last"])
    },
  )
})

/** Sends a form on a connection of its own, and resets that at once or closes it a little later. */
async function send(origin: string, path: string, body: string, { isReset }: { isReset: boolean }): Promise<void> {
  const { port, host } = new URL(origin)
  const socket = connect(Number(port), "127.0.0.1")
  socket.on("error", () => {})
  const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/x-www-form-urlencoded\r\n`
  await new Promise<void>((resolve) => {
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`, () => resolve())
  })
  if (isReset) socket.resetAndDestroy()
  await setTimeoutPromise(isReset ? 60 : 150)
  socket.destroy()
}
