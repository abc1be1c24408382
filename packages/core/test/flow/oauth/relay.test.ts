/** The redirect proxy: which URL the provider gets, and where the proxy forwards a callback. */
import { describe, expect, it } from "vitest"
import { issueChecks } from "../../../src/checks/oauth.js"
import { seal } from "../../../src/crypto/jwe.js"
import { openFlow } from "../../../src/methods/oauth/flow.js"
import type { AuthConfig } from "../../../src/types/config.js"
import type { Provider } from "../../../src/types/provider.js"
import { oidcAt, openDesk, refusalOf } from "../../support/oauth-desk.js"
import { openOp } from "../../support/op.js"
import { makeWorld } from "../../support/world.js"

const proxy = "https://proxy.test/auth"
const preview = "https://preview-7.app.test"
const over = { redirectProxyUrl: proxy }

async function deployments(secret = "s".repeat(32)) {
  const op = await openOp()
  const home = openDesk(oidcAt(op, over), { origin: preview })
  const relay = openDesk(oidcAt(op, over), { origin: "https://proxy.test", config: { secret } })
  return { op, home, relay }
}

/** A proxy for the provider `op`, handed a state that somebody with the shared secret made. */
async function proxyGiven(claims: Record<string, unknown>, config: Partial<AuthConfig> = {}) {
  const warnings: string[] = []
  const logger = { warn: (code: string) => void warnings.push(code), error: () => {}, debug: () => {} }
  const op = await openOp()
  const relay = openDesk(oidcAt(op, over), { origin: "https://proxy.test", config: { logger, ...config } })
  const sealing = { keyring: relay.settings.jwt.keyring, salt: "encodedState", maxAge: 900, now: relay.now }
  const state = await seal({ random: "r", ...claims }, sealing)
  const arrive = () => relay.arrive(`${proxy}/callback/op?code=c&state=${state}`)
  return { op, relay, arrive, warnings }
}

describe("a deployment behind a redirect proxy", () => {
  it("names the proxy in both requests, and adds the state check [spec provider redirectProxyUrl] [spec options redirectProxyUrl]", {
    tags: ["threat:CF2-01", "threat:CF2-07"],
  }, async () => {
    const { op, home, relay } = await deployments()
    const { url } = await home.begin()
    expect(url.searchParams.get("redirect_uri")).toBe(`${proxy}/callback/op`)
    const detour = await relay.arrive(op.authorize(url))
    expect((await home.finish(detour.goTo ?? "")).kind).toBe("proof")
    expect(op.callsOf("token")[0]?.body.get("redirect_uri")).toBe(`${proxy}/callback/op`)
    expect(home.settings.providers.get("op")).toMatchObject({ checks: ["pkce", "state"] })
  })

  it("refuses a callback without state", { tags: ["threat:CF2-01"] }, async () => {
    const { op, home, relay } = await deployments()
    const back = op.authorize((await home.begin()).url)
    back.searchParams.delete("state")
    expect((await refusalOf(relay.arrive(back))).type).toBe("InvalidCheck")
    expect((await refusalOf(home.arrive(new URL(`${back.pathname}${back.search}`, preview)))).type).toBe("InvalidCheck")
  })
})

describe("the redirect proxy", () => {
  it("redirects the browser to the deployment with all parameters, and calls no provider", {
    tags: ["threat:CF2-06"],
  }, async () => {
    const { op, home, relay } = await deployments()
    const back = op.authorize((await home.begin()).url, { extra: "a b&c=d\r\nX: y", toString: "y" } as never)
    const detour = await relay.arrive(back)
    expect(detour.kind).toBe("detour")
    const target = new URL(detour.goTo ?? "")
    expect(target.origin + target.pathname).toBe(`${preview}/auth/callback/op`)
    expect([...target.searchParams].sort()).toEqual([...back.searchParams].sort())
    back.searchParams.set("__proto__", "x")
    expect((await relay.arrive(back)).goTo).toBe(`${detour.goTo}&__proto__=x`)
    back.searchParams.set("more", "x".repeat(65_536))
    expect((await refusalOf(relay.arrive(back))).name).toBe("UnreadableRequest")
    expect(detour.goTo).toMatch(/^[\x21-\x7e]+$/)
    expect(op.callsOf("token")).toEqual([])
  })

  it("finishes a sign-in that began on the proxy itself", { tags: ["threat:CF2-05"] }, async () => {
    const { op, relay } = await deployments()
    const { url } = await relay.begin()
    expect(url.searchParams.get("redirect_uri")).toBe(`${proxy}/callback/op`)
    const back = op.authorize(url)
    expect((await relay.finish(back)).kind).toBe("proof")
    expect((await refusalOf(relay.arrive(back))).type).toBe("OAuthCallbackError")
  })

  it("does not send the browser to itself", { tags: ["threat:CF2-05"] }, async () => {
    const { relay } = await deployments()
    const context = await relay.context("/auth/signin/op", { method: "POST" })
    const deployment = "https://proxy.test/auth/callback/op"
    const { state } = await issueChecks(context, { returnTo: "https://proxy.test", deployment })
    const error = await refusalOf(relay.arrive(`${deployment}?code=c&state=${state}`))
    expect(error.type).toBe("InvalidCheck")
  })

  it("refuses a state that was sealed with another secret", { tags: ["threat:CF2-03"] }, async () => {
    const { op, home, relay } = await deployments("t".repeat(32))
    expect((await refusalOf(relay.arrive(op.authorize((await home.begin()).url)))).type).toBe("InvalidCheck")
  })

  it("does not redirect to an address that is too long", { tags: ["threat:CF2-06"] }, async () => {
    const { op, home, relay } = await deployments()
    const back = op.authorize((await home.begin()).url, { extra: "x".repeat(17_000) })
    expect((await refusalOf(relay.arrive(back))).message).toContain("too long")
  })

  it.each([
    "javascript:alert(1)",
    "ftp://home.test/",
    "https://user:pw@home.test/auth/callback/op",
    "//home.test",
    "home",
    "",
    "data:text/html,x",
  ])(
    "does not send a code to %j, even when it is sealed",
    { tags: ["threat:CF2-02", "threat:A-021"] },
    async (deployment) => {
      const { op, relay } = await deployments()
      const context = await relay.context("/auth/signin/op", { method: "POST" })
      const { state } = await issueChecks(context, { returnTo: "https://proxy.test", deployment })
      const error = await refusalOf(relay.arrive(`https://proxy.test/auth/callback/op?code=c&state=${state}`))
      expect(error.type).toMatch(/^(OAuthCallbackError|InvalidCheck)$/)
      expect(op.callsOf("token")).toEqual([])
    },
  )

  it.each([["http://preview-7.app.test"], ["https://preview-8.app.test"]])(
    "leaves code and state out of the address that a browser is sent to instead, for %s",
    { tags: ["threat:CF2-02"] },
    async (origin) => {
      const config = { redirectProxyUrl: proxy, redirectProxyOrigins: [preview] }
      const env = { NODE_ENV: "test" }
      const home = await makeWorld({ origin, config, env })
      const relay = await makeWorld({ origin: "https://proxy.test", config, env })
      const begun = await home.browser().post("/auth/signin/op")
      const back = home.op.authorize(begun.location ?? "")
      expect(back.origin).toBe("https://proxy.test")
      const { location = "" } = await relay.browser().get(back.href)
      expect(location).toMatch(/^https:\/\/proxy\.test\/auth\/signin\?error=OAuthCallbackError&incident=\w+$/)
      expect([...home.op.callsOf("token"), ...relay.op.callsOf("token")]).toEqual([])
    },
  )

  it("drops query and fragment of the sealed address", async () => {
    const { relay } = await deployments()
    const context = await relay.context("/auth/signin/op", { method: "POST" })
    const deployment = `${preview}/auth/callback/op?code=other#x`
    const { state } = await issueChecks(context, { returnTo: "https://proxy.test", deployment })
    const { goTo } = await relay.arrive(`https://proxy.test/auth/callback/op?code=c&state=${state}`)
    expect(new URL(goTo ?? "").searchParams.getAll("code")).toEqual(["c"])
  })
})

describe("a callback of one provider with the state of a flow of another", () => {
  it("is not forwarded: the code would be sent to another provider", { tags: ["threat:A-003"] }, async () => {
    const honest = await openOp()
    const hostile = await openOp({ issuer: "https://hostile.test" })
    const provider = { ...oidcAt(hostile, over), id: "hostile" } as Provider
    const attacker = openDesk(provider, { origin: preview })
    const { url } = await attacker.begin()
    const relay = openDesk(oidcAt(honest, over), { origin: "https://proxy.test" })
    const state = url.searchParams.get("state") ?? ""
    const error = await refusalOf(relay.arrive(`${proxy}/callback/op?code=honest-code&state=${state}`))
    expect(error.type).toBe("InvalidCheck")
    expect(error.message).toContain('"hostile"')
    expect(honest.callsOf("token")).toEqual([])
  })

  it.each([
    ["the provider is named but not the path", { origin: `${preview}/auth/callback/other`, provider: "op" }],
    ["the path is named but not the provider", { origin: `${preview}/auth/callback/op`, provider: "other" }],
    ["Auth.js made it", { origin: `${preview}/auth/callback/other` }],
    ["the path only ends alike", { origin: `${preview}/auth/callback/shop` }],
    ["the path leads elsewhere", { origin: `${preview}/collect` }],
    ["the provider is not a string", { origin: `${preview}/auth/callback/op`, provider: ["op"] }],
  ])("is not forwarded when %s", { tags: ["threat:A-003"] }, async (_, claims) => {
    const { arrive } = await proxyGiven(claims)
    expect((await refusalOf(arrive())).type).toBe("InvalidCheck")
  })

  it.each(["/auth/callback/op", "/api/auth/callback/op", "/callback/op"])(
    "a state of Auth.js that contains %s is forwarded",
    async (path) => {
      const { arrive } = await proxyGiven({ origin: preview + path })
      const { goTo = "" } = await arrive()
      expect(new URL(goTo).pathname).toBe(path)
    },
  )
})

describe("a sign-in through the redirect proxy", () => {
  it("ends at the deployment where it began, and at no other with the same secret", async () => {
    const { op, home, relay } = await deployments()
    const other = openDesk(oidcAt(op, over), { origin: "https://preview-8.app.test" })
    const { goTo = "" } = await relay.arrive(op.authorize((await home.begin()).url))
    for (const [name, value] of home.cookies) other.cookies.set(name, value)
    const { pathname, search } = new URL(goTo)
    const error = await refusalOf(other.finish(pathname + search))
    expect(error.type).toBe("InvalidCheck")
    expect(error.message).toContain(preview)
    expect(op.callsOf("token")).toEqual([])
    expect((await home.finish(goTo)).kind).toBe("proof")
  })
})

describe("the deployments that a redirect proxy forwards callbacks to", () => {
  const at = (origin: string) => ({ origin: `${origin}/auth/callback/op`, provider: "op" })

  it.each([
    ["https://preview-7.app.test", undefined, true],
    ["http://localhost:3000", undefined, true],
    ["http://127.0.0.1:3000", undefined, true],
    ["http://[::1]:3000", undefined, true],
    ["http://preview-7.app.test", undefined, false],
    ["http://10.0.0.7", undefined, false],
    ["https://a.app.test", ["https://a.app.test"], true],
    ["https://b.app.test", ["https://a.app.test", "https://b.app.test/"], true],
    ["https://evil.test", ["https://a.app.test"], false],
    ["https://a.app.test:8443", ["https://a.app.test"], false],
    ["http://a.app.test", ["https://a.app.test"], false],
    ["http://a.app.test", ["http://a.app.test"], true],
    ["http://localhost:3000", ["https://a.app.test"], false],
    ["https://pr-1.app.test", ["https://*.app.test"], true],
    ["https://app.test", ["https://*.app.test"], false],
    ["https://a.b.app.test", ["https://*.app.test"], false],
    ["https://evilapp.test", ["https://*.app.test"], false],
    ["https://x.app.test.evil.test", ["https://*.app.test"], false],
    ["https://pr-1.app.test:8443", ["https://*.app.test:8443"], true],
    ["https://evil.test", [], false],
  ])(
    "%s with redirectProxyOrigins %j: %s",
    { tags: ["threat:CF2-04"] },
    async (origin, redirectProxyOrigins, isSent) => {
      const config = redirectProxyOrigins ? { redirectProxyOrigins } : {}
      const { arrive, op } = await proxyGiven(at(origin), config)
      if (isSent) expect(new URL((await arrive()).goTo ?? "").origin).toBe(origin)
      else expect((await refusalOf(arrive())).type).toBe("OAuthCallbackError")
      expect(op.callsOf("token")).toEqual([])
    },
  )

  it("without a list the log warns once, with a list never", { tags: ["threat:CF2-04"] }, async () => {
    const open = await proxyGiven(at(preview))
    await open.arrive()
    await open.arrive()
    expect(open.warnings).toEqual(["redirect-proxy-origins"])
    const listed = await proxyGiven(at(preview), { redirectProxyOrigins: [preview] })
    await listed.arrive()
    expect(listed.warnings).toEqual([])
  })
})

describe("a provider that posts a form", () => {
  it("does not use the redirect proxy", async () => {
    const op = await openOp()
    const authorization = { params: { response_mode: "form_post" } }
    const home = openDesk(oidcAt(op, { ...over, authorization }), { origin: preview })
    const { url } = await home.begin()
    expect(url.searchParams.get("redirect_uri")).toBe(`${preview}/auth/callback/op`)
    expect((await home.finish(op.authorize(url), true)).kind).toBe("proof")
  })
})

describe("the redirect_uri", () => {
  it("depends on the base path and the trusted origin only", { tags: ["threat:B9-17", "threat:A-005"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op), { config: { basePath: "/api/auth" } })
    const context = await desk.context("/api/auth/signin/op?callbackUrl=https://evil.test", {
      method: "POST",
      headers: { "x-forwarded-host": "evil.test", referer: "https://evil.test/" },
    })
    expect((await openFlow(context as never)).redirectUri).toBe("https://app.test/api/auth/callback/op")
  })
})
