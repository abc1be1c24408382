/** Several tabs of one browser sign in, sign out and return in any order, without affecting each other. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { customFetch } from "../../src/config/markers.js"
import type { Provider } from "../../src/types/provider.js"
import { openOp } from "../support/op.js"
import { makeWorld } from "../support/world.js"

afterEach(() => void vi.useRealTimers())

const checks = ["pkce", "state", "nonce"]

async function open() {
  const second = await openOp({ issuer: "https://op2.test", clientId: "client-2" })
  const { issuer, clientId, clientSecret, fetch } = second
  const other = { id: "two", name: "Two", type: "oidc", issuer, clientId, clientSecret, checks, [customFetch]: fetch }
  const world = await makeWorld({ strategy: "jwt", adapter: false, provider: { checks }, more: [other as Provider] })
  const browser = world.browser()
  const begin = async (provider: "op" | "two", callbackUrl: string): Promise<string> => {
    const visit = await browser.post(`/auth/signin/${provider}`, { callbackUrl })
    return (provider === "op" ? world.op : second).authorize(visit.location ?? "").href
  }
  const pending = (): string[] => [...browser.jar.keys()].filter((name) => /state|nonce|pkce/.test(name))
  return { world, browser, begin, pending }
}

const orders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const

describe("three tabs", () => {
  it.each(orders)(
    "at two providers all finish, each at its own return address: %i, %i, %i",
    { tags: ["threat:RC-20", "threat:RC-21"] },
    async (...order) => {
      const { world, browser, begin, pending } = await open()
      const tabs = [await begin("op", "/first"), await begin("two", "/second"), await begin("op", "/third")]
      for (const index of order) {
        const visit = await browser.get(tabs[index] ?? "")
        expect(visit.location).toBe(`https://app.test/${["first", "second", "third"][index]}`)
      }
      expect(pending()).toEqual([])
      expect(world.errors).toEqual([])
    },
  )

  it("that return at once all finish", async () => {
    const { world, browser, begin } = await open()
    const tabs = [await begin("op", "/first"), await begin("two", "/second"), await begin("op", "/third")]
    const visits = await Promise.all(tabs.map((tab) => browser.get(tab)))
    expect(visits.map(({ location }) => location)).toEqual(
      ["first", "second", "third"].map((path) => `https://app.test/${path}`),
    )
    expect(world.errors).toEqual([])
  })

  it("are not affected by a refusal, a reload and a sign-out in another", {
    tags: ["threat:RC-22", "threat:FI-24"],
  }, async () => {
    const { browser, begin } = await open()
    const refused = new URL(await begin("op", "/first"))
    const [second, third] = [await begin("two", "/second"), await begin("op", "/third")]
    refused.searchParams.delete("code")
    refused.searchParams.set("error", "access_denied")
    expect((await browser.get(refused.href)).location).toBe("https://app.test/auth/signin?cancelled=true")
    expect((await browser.get(refused.href)).location).toContain("/auth/signin")
    expect((await browser.get(third)).location).toBe("https://app.test/third")
    expect((await browser.get(third)).location).toContain("error=OAuthCallbackError")
    await browser.post("/auth/signout")
    expect((await browser.get(second)).location).toBe("https://app.test/second")
    expect(await browser.session()).toMatchObject({ user: { name: "Ada" } })
  })
})

it("of four tabs the oldest is dropped, cleanly, and starts again", { tags: ["threat:CK-10"] }, async () => {
  const { browser, begin, pending } = await open()
  const tabs = []
  for (const name of ["a", "b", "c", "d"]) tabs.push(await begin("op", `/${name}`))
  expect(pending().length).toBeLessThanOrEqual(9)
  const [first, ...rest] = tabs
  expect((await browser.get(first ?? "")).location).toContain("error=OAuthCallbackError")
  for (const [index, tab] of rest.entries()) {
    expect((await browser.get(tab)).location).toBe(`https://app.test/${["b", "c", "d"][index]}`)
  }
  expect((await browser.get(await begin("op", "/again"))).location).toBe("https://app.test/again")
})

it("a tab that comes back after an hour has to begin again, and can", { tags: ["threat:FI-22"] }, async () => {
  vi.useFakeTimers({ toFake: ["Date"] })
  const { world, browser, begin } = await open()
  const tab = await begin("op", "/inbox")
  vi.setSystemTime(Date.now() + 3_600_000)
  world.op.now = () => Math.floor(Date.now() / 1000)
  const { location = "" } = await browser.get(tab)
  expect(location).toContain("/auth/signin?error=OAuthCallbackError")
  const page = await browser.get(location)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("Try again, or choose another way.")])
  expect(world.errors.map(({ name }) => name)).toEqual(["InvalidCheck"])
  expect(await browser.session()).toBeNull()
  expect((await browser.get(await begin("op", "/inbox"))).location).toBe("https://app.test/inbox")
})

it("a thousand pages and sessions read at once are each of the browser that asked", {
  tags: ["threat:A-159"],
}, async () => {
  const world = await makeWorld({ strategy: "jwt", adapter: false })
  const browsers = Array.from({ length: 10 }, () => world.browser())
  const tokens: string[] = []
  for (const [index, browser] of browsers.entries()) {
    world.op.person = { sub: `person-${index}`, name: `P${index}`, email: `p${index}@op.test` }
    await world.signInAtOp(browser)
    tokens.push(await browser.csrfToken())
  }
  expect(new Set(tokens).size).toBe(10)
  const reads = Array.from({ length: 1000 }, async (_, turn) => {
    const index = turn % 10
    const browser = browsers[index]
    if (turn % 20 < 10) return expect(await browser?.session()).toMatchObject({ user: { name: `P${index}` } })
    const { text = "" } = (await browser?.get(`/auth/signin?callbackUrl=/own-${index}`, { accept: "text/html" })) ?? {}
    expect(text).toContain(`value="${tokens[index]}"`)
    for (const [other, token] of tokens.entries())
      if (other !== index) for (const foreign of [token, `/own-${other}"`]) expect(text).not.toContain(foreign)
  })
  await Promise.all(reads)
})
