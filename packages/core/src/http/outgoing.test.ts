import { describe, expect, it, vi } from "vitest"
import { contextOf, post, settingsOf } from "../../test/support/facts.js"
import type { Context } from "../context/context.js"
import { html } from "../std/html.js"
import type { Cookie } from "../types/config.js"
import { addOlderCookies, mayFollow, toInternal, toResponse, toServerResponse } from "./outgoing.js"
import { empty, json, page, type Refusal, redirect, withCookies, withHeaders } from "./result.js"

const browser = (): Promise<Context> => contextOf("https://app.test/auth/session")
const script = (): Promise<Context> =>
  contextOf(post("https://app.test/auth/signin", {}, { "x-auth-return-redirect": "1" }))
const document = {
  html: html`<!doctype html><p>${"<x>"}</p>`,
  scriptHashes: ["sha256-a="],
  styleHashes: ["sha256-b="],
  imageSources: ["https://img.test"],
  lang: "en",
}
const refusal: Refusal = { status: 403, error: "AccessDenied", message: "No.", incident: "abcdefghijkl", code: "c" }

describe("toResponse", () => {
  it("writes JSON", async () => {
    const response = toResponse(json({ a: 1 }), await browser())
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(await response.json()).toEqual({ a: 1 })
    expect(await toResponse(json(null), await browser()).text()).toBe("null")
    expect(await toResponse(json(undefined, { status: 400 }), await browser()).text()).toBe("null")
  })

  it("writes pages with a strict policy", {
    tags: [
      "threat:HT-36",
      "threat:HT-15",
      "threat:HT-17",
      "threat:HT-20",
      "threat:V3-10",
      "threat:V3-13",
      "threat:HD-08",
    ],
  }, async () => {
    const response = toResponse(page(document, { status: 403 }), await browser())
    expect(response.status).toBe(403)
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(await response.text()).toBe("<!doctype html><p>&lt;x&gt;</p>")
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'sha256-a='; style-src 'sha256-b='; img-src https://img.test; connect-src 'self'; form-action 'self' https:; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(response.headers.get("x-frame-options")).toBe("DENY")
  })

  it("allows a page without scripts and images none", { tags: ["threat:HT-35", "threat:HT-36"] }, async () => {
    const plain = page({ html: html``, scriptHashes: [], styleHashes: [], imageSources: [], lang: "en" })
    const policy = toResponse(plain, await browser()).headers.get("content-security-policy")
    expect(policy).toBe("default-src 'none'; form-action 'self' https:; base-uri 'none'; frame-ancestors 'none'")
  })

  it("allows forms to lead to providers over plain http only where that is allowed", {
    tags: ["threat:HT-17"],
  }, async () => {
    const policyOf = (context: Context): string | null =>
      toResponse(page(document), context).headers.get("content-security-policy")
    expect(policyOf(await contextOf("http://localhost:3000/auth/signin"))).toContain("form-action 'self' https: http:;")
    const insecure = {
      id: "x",
      name: "X",
      type: "oauth",
      allowInsecureRequests: true,
      authorization: "http://op:80/a",
      token: "http://op/t",
      userinfo: "http://op/u",
    } as const
    const settings = settingsOf({ providers: [insecure] })
    expect(policyOf(await contextOf("https://app.test/auth/signin", { settings }))).toContain(
      "form-action 'self' https: http:;",
    )
  })

  it.each([
    ["JSON", json({})],
    ["a page", page(document)],
    ["a redirect", redirect("/x")],
    ["nothing", empty(404)],
    ["an error", json({ error: "x" }, { status: 500 })],
  ])(
    "keeps %s out of caches, sniffers and foreign referrers",
    { tags: ["threat:HD-01", "threat:HD-02", "threat:HD-05", "threat:V3-11", "threat:V3-12", "threat:HT-37"] },
    async (_kind, result) => {
      for (const context of [await browser(), await script()]) {
        const { headers } = toResponse(result, context)
        expect(headers.get("cache-control")).toBe("private, no-cache, no-store")
        expect(headers.get("pragma")).toBe("no-cache")
        expect(headers.get("expires")).toBe("0")
        expect(headers.get("x-content-type-options")).toBe("nosniff")
        expect(headers.get("referrer-policy")).toBe("same-origin")
        expect(headers.get("vary")).toBe("Cookie")
        expect([...headers.keys()].filter((name) => name.startsWith("access-control-") || name === "server")).toEqual(
          [],
        )
      }
      expect(toResponse(json({}), await browser()).headers.get("cross-origin-resource-policy")).toBe("same-origin")
    },
  )

  it.each([
    ["/x?y#z", "https://app.test/x?y#z"],
    ["https://app.test", "https://app.test"],
    ["/", "https://app.test/"],
    ["https://op.test/authorize?a=b c", "https://op.test/authorize?a=b%20c"],
    ["https://app.test/\u2603", "https://app.test/%E2%98%83"],
    ["/x\r\nSet-Cookie: a=b", "https://app.test/xSet-Cookie:%20a=b"],
    ["javascript:alert(1)", "https://app.test"],
    ["JaVaScRiPt:alert(1)", "https://app.test"],
    ["data:text/html,x", "https://app.test"],
    ["vbscript:x", "https://app.test"],
    ["blob:https://app.test/x", "https://app.test"],
    ["file:///etc/hosts", "https://app.test"],
    ["about:blank", "https://app.test"],
    ["http://[", "https://app.test"],
    ["myapp://cb", "myapp://cb"],
  ])(
    "redirects the browser from %j to %s, without a body",
    { tags: ["threat:HD-09", "threat:HT-38", "threat:HT-39", "threat:RD-121"] },
    async (location, expected) => {
      const response = toResponse(redirect(location, { refusal }), await browser())
      expect([response.status, response.headers.get("location")]).toEqual([302, expected])
      expect([...response.headers].flatMap(([name, value]) => (name === "location" ? [value] : []))).toEqual([
        expect.stringMatching(/^[\x21-\x7e]+$/),
      ])
      expect(await response.text()).toBe("")
    },
  )

  it("returns the URL to a script instead of redirecting it", { tags: ["threat:CT-26", "threat:CT-27"] }, async () => {
    const response = toResponse(redirect("/x", { cookies: [{ role: "callbackUrl", value: "v" }] }), await script())
    expect(response.status).toBe(200)
    expect(response.headers.get("location")).toBe("https://app.test/x")
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.getSetCookie()).toHaveLength(1)
    expect(await response.json()).toEqual({ url: "https://app.test/x" })
    expect(await toResponse(redirect("javascript:alert(1)"), await script()).json()).toEqual({
      url: "https://app.test",
    })
  })

  it("returns a refusal to a script with its own status", async () => {
    const response = toResponse(redirect("/auth/error?error=AccessDenied", { refusal }), await script())
    expect(response.status).toBe(403)
    expect(response.headers.get("location")).toBeNull()
    expect(await response.json()).toEqual({
      error: "AccessDenied",
      message: "No.",
      incident: "abcdefghijkl",
      code: "c",
      url: "https://app.test/auth/error?error=AccessDenied",
    })
  })

  it("answers HEAD without a body, otherwise alike", { tags: ["threat:CT-21"] }, async () => {
    const head = await contextOf(new Request("https://app.test/auth/session", { method: "HEAD" }))
    const response = toResponse(json({ a: 1 }, { headers: { "X-A": "1" } }), head)
    expect(await response.text()).toBe("")
    expect([response.status, response.headers.get("content-type"), response.headers.get("x-a")]).toEqual([
      200,
      "application/json",
      "1",
    ])
  })

  it("writes one header for each cookie", { tags: ["threat:CK-30"] }, async () => {
    const result = withCookies(json(null, { cookies: [{ role: "csrfToken", value: "a,b" }] }), [
      { role: "callbackUrl", value: "https://app.test/x" },
    ])
    expect(toResponse(result, await browser()).headers.getSetCookie()).toEqual([
      "__Host-authjs.csrf-token=a%2Cb; Path=/; HttpOnly; Secure; SameSite=Lax",
      "__Secure-authjs.callback-url=https%3A%2F%2Fapp.test%2Fx; Path=/; HttpOnly; Secure; SameSite=Lax",
    ])
    expect(toResponse(json(null), await browser()).headers.getSetCookie()).toEqual([])
  })

  it("lets a result add and replace headers", async () => {
    const { headers } = toResponse(
      withHeaders(empty(405, { headers: { Allow: "GET" } }), { "Cache-Control": "no-store" }),
      await browser(),
    )
    expect([headers.get("allow"), headers.get("cache-control"), headers.get("content-type")]).toEqual([
      "GET",
      "no-store",
      null,
    ])
  })

  it("turns an answer that cannot be written into an error, without half of its cookies", {
    tags: ["threat:CK-23"],
  }, async () => {
    const error = vi.fn()
    const context = await contextOf("https://app.test/auth/session", { config: { logger: { error } } })
    const response = toResponse(
      json(
        { user: 1 },
        {
          cookies: [
            { role: "csrfToken", value: "a" },
            { role: "sessionToken", value: "x".repeat(50_000) },
          ],
        },
      ),
      context,
    )
    expect(response.status).toBe(500)
    expect(response.headers.getSetCookie()).toEqual([])
    const body = (await response.json()) as { incident: string }
    expect(body).toMatchObject({ error: "Configuration", incident: context.incident() })
    expect(response.headers.get("x-auth-incident")).toBe(body.incident)
    expect(error).toHaveBeenCalledOnce()
  })
})

describe("toServerResponse", () => {
  it("returns what a response would hold, with its cookies beside the headers", async () => {
    const result = json({ a: 1 }, { cookies: [{ role: "csrfToken", value: "a" }], headers: { "X-A": "1" } })
    const { status, headers, cookies, body } = toServerResponse(result, await browser())
    expect([status, body, cookies]).toEqual([
      200,
      '{"a":1}',
      ["__Host-authjs.csrf-token=a; Path=/; HttpOnly; Secure; SameSite=Lax"],
    ])
    expect(headers).toMatchObject({ "X-A": "1" })
  })
})

it.each([
  ["/x", true],
  ["https://op.test/x", true],
  ["myapp://cb", true],
  ["javascript:alert(1)", false],
  ["http://[", false],
])("mayFollow says of %j: %j", (location, expected) => {
  expect(mayFollow(location, "https://app.test")).toBe(expected)
})

describe("toInternal", () => {
  it("returns the same result as plain values, also for a script", async () => {
    for (const context of [await browser(), await script()]) {
      const answer = toInternal(redirect("/x", { cookies: [{ role: "csrfToken", value: "a" }] }), context)
      expect(answer).toMatchObject({
        status: 302,
        redirect: "https://app.test/x",
        cookies: [
          { name: "__Host-authjs.csrf-token", value: "a", options: { httpOnly: true, secure: true, path: "/" } },
        ],
      })
    }
    const answer = toInternal(json({ a: 1 }, { headers: { "X-A": "1" } }), await browser())
    expect(answer).toMatchObject({ status: 200, body: { a: 1 }, cookies: [] })
    expect(new Headers(answer.headers).get("content-type")).toBe("application/json")
    expect(new Headers(answer.headers).get("x-a")).toBe("1")
    expect(toInternal(page(document), await browser()).body).toBe("<!doctype html><p>&lt;x&gt;</p>")
    expect("body" in toInternal(empty(404), await browser())).toBe(false)
  })
})

describe("addOlderCookies", () => {
  const older = (...names: readonly string[]): Cookie[] =>
    names.map((name) => ({ name, value: "old", options: { path: "/" } }))
  /** The `Set-Cookie` fields afterwards of a response that has set `said` itself. */
  const beside = (said: readonly string[], cookies: readonly Cookie[]): readonly string[] => {
    const headers = new Headers(said.map((line) => ["Set-Cookie", line] as [string, string]))
    addOlderCookies(headers, cookies)
    return headers.getSetCookie()
  }

  it("adds them beside others", () => {
    expect(beside([], older("s"))).toEqual(["s=old; Path=/"])
    expect(beside(["theme=dark"], older("s", "s.0"))).toEqual(["theme=dark", "s=old; Path=/", "s.0=old; Path=/"])
  })

  it.each([
    ["the same cookie", "s=new", ["s"]],
    ["its clearing", "s=; Max-Age=0; Path=/", ["s"]],
    ["one without a value", "s", ["s"]],
    ["one with blanks around its name", " \ts \t=new", ["s"]],
    ["a part that is no longer set", "s.7=; Max-Age=0", ["s.0", "s.1"]],
    ["a part where the older one was whole", "s.0=new", ["s"]],
    ["the whole where the older one had parts", "s=new", ["s", "s.0", "s.1"]],
  ])("adds no part where the response has %s", { tags: ["threat:RC-12", "threat:CK-31"] }, (_what, line, names) => {
    expect(beside([line], older(...names, "other"))).toEqual([line.trim(), "other=old; Path=/"])
  })

  it("keeps the clearing of the host's cookie and the one for the domain together", { tags: ["threat:CK-31"] }, () => {
    const cleared = { name: "s", value: "", options: { maxAge: 0 } }
    const ofDomain = { name: "s", value: "old", options: { domain: "app.test" } }
    expect(beside([], [cleared, ofDomain])).toEqual(["s=; Max-Age=0", "s=old; Domain=app.test"])
    for (const line of ["s=; Max-Age=0", "s=new; Domain=app.test", "s=new"])
      expect(beside([line], [cleared, ofDomain])).toEqual([line])
  })

  it.each(["S", "s.", "s.x", "s.00", "s.12345", "s.0.0", "ss", "=s"])(
    "does not take %j for a part of it",
    { tags: ["threat:CK-15"] },
    (name) => {
      expect(beside([`${name}=1`], older("s"))).toContain("s=old; Path=/")
    },
  )
})
