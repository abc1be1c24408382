import { describe, expect, it } from "vitest"
import {
  type TestContext as ContextForTests,
  cookiesAfter,
  later,
  makeContext,
  type Surroundings,
} from "../../test/support/context.js"
import type { ResolvedOAuthProvider } from "../config/settings.js"
import type { ContextOf } from "../context/context.js"
import { flowOf, spentCookies } from "../context/flow.js"
import type { AuthConfig } from "../types/config.js"
import { issueChecks, spendChecks } from "./oauth.js"
import { sealCheck } from "./sealed.js"

type OAuthContext = ContextOf<ResolvedOAuthProvider>
type TestContext = ContextForTests<OAuthContext>

const state = "__Secure-authjs.state"
const provider = (id: string, checks: readonly string[], more: object = {}): object => ({
  ...{ id, name: id, type: "oidc", issuer: `https://${id}.test`, clientId: "c", checks },
  ...more,
})
const formPost = { authorization: { url: "https://post.test/authorize", params: { response_mode: "form_post" } } }
const config: Partial<AuthConfig> = {
  providers: [
    provider("all", ["pkce", "state", "nonce"]),
    provider("pkce", ["pkce"]),
    provider("state", ["state"]),
    provider("none", ["none"]),
    provider("post", ["state"], formPost),
    provider("plain", ["state"], {
      ...{ type: "oauth", token: "https://plain.test/token", userinfo: "https://plain.test/userinfo" },
      ...{ authorization: { url: "https://plain.test/authorize", params: { response_mode: "form_post" } } },
    }),
    { id: "mail", name: "Mail", type: "email", from: "a@app.test", sendVerificationRequest: () => {} },
  ] as never,
}

/** One browser with several tabs. */
class Tabs {
  cookies: Record<string, string> = {}
  context(id: string, given: Surroundings = {}): TestContext {
    return makeContext<OAuthContext>({ action: "callback", provider: id, config, cookies: this.cookies, ...given })
  }
  async begin(id: string, seconds = 0, query = ""): Promise<{ id: string; state: string | undefined }> {
    const context = this.context(id, { action: "signin", now: later(seconds) })
    const issued = await issueChecks(context, { returnTo: `https://app.test/${id}/${seconds}${query}` })
    this.cookies = cookiesAfter(context, issued.cookies)
    return { id, state: issued.state }
  }
  async finish(flow: { id: string; state: string | undefined }, seconds = 60): Promise<string | undefined> {
    const query = flow.state === undefined ? {} : { state: flow.state }
    const context = this.context(flow.id, { query, now: later(seconds) })
    const { returnTo } = await spendChecks(context, { state: flow.state, mayLackState: () => false })
    const spent = await spentCookies(context, ["state", "pkceCodeVerifier", "nonce"])
    this.cookies = cookiesAfter(context, spent)
    return returnTo
  }
}

describe("parallel tabs", () => {
  it.each([
    ["in the order they began", [0, 1, 2]],
    ["the newest first", [2, 1, 0]],
    ["mixed", [1, 2, 0]],
  ])(
    "all finish, each with its own return address: %s",
    { tags: ["threat:RC-20", "threat:RC-21"] },
    async (_, order) => {
      const tabs = new Tabs()
      const flows = [await tabs.begin("all", 0), await tabs.begin("pkce", 1), await tabs.begin("all", 2)]
      const addresses = ["https://app.test/all/0", "https://app.test/pkce/1", "https://app.test/all/2"]
      for (const index of order) {
        expect(await tabs.finish(flows[index] as (typeof flows)[0])).toBe(addresses[index])
      }
      expect(tabs.cookies).toEqual({})
    },
  )

  it("move a pending flow, as sealed as it is, to the slot its state names", async () => {
    const tabs = new Tabs()
    const first = await tabs.begin("all")
    const before = tabs.cookies
    await tabs.begin("all", 1)
    const flow = await flowOf(first.state ?? "")
    expect(flow).toMatch(/^[\w-]{8}$/)
    for (const [name, value] of Object.entries(before)) {
      expect(tabs.cookies[`${name}.${flow}`]).toBe(value)
      expect(tabs.cookies[name]).not.toBe(value)
    }
  })

  it.each([
    ["post", { crossSite: true }],
    ["plain", { crossSite: true }],
    ["state", {}],
  ])("keep the time that is left, and the way a moved cookie travels: %s", async (id, travels) => {
    const tabs = new Tabs()
    await tabs.begin(id)
    const value = tabs.cookies[state]
    const context = tabs.context("all", { now: later(100) })
    const { cookies } = await issueChecks(context, { returnTo: "https://app.test/" })
    const moved = cookies.find((change) => change.slot !== undefined)
    expect(moved).toEqual({ role: "state", slot: expect.any(String), value, expires: later(900), ...travels })
  })

  it("move and keep flows of a provider that is configured no longer", async () => {
    const tabs = new Tabs()
    await tabs.begin("all")
    const fewer = { ...config, providers: [provider("pkce", ["pkce"])] as never }
    for (const seconds of [1, 2]) {
      const context = tabs.context("pkce", { config: fewer, now: later(seconds) })
      const { cookies } = await issueChecks(context, { returnTo: "https://app.test/" })
      expect(cookies.filter((change) => "clear" in change && change.slot !== undefined)).toEqual([])
      tabs.cookies = cookiesAfter(context, cookies)
    }
    expect(Object.keys(tabs.cookies).filter((name) => name.startsWith(state))).toHaveLength(3)
  })

  it("set no name twice in one response", async () => {
    const tabs = new Tabs()
    await tabs.begin("all")
    const context = tabs.context("all", { now: later(1) })
    const { cookies } = await issueChecks(context, { returnTo: "https://app.test/" })
    const names = cookies.map(({ role, slot = "" }) => `${role}.${slot}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it("count a flow once whose cookies have both kinds of names", async () => {
    const tabs = new Tabs()
    const older = await tabs.begin("all")
    const newest = await tabs.begin("all", 1)
    const slot = await flowOf(newest.state ?? "")
    for (const [name, value] of Object.entries(tabs.cookies))
      if (!/\.[\w-]{8}$/.test(name)) tabs.cookies[`${name}.${slot}`] = value
    await tabs.begin("all", 2)
    expect(await tabs.finish(older)).toBe("https://app.test/all/0")
  })

  it("stay pending when the newest has finished and another begins", async () => {
    const tabs = new Tabs()
    const first = await tabs.begin("all")
    await tabs.finish(await tabs.begin("all", 1))
    await tabs.begin("all", 2)
    expect(await tabs.finish(first)).toBe("https://app.test/all/0")
  })

  it("are dropped by their age, in whichever order the browser sends them", async () => {
    const tabs = new Tabs()
    const flows = []
    for (const seconds of [0, 1, 2]) flows.push(await tabs.begin("all", seconds))
    tabs.cookies = Object.fromEntries(Object.entries(tabs.cookies).toReversed())
    await tabs.begin("all", 3)
    await expect(tabs.finish(flows[0] as (typeof flows)[0])).rejects.toMatchObject({ type: "InvalidCheck" })
    expect(await tabs.finish(flows[1] as (typeof flows)[0])).toBe("https://app.test/all/1")
  })

  it("leave no value of the earlier flow under the plain names", async () => {
    const tabs = new Tabs()
    await tabs.begin("all")
    await tabs.begin("state", 1)
    expect(Object.keys(tabs.cookies).filter((name) => !/\.[\w-]{8}$/.test(name))).toEqual([state])
  })

  it("are three at most: the oldest is dropped", async () => {
    const tabs = new Tabs()
    const flows = []
    for (const seconds of [0, 1, 2, 3, 4]) flows.push(await tabs.begin("all", seconds))
    expect(Object.keys(tabs.cookies)).toHaveLength(9)
    for (const flow of flows.slice(0, 2)) {
      await expect(tabs.finish(flow)).rejects.toMatchObject({ type: "InvalidCheck" })
    }
    for (const flow of flows.slice(2)) expect(await tabs.finish(flow)).toContain("https://app.test/all/")
  })

  it("never exceed three flows, however many are started", async () => {
    const tabs = new Tabs()
    for (let seconds = 0; seconds < 30; seconds += 1) {
      await tabs.begin(seconds % 2 ? "all" : "state", seconds)
      expect(Object.keys(tabs.cookies).filter((name) => name.startsWith(state)).length).toBeLessThanOrEqual(3)
    }
  })

  it.each([
    ["long", `?${"q".repeat(1900)}`, 2],
    ["long and full of characters that cookies encode", `?${"q".repeat(1000)}${"&".repeat(980)}`, 1],
  ])("leave room for other headers where return addresses are %s: the oldest are dropped", async (_, query, kept) => {
    const tabs = new Tabs()
    const flows = []
    for (const seconds of [0, 1, 2]) {
      flows.push(await tabs.begin("all", seconds, query))
      // A server on Node.js takes 16 kB of headers, the cookie of the session among them, and the address itself.
      const pairs = [...Object.entries(tabs.cookies), ["callback-url", encodeURIComponent(query)]]
      expect(pairs.map((pair) => pair.join("=")).join("; ").length).toBeLessThan(11_500)
    }
    const dropped = flows.slice(0, -kept)
    for (const flow of dropped) await expect(tabs.finish(flow)).rejects.toMatchObject({ type: "InvalidCheck" })
    for (const flow of flows.slice(-kept)) expect(await tabs.finish(flow)).toContain(query)
    expect(tabs.cookies).toEqual({})
  })

  it.each([
    ["as long as that of a visitor", 2900, 2],
    ["that is short", 800, 3],
  ])("leave room for the challenge of a passkey, %s", async (_, length, kept) => {
    const tabs = new Tabs()
    const challenge = "__Secure-authjs.challenge"
    tabs.cookies = { [challenge]: "x".repeat(length) }
    const flows = []
    for (const seconds of [0, 1, 2]) flows.push(await tabs.begin("all", seconds, `?${"q".repeat(600)}`))
    for (const flow of flows.slice(0, -kept))
      await expect(tabs.finish(flow)).rejects.toMatchObject({ type: "InvalidCheck" })
    for (const flow of flows.slice(-kept)) expect(await tabs.finish(flow)).toContain("qqq")
    expect(Object.keys(tabs.cookies)).toEqual([challenge])
  })

  it("drop flows that are over", async () => {
    const tabs = new Tabs()
    await tabs.begin("all", 0)
    await tabs.begin("all", 1)
    await tabs.begin("all", 2000)
    expect(Object.keys(tabs.cookies)).toHaveLength(3)
  })

  it("make room for a flow without checks as well", async () => {
    const tabs = new Tabs()
    const first = await tabs.begin("all")
    const second = await tabs.begin("none", 1)
    expect(await tabs.finish(second)).toBeUndefined()
    expect(await tabs.finish(first)).toBe("https://app.test/all/0")
  })

  it("do not end each other when a page is reloaded", async () => {
    const tabs = new Tabs()
    const first = await tabs.begin("all")
    const second = await tabs.begin("all", 1)
    await tabs.finish(first)
    await expect(tabs.finish(first)).rejects.toMatchObject({ type: "InvalidCheck" })
    expect(await tabs.finish(second)).toBe("https://app.test/all/1")
  })

  it("leave the cookie of a mailed link alone", async () => {
    const tabs = new Tabs()
    const context = tabs.context("mail", { action: "signin" })
    const sealed = { ...(await sealCheck(context, { role: "state", value: "hash" })), slot: await flowOf("token") }
    tabs.cookies = cookiesAfter(context, [sealed])
    for (const seconds of [1, 2, 3, 4]) await tabs.begin("all", seconds)
    expect(tabs.cookies).toHaveProperty(`${state}.${await flowOf("token")}`)
  })

  it.each([
    ["the five newest stay", "", { links: 5, flows: 3 }],
    ["three stay beside long return addresses", `?${"q".repeat(1500)}`, { links: 3, flows: 2 }],
    ["one stays beside longer ones", `?${"q".repeat(1900)}`, { links: 1, flows: 2 }],
  ])(
    "are found beside a dozen mailed links from before, of which %s",
    { tags: ["threat:CK-10"] },
    async (_, query, kept) => {
      const tabs = new Tabs()
      const links: string[] = []
      for (let index = 0; index < 12; index += 1) {
        const slot = await flowOf(`token ${index}`)
        const context = tabs.context("mail", { action: "signin", now: later(index) })
        const sealed = { ...(await sealCheck(context, { role: "state", value: "hash" })), slot }
        tabs.cookies = { ...tabs.cookies, ...cookiesAfter(context, [sealed]) }
        links.push(`${state}.${slot}`)
      }
      // By their age, in whichever order they are sent.
      tabs.cookies = Object.fromEntries(Object.entries(tabs.cookies).toReversed())
      for (const seconds of [21, 22, 23, 24, 25]) await tabs.begin("all", seconds, query)
      const names = Object.keys(tabs.cookies).filter((name) => name.startsWith(state))
      const left = links.slice(-kept.links).toReversed()
      expect(names.filter((name) => links.includes(name))).toEqual(left)
      expect(names.filter((name) => !links.includes(name))).toHaveLength(kept.flows)
    },
  )

  it("are not confused by names that only look like slots", async () => {
    const tabs = new Tabs()
    const strays = { [`${state}.short`]: "x", [`${state}.nine_char`]: "x", [`${state}X.abcdefgh`]: "x" }
    tabs.cookies = { ...strays }
    await tabs.begin("all")
    expect(tabs.cookies).toMatchObject(strays)
  })

  it("look at a dozen slots at most", { tags: ["threat:CK-10"] }, async () => {
    const tabs = new Tabs()
    for (let index = 0; index < 200; index += 1) tabs.cookies[`${state}.${String(index).padStart(8, "0")}`] = "x"
    const context = tabs.context("all", { action: "signin" })
    const { cookies } = await issueChecks(context, { returnTo: "https://app.test/" })
    expect(cookies.length).toBeLessThanOrEqual(15)
  })

  it("look at those slots that browsers send last, which are the newest", { tags: ["threat:CK-10"] }, async () => {
    const tabs = new Tabs()
    for (let index = 0; index < 100; index += 1) tabs.cookies[`${state}.${String(index).padStart(8, "0")}`] = "x"
    for (const seconds of [0, 1, 2, 3, 4]) await tabs.begin("all", seconds)
    expect(Object.values(tabs.cookies).filter((value) => value !== "x")).toHaveLength(9)
  })
})
