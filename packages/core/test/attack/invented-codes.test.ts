/** Whoever has begun one sign-in keeps its cookies, and sends invented codes with its state. */
import { describe, expect, it, vi } from "vitest"
import { openBrowser } from "../support/browser.js"
import { makeWorld, type World } from "../support/world.js"

const free = 20

/** Each browser comes from a network of its own choice. */
async function open(options: Parameters<typeof makeWorld>[0] = {}) {
  const limits = { budgets: { ceremony: { network: { free } } } }
  const world = await makeWorld({ ...options, config: { limits } })
  const from = (address: string) => openBrowser((request) => world.auth.handle(request, { address }))
  return { world, from }
}

const visitor = "203.0.113.7"
const other = "198.51.100.9"

/** Begins a sign-in; answers how its response is sent with a code, any number of times. */
async function begun(world: World, browser: ReturnType<typeof openBrowser>) {
  const { location = "" } = await browser.post("/auth/signin/op", {})
  const state = new URL(location).searchParams.get("state") ?? ""
  const cookie = [...browser.jar].map(([name, { value }]) => `${name}=${value}`).join("; ")
  return (code: string, { state: sent = state, address = visitor } = {}) => {
    const path = `/auth/callback/op?${new URLSearchParams({ code, state: sent })}`
    return world.auth.handle(new Request(`https://app.test${path}`, { headers: { cookie } }), { address })
  }
}

describe.each(["jwt", "database"] as const)("invented codes, sessions of %s", (strategy) => {
  it("reach the provider as often as sign-ins may begin there", {
    tags: ["threat:A-062", "threat:VX-13"],
  }, async () => {
    const { world, from } = await open({ strategy })
    const answer = await begun(world, from(visitor))
    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => answer(`invented-${index}`)))
    expect(world.op.callsOf("token")).toHaveLength(free)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(60 - free)
    expect(answers.at(-1)?.headers.get("retry-after")).toMatch(/^\d+$/)
    const elsewhere = from(other)
    await world.signInAtOp(elsewhere)
    expect(await elsewhere.session()).toMatchObject({ user: { name: "Ada" } })
  })

  it("are not counted where they come without the state: another site can send those from a visitor's browser", async () => {
    const { world, from } = await open({ strategy })
    const answer = await begun(world, from(visitor))
    for (let index = 0; index < 3 * free; index += 1) await answer("invented", { state: "of nobody" })
    const browser = from(visitor)
    await world.signInAtOp(browser)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    expect(world.op.callsOf("token")).toHaveLength(1)
  })

  it("leave people their sign-ins: what succeeds is not counted", async () => {
    const { world } = await open({ strategy })
    const handle = (request: Request) =>
      world.auth.handle(request, request.url.includes("/callback/") ? { address: visitor } : {})
    for (let index = 0; index < 2 * free; index += 1) {
      const browser = openBrowser(handle)
      await world.signInAtOp(browser)
      expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
    }
  })

  it("are counted apart: others of the network who begin keep nobody from ending a sign-in", async () => {
    const { world, from } = await open({ strategy })
    const browser = from(visitor)
    const { location = "" } = await browser.post("/auth/signin/op", {})
    for (let index = 0; index < free - 1; index += 1) await from(visitor).post("/auth/signin/op", {})
    expect((await from(visitor).post("/auth/signin/op", {})).status).toBe(429)
    const { pathname, search } = world.op.authorize(location)
    await browser.get(pathname + search)
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })

  it("keep others of the network from ending a sign-in until the window ends, and no longer", async () => {
    const { world, from } = await open({ strategy })
    const answer = await begun(world, from(visitor))
    for (let index = 0; index < free; index += 1) await answer("invented")
    const browser = from(visitor)
    const visit = await world.signInAtOp(browser)
    expect([visit.status, await browser.session()]).toEqual([429, null])
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 601_000 })
    await world.signInAtOp(browser)
    vi.useRealTimers()
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})
