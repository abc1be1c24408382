/** A part of the service that cannot be loaded, because a deploy is broken or the network is away: a fault, until it can. */
import { inspect } from "node:util"
import { beforeEach, describe, expect, it, vi } from "vitest"
import type { TestBrowser, Visit } from "../support/browser.js"
import type { World, WorldOptions } from "../support/world.js"

beforeEach(() => {
  // What is loaded once is kept.
  vi.resetModules()
})

interface Case {
  /** Below `src`. */
  readonly part: string
  readonly world?: WorldOptions
  /** What the visitor did before the part was missing. */
  readonly prepare?: (browser: TestBrowser, world: World) => Promise<unknown>
  readonly ask: (browser: TestBrowser) => Promise<Visit>
  /** The answer once the part is there. */
  readonly status: number
}

const signIn = (browser: TestBrowser): Promise<Visit> => browser.post("/auth/signin/op")
const csrf = (browser: TestBrowser): Promise<unknown> => browser.csrfToken()
const signedIn = (browser: TestBrowser, world: World): Promise<unknown> => world.signInAtOp(browser)

const cases: readonly Case[] = [
  { part: "actions/visits", ask: (browser) => browser.get("/auth/signin"), status: 200 },
  { part: "actions/failure", ask: (browser) => browser.get("/auth/nothing"), status: 404 },
  { part: "http/body", prepare: csrf, ask: signIn, status: 302 },
  { part: "context/csrf", prepare: csrf, ask: signIn, status: 302 },
  { part: "context/tries", prepare: csrf, ask: mailed, status: 302, world: { config: { limits: {} } } },
  { part: "context/flow", ask: (browser) => browser.get("/auth/callback/op?code=code&state=unknown"), status: 302 },
  {
    part: "sessions/jwt-facts",
    world: { strategy: "jwt", config: { session: { strategy: "jwt", overallMaxAge: 3600 } } },
    prepare: signedIn,
    ask: (browser) => browser.get("/auth/session"),
    status: 200,
  },
  {
    part: "sessions/jwt-visits",
    world: { strategy: "jwt" },
    prepare: csrf,
    ask: (browser) => browser.post("/auth/signout"),
    status: 302,
  },
  {
    part: "sessions/database",
    world: { strategy: "database" },
    ask: (browser) => browser.get("/auth/session"),
    status: 200,
  },
]

function mailed(browser: TestBrowser): Promise<Visit> {
  return browser.post("/auth/signin/mail", { email: "ada@app.test" })
}

async function open(options: WorldOptions = {}): Promise<{ world: World; browser: TestBrowser }> {
  const { makeWorld } = await import("../support/world.js")
  const world = await makeWorld(options)
  return { world, browser: world.browser() }
}

async function without<T>(part: string, work: () => Promise<T>): Promise<T> {
  const file = `../../src/${part}.js`
  vi.doMock(file, () => {
    throw new Error("The file is missing.")
  })
  try {
    return await work()
  } finally {
    vi.doUnmock(file)
  }
}

describe("a part that cannot be loaded", () => {
  it.each(cases)("is a fault that the log explains, and the next request loads it: $part", async (given) => {
    const { world, browser } = await open(given.world)
    await given.prepare?.(browser, world)
    const { errors } = world
    errors.length = 0
    const broken = await without(given.part, () => given.ask(browser))
    expect(broken.status === 302 ? broken.location : broken.status).toSatisfy(
      (seen) => seen === 500 || String(seen).includes("error=Configuration"),
    )
    expect(inspect(errors, { depth: 10 })).toContain("The file is missing.")
    errors.length = 0
    const repaired = await given.ask(browser)
    expect(repaired.status).toBe(given.status)
    expect(repaired.location ?? "").not.toContain("error=Configuration")
  })

  it("leaves out what is logged for debugging, and nothing else", async () => {
    const { world, browser } = await open()
    const { status } = await without("engine/story", () => browser.get("/auth/session"))
    expect(status).toBe(200)
    expect(inspect(world.errors, { depth: 10 })).toContain("The file is missing.")
    expect(world.debugs.map(([message]) => message)).not.toContain("Request GET session")
    await browser.get("/auth/session")
    expect(world.debugs.map(([message]) => message)).toContain("Request GET session")
  })
})
