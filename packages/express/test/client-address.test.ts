/** Limits by network behind proxies: whose address counts, with and without `trust proxy`, in both majors of Express. */
import { skipCSRFCheck } from "@latchkey/core"
import { memoryRecords } from "@latchkey/core/memory"
import express5, { type Express } from "express"
import express4 from "express4"
import { describe, expect, it } from "vitest"
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
})
