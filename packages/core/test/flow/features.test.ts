/** A feature's endpoint has the protections of the route table; where the feature is not listed, it does not exist. */
import { describe, expect, it } from "vitest"
import type { ActionRow } from "../../src/actions/feature-row.js"
import { json } from "../../src/http/result.js"
import type { Feature } from "../../src/types/feature.js"
import { makeWorld, type World } from "../support/world.js"

const rows: readonly ActionRow[] = [
  {
    method: "GET",
    action: "sessions",
    csrf: false,
    audience: "script",
    async act({ incoming }) {
      if ("fail" in incoming.query) throw new Error("a fault")
      return json({ at: incoming.origin })
    },
  },
  { method: "POST", action: "sessions", csrf: true, audience: "script", act: async () => json("changed") },
]
const feature: Feature = { name: "sessions", needs: [], rows }

const send = ({ auth }: World, path: string, init: RequestInit = {}): Promise<Response> =>
  auth.handle(new Request(`https://app.test/auth/${path}`, init))

describe("the endpoint of a feature", () => {
  it("is served, and its paths are the service's own", async () => {
    const world = await makeWorld({ config: { features: [feature] } })
    const answer = await send(world, "sessions")
    expect([answer.status, await answer.json()]).toEqual([200, { at: "https://app.test" }])
    expect(answer.headers.get("cache-control")).toContain("no-store")
    expect(["/auth/sessions", "/auth/sessions/x", "/auth/other"].map(world.auth.isOwn)).toEqual([true, true, false])
  })

  it("asks for the CSRF token where its row says so", async () => {
    const world = await makeWorld({ config: { features: [feature] } })
    const browser = world.browser()
    expect((await send(world, "sessions", { method: "POST" })).status).toBe(403)
    const changed = await browser.post("/auth/sessions", {})
    expect([changed.status, changed.text]).toEqual([200, '"changed"'])
  })

  it("names its methods, and answers a failure as JSON with an incident", async () => {
    const world = await makeWorld({ config: { features: [feature] } })
    const refused = await send(world, "sessions", { method: "DELETE" })
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"])
    const failed = await send(world, "sessions?fail")
    expect([failed.status, await failed.json()]).toMatchObject([500, { incident: expect.stringMatching(/^\w{12}$/) }])
  })

  it("does not exist where the feature is not listed", async () => {
    const world = await makeWorld()
    expect((await send(world, "sessions")).status).toBe(404)
    expect(world.auth.isOwn("/auth/sessions")).toBe(false)
  })
})
