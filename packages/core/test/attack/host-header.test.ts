/** Requests that name a host of their own: what is refused, what the configured address decides, and what a trusted host is used for. */
import { describe, expect, it } from "vitest"
import { Passkey } from "../../src/providers/passkey.js"
import { openBrowser } from "../support/browser.js"
import { optionsOf } from "../support/passkeys.js"
import { makeWorld, type WorldOptions } from "../support/world.js"

const evil = "https://evil.test"
const fixed: WorldOptions = { env: { AUTH_URL: "https://app.test" }, config: { trustHost: true } }
/** Headers in which a proxy would name a host. */
const forwarded = {
  host: "evil.test",
  "x-forwarded-host": "evil.test",
  "x-forwarded-proto": "http",
  forwarded: "host=evil.test;proto=http",
}

describe("a host that nothing trusts", { tags: ["threat:HO-01"] }, () => {
  it.each<[string, string, Record<string, string>]>([
    ["session", "application/json", {}],
    ["providers", "application/json", {}],
    ["csrf", "application/json", {}],
    ["signin", "text/html", { accept: "text/html" }],
    ["signout", "text/html", { accept: "text/html" }],
  ])("is refused at %s as %s, without a cookie", async (action, type, headers) => {
    const world = await makeWorld({ config: { trustHost: undefined } as never, env: { NODE_ENV: "production" } })
    const visit = await openBrowser(world.auth.handle, { origin: evil }).get(`/auth/${action}`, headers)
    expect([visit.status, visit.setCookies]).toEqual([500, []])
    expect(visit.headers.get("content-type")).toContain(type)
    // Not as a link either: a page that is kept somewhere would lead everybody there.
    expect(visit.text).not.toContain("evil.test")
    expect(world.errors.map(({ name }) => name)).toEqual(["UntrustedHost"])
  })
})

describe("with a configured address, a host of somebody else", () => {
  it("appears in no address, no mail and no cookie", {
    tags: ["threat:HO-02", "threat:HO-03", "threat:HO-04", "threat:HO-19"],
  }, async () => {
    const world = await makeWorld(fixed)
    for (const origin of [evil, "http://evil.test", "https://app.test"]) {
      const browser = openBrowser(world.auth.handle, { origin })
      const { text } = await browser.get("/auth/providers", forwarded)
      expect(text).toContain('"https://app.test/auth/callback/op"')
      expect(text).not.toContain("evil.test")
      const { csrfToken } = JSON.parse((await browser.get("/auth/csrf", forwarded)).text)
      expect([...browser.jar.values()].every(({ secure }) => secure)).toBe(true)
      expect([...browser.jar.keys()]).toEqual(["__Host-authjs.csrf-token"])
      const cookie = `__Host-authjs.csrf-token=${browser.cookie("__Host-authjs.csrf-token")}`
      const body = new URLSearchParams({ csrfToken, email: "ada@app.test", callbackUrl: `${evil}/x` })
      const before = world.mails.length
      await browser.send("/auth/signin/mail", { method: "POST", headers: { ...forwarded, cookie }, body })
      expect(world.mails[before]?.url).toMatch(/^https:\/\/app\.test\/auth\/callback\/mail\?/)
      expect(world.mails[before]?.url).not.toContain("evil.test")
    }
  })

  it("is not where passkeys are made for", { tags: ["threat:HO-34"] }, async () => {
    const more = { ...fixed, config: { ...fixed.config, experimental: { enableWebAuthn: true } }, more: [Passkey()] }
    for (const trustHost of [true, false]) {
      const world = await makeWorld({ ...more, config: { ...more.config, trustHost } })
      const browser = openBrowser(world.auth.handle, { origin: evil })
      const { options } = await optionsOf(browser, { action: "register", email: "ada@app.test" })
      expect((options as { rp?: { id?: string } }).rp?.id).toBe("app.test")
    }
  })
})

describe("where every host is trusted", () => {
  it("it is used for addresses as it is, without any header", { tags: ["threat:HO-04", "threat:HO-03"] }, async () => {
    const world = await makeWorld()
    const { text } = await openBrowser(world.auth.handle, { origin: evil }).get("/auth/providers", {
      "x-forwarded-host": "other.test",
    })
    expect(text).toContain('"https://evil.test/auth/callback/op"')
    expect(text).not.toContain("other.test")
  })

  it("one request says nothing about the next, before or beside it", {
    tags: ["threat:HO-27", "threat:HO-28"],
  }, async () => {
    const world = await makeWorld()
    const at = async (host: string) => {
      const browser = openBrowser(world.auth.handle, { origin: `https://${host}` })
      const begun = new URL((await browser.post("/auth/signin/op")).location ?? "")
      const { text } = await browser.get("/auth/providers")
      const hosts = [...text.matchAll(/https:\/\/([^/]+)\/auth/g)].map(([, found]) => found)
      return new Set([...hosts, new URL(begun.searchParams.get("redirect_uri") ?? "").host])
    }
    expect(await at("evil.test")).toEqual(new Set(["evil.test"]))
    expect(await at("app.test")).toEqual(new Set(["app.test"]))
    const names = Array.from({ length: 20 }, (_, index) => `t${index % 5}.test`)
    expect(await Promise.all(names.map(at))).toEqual(names.map((name) => new Set([name])))
  })

  it("a port is part of the redirect URI and of no cookie", { tags: ["threat:HO-10"] }, async () => {
    const world = await makeWorld()
    const browser = openBrowser(world.auth.handle, { origin: "https://app.test:8443" })
    const begun = await browser.post("/auth/signin/op")
    expect(new URL(begun.location ?? "").searchParams.get("redirect_uri")).toBe(
      "https://app.test:8443/auth/callback/op",
    )
    expect(begun.headers.getSetCookie().join()).not.toMatch(/8443|domain/i)
  })

  it("a return address of the host where the flow began leads home at another", {
    tags: ["threat:HO-30"],
  }, async () => {
    const world = await makeWorld()
    const old = openBrowser(world.auth.handle, { origin: "https://old.test" })
    const begun = await old.post("/auth/signin/op", { callbackUrl: "https://old.test/inbox" })
    const next = openBrowser(world.auth.handle, { origin: "https://next.test" })
    for (const [name, { value }] of old.jar) next.setCookie(name, value)
    const kept = [...next.jar.values()].filter(({ value }) => value.includes(encodeURIComponent("https://old.test")))
    expect(kept).toHaveLength(1)
    const moved = await next.get(`/auth/callback/op${world.op.authorize(begun.location ?? "").search}`)
    expect(moved.location).toMatch(/^https:\/\/next\.test\/auth\/signin\?error=OAuthCallbackError/)
    expect((await world.signInByMail(next, "ada@app.test")).location).toBe("https://next.test/")
  })

  it("a scheme that only a header names gives no secure cookie, and a warning", {
    tags: ["threat:HO-35"],
  }, async () => {
    const world = await makeWorld()
    const browser = openBrowser(world.auth.handle, { origin: "http://app.test" })
    const visit = await browser.get("/auth/csrf", { "x-forwarded-proto": "https" })
    expect(visit.setCookies).toEqual(["authjs.csrf-token"])
    expect(visit.headers.getSetCookie().join()).not.toMatch(/secure/i)
    expect(world.warnings).toContain("forwarded-header-ignored")
  })
})
