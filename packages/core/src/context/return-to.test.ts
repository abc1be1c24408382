import { describe, expect, it, vi } from "vitest"
import { contextOf, post } from "../../test/support/facts.js"
import { home, redirectCorpus } from "../../test/support/redirect-corpus.js"
import type { AuthConfig } from "../types/config.js"
import { resolveReturnTo, returnToCookie } from "./return-to.js"

const page = "https://app.test/auth/signin"
const cookieName = "__Secure-authjs.callback-url"
type Redirect = NonNullable<NonNullable<AuthConfig["callbacks"]>["redirect"]>
const withRedirect = (redirect: Redirect): { config: Partial<AuthConfig> } => ({ config: { callbacks: { redirect } } })
const asJson = (value: unknown): Request =>
  new Request(page, {
    method: "POST",
    body: JSON.stringify({ callbackUrl: value }),
    headers: { "content-type": "application/json" },
  })
const asQuery = (text: string): string => `${page}?${new URLSearchParams({ callbackUrl: text })}`
/** As a browser would send it; lone surrogates cannot be written in a form. */
const asCookie = (text: string): Request =>
  new Request(page, { headers: { cookie: `${cookieName}=${encodeURIComponent(text.replaceAll("\ud800", "\ufffd"))}` } })

/** What an application may lead to although nobody else may. */
const trusted: Readonly<Record<string, string>> = {
  "RD-001": "https://evil.test/",
  "RD-002": "http://evil.test/",
  "RD-026": "https://evil.test/",
  "RD-029": "https://evil.test/",
  "RD-030": "http://evil.test/",
  "RD-036": "https://app.test.evil.test/",
  "RD-037": "https://evilapp.test/",
  "RD-041": "https://evil.test/#@app.test/",
  "RD-042": "https://evil.test/?@app.test/",
  "RD-045": "https://app.test:8443/",
  "RD-047": "http://app.test/x",
  "RD-049": "https://app.test./x",
  "RD-052": "https://xn--pp-zia.test/",
  "RD-053": "https://evil.test/",
  "RD-054": "https://[::1]/",
  "RD-055": "https://127.0.0.1/",
  "RD-056": "https://127.0.0.1/",
  "RD-059": "https://xn--pp-6kc.test/",
}

describe("resolveReturnTo: the corpus", () => {
  it.each(redirectCorpus)(
    "%s leads where its row says, wherever it stood [spec authentication 11]",
    { tags: ["threat:RD-120"] },
    async (_id, text, expected) => {
      expect(await resolveReturnTo(await contextOf(asJson(text)))).toBe(expected)
      expect(await resolveReturnTo(await contextOf(asQuery(text)))).toBe(expected)
      expect(await resolveReturnTo(await contextOf(asCookie(text)))).toBe(expected)
      expect(await resolveReturnTo(await contextOf(page), text)).toBe(expected)
    },
  )

  it.each(redirectCorpus)(
    "%s as the answer of a callback leads there if it is an address with http(s), and else home",
    { tags: ["threat:RD-121"] },
    async (id, text, expected) => {
      const answer = await resolveReturnTo(
        await contextOf(
          asQuery("/x"),
          withRedirect(() => text),
        ),
      )
      expect(answer).toBe(trusted[id] ?? expected)
    },
  )

  it.each([
    ["as sent", `/x/${"a/../".repeat(500)}`],
    ["once its characters are escaped", `/${"ä".repeat(400)}`],
  ])("refuses what is too long %s", { tags: ["threat:AL-21"] }, async (_when, text) => {
    expect(await resolveReturnTo(await contextOf(asQuery(text)))).toBe(home)
    const redirect = vi.fn<Redirect>(() => text)
    expect(await resolveReturnTo(await contextOf(asQuery(text), withRedirect(redirect)))).toBe(home)
    expect(redirect.mock.calls[0]?.[0]).toEqual({ url: home, baseUrl: home })
  })

  it("accepts 2,048 characters, as sent and once resolved", { tags: ["threat:AL-21"] }, async () => {
    const within = `/${"a".repeat(2047 - home.length)}`
    expect(await resolveReturnTo(await contextOf(asQuery(within)))).toBe(`${home}${within}`)
    expect(await resolveReturnTo(await contextOf(asQuery(`${within}a`)))).toBe(home)
    const shorter = `${"/a/..".repeat(400)}/${"a".repeat(47)}`
    expect(shorter).toHaveLength(2048)
    expect(await resolveReturnTo(await contextOf(asQuery(shorter)))).toBe(`${home}/${"a".repeat(47)}`)
  })

  it("accepts an address with http where the application is served with it", async () => {
    const request = "http://localhost:3000/auth/signin?callbackUrl=http%3A%2F%2Flocalhost%3A3000%2Fx"
    expect(await resolveReturnTo(await contextOf(request))).toBe("http://localhost:3000/x")
  })

  it("covers every kind", () => {
    expect(new Set(redirectCorpus.map(([id]) => id)).size).toBe(115)
    expect(redirectCorpus.filter(([, , expected]) => expected !== home).length).toBeGreaterThan(20)
  })
})

describe("resolveReturnTo: where the address comes from", () => {
  it("prefers the given one, then the form, the query, the cookie, the origin", {
    tags: ["threat:RD-119"],
  }, async () => {
    const cookie = `${cookieName}=${encodeURIComponent("https://app.test/cookie")}`
    const all = (): Request => post(asQuery("/query"), { callbackUrl: "/form" }, { cookie })
    expect(await resolveReturnTo(await contextOf(all()), "/given")).toBe("https://app.test/given")
    expect(await resolveReturnTo(await contextOf(all()))).toBe("https://app.test/form")
    expect(await resolveReturnTo(await contextOf(post(asQuery("/query"), {}, { cookie })))).toBe(
      "https://app.test/query",
    )
    expect(await resolveReturnTo(await contextOf(post(page, { callbackUrl: "" }, { cookie })))).toBe(
      "https://app.test/cookie",
    )
    expect(await resolveReturnTo(await contextOf(page))).toBe(home)
    const visit = (at: string): Request => new Request(at, { headers: { cookie } })
    expect(await resolveReturnTo(await contextOf(visit(asQuery("/query"))))).toBe("https://app.test/query")
    expect(await resolveReturnTo(await contextOf(visit(asQuery(""))))).toBe("https://app.test/cookie")
  })

  it("falls back on nothing when what it prefers is refused", { tags: ["threat:RD-119"] }, async () => {
    const both = (form: string, query: string): Request => post(asQuery(query), { callbackUrl: form })
    expect(await resolveReturnTo(await contextOf(both("//evil.test", "/query")))).toBe(home)
    expect(await resolveReturnTo(await contextOf(both("/form", "//evil.test")))).toBe("https://app.test/form")
  })

  it.each([
    [["/x", "//evil.test"], "RD-116"],
    [{ href: "//evil.test" }, "RD-117"],
    [1, "RD-117"],
    [null, "RD-117"],
    [true, "RD-117"],
  ])("ignores %j [%s]", async (value, _row) => {
    const context = await contextOf(asJson(value))
    expect(await resolveReturnTo(context)).toBe(home)
    expect(returnToCookie(context, home)).toEqual([])
    const beside = new Request(asQuery("/query"), asJson(value))
    expect(await resolveReturnTo(await contextOf(beside))).toBe("https://app.test/query")
  })

  it("checks the member of a repeated parameter that it uses", {
    tags: ["threat:RD-118", "threat:CT-16"],
  }, async () => {
    expect(await resolveReturnTo(await contextOf(`${page}?callbackUrl=/a&callbackUrl=//evil.test`))).toBe(home)
    expect(await resolveReturnTo(await contextOf(`${page}?callbackUrl=//evil.test&callbackUrl=/a`))).toBe(
      "https://app.test/a",
    )
    for (const [first, last, expected] of [
      ["/a", "//evil.test", home],
      ["//evil.test", "/a", "https://app.test/a"],
    ] as const) {
      const pairs = new URLSearchParams([
        ["callbackUrl", first],
        ["callbackUrl", last],
      ])
      const parts = new FormData()
      for (const [name, value] of pairs) parts.append(name, value)
      const json = `{"callbackUrl":"${first}","callbackUrl":"${last}"}`
      const headers = { "content-type": "application/json" }
      for (const request of [
        new Request(page, { method: "POST", body: pairs }),
        new Request(page, { method: "POST", body: parts }),
        new Request(page, { method: "POST", body: json, headers }),
      ])
        expect(await resolveReturnTo(await contextOf(request))).toBe(expected)
    }
  })

  it("compares with the configured origin, whatever the host", { tags: ["threat:HO-30", "threat:A-005"] }, async () => {
    const { settingsOf } = await import("../../test/support/facts.js")
    const settings = settingsOf({}, { AUTH_URL: "https://app.test" })
    const at = "https://evil.test/auth/signin?callbackUrl="
    expect(await resolveReturnTo(await contextOf(`${at}https://evil.test/x`, { settings }))).toBe(home)
    expect(await resolveReturnTo(await contextOf(`${at}/x`, { settings }))).toBe("https://app.test/x")
  })
})

describe("resolveReturnTo: the redirect callback", () => {
  it("is asked with what the client sent and the origin [spec callback redirect]", async () => {
    const redirect = vi.fn<Redirect>(({ baseUrl }) => `${baseUrl}/welcome`)
    expect(await resolveReturnTo(await contextOf(asQuery("https://partner.test/x"), withRedirect(redirect)))).toBe(
      "https://app.test/welcome",
    )
    expect(redirect.mock.calls.map(([question]) => question)).toEqual([
      { url: "https://partner.test/x", baseUrl: "https://app.test" },
    ])
  })

  it("is given the request as well", async () => {
    const redirect = vi.fn<Redirect>(({ url }, _details) => url)
    await resolveReturnTo(await contextOf(asQuery("/x"), withRedirect(redirect)))
    expect(String(redirect.mock.calls[0]?.[1]?.request.url)).toBe(asQuery("/x"))
  })

  it("is asked about the origin in place of what does not pass the gate, and when nobody asked for anything [spec callback redirect]", async () => {
    const redirect = vi.fn<Redirect>(({ url }) => url)
    for (const text of [
      "//evil.test",
      "javascript:alert(1)",
      "https://u@app.test/",
      "/\\evil.test",
      `/${"a".repeat(2048)}`,
    ]) {
      expect(await resolveReturnTo(await contextOf(asQuery(text), withRedirect(redirect)))).toBe(home)
    }
    expect(await resolveReturnTo(await contextOf(page, withRedirect(redirect)))).toBe(home)
    expect(redirect.mock.calls.map(([question]) => question)).toEqual(Array(6).fill({ url: home, baseUrl: home }))
  })

  it("decides about the default address too", async () => {
    const redirect: Redirect = ({ url, baseUrl }) => (url === baseUrl ? "/dashboard" : url)
    expect(await resolveReturnTo(await contextOf(page, withRedirect(redirect)))).toBe("https://app.test/dashboard")
    expect(await resolveReturnTo(await contextOf(asQuery("//evil.test"), withRedirect(redirect)))).toBe(
      "https://app.test/dashboard",
    )
  })

  it("may allow another origin", async () => {
    const context = await contextOf(
      asQuery("https://partner.test/a?b"),
      withRedirect(({ url }) => url),
    )
    expect(await resolveReturnTo(context)).toBe("https://partner.test/a?b")
  })

  it("may allow any path of another origin", async () => {
    const context = await contextOf(
      asQuery("https://partner.test//a"),
      withRedirect(({ url }) => url),
    )
    expect(await resolveReturnTo(context)).toBe("https://partner.test//a")
  })

  it.each([
    ["a path", "/dashboard", "https://app.test/dashboard"],
    ["a URL object", new URL("https://app.test/x"), "https://app.test/x"],
    ["nothing", undefined, home],
    ["a number", 1, home],
    ["a relative text", "x", home],
    ["a script", "javascript:alert(1)", home],
    ["another scheme", "myapp://cb", home],
    ["a line break", "/x\r\nSet-Cookie: a=b", home],
    ["its base", "https://app.test", home],
  ])("may answer with %s", { tags: ["threat:CF2-14"] }, async (_kind, answer, expected) => {
    expect(
      await resolveReturnTo(
        await contextOf(
          asQuery("/x"),
          withRedirect(() => answer as string),
        ),
      ),
    ).toBe(expected)
  })

  it("sends home and logs when it fails", { tags: ["threat:CF2-13", "threat:CF2-14"] }, async () => {
    const error = vi.fn()
    const redirect = (): never => {
      throw "no error"
    }
    const context = await contextOf(asQuery("/x"), { config: { callbacks: { redirect }, logger: { error } } })
    expect(await resolveReturnTo(context)).toBe(home)
    expect(error.mock.calls[0]?.[0]).toMatchObject({ type: "CallbackRouteError", incident: context.incident() })
  })
})

describe("returnToCookie", () => {
  it.each([
    ["given by the query", asQuery("/x"), "https://app.test/x", 1],
    ["given by the form", post(page, { callbackUrl: "/x" }), "https://app.test/x", 1],
    ["refused", asQuery("//evil.test"), home, 1],
    ["not given", page, home, 0],
    [
      "given and kept already",
      post(asQuery("/x"), {}, { cookie: `${cookieName}=https%3A%2F%2Fapp.test%2Fx` }),
      "https://app.test/x",
      0,
    ],
    [
      "given while another is kept",
      post(asQuery("/x"), {}, { cookie: `${cookieName}=https%3A%2F%2Fapp.test%2Fy` }),
      "https://app.test/x",
      1,
    ],
    ["only kept", asCookie("https://app.test/y"), "https://app.test/y", 0],
  ])("keeps an address that is %s: %4$s cookie", async (_how, request, returnTo, count) => {
    const context = await contextOf(request as string)
    expect(await resolveReturnTo(context)).toBe(returnTo)
    expect(returnToCookie(context, returnTo)).toEqual(count ? [{ role: "callbackUrl", value: returnTo }] : [])
  })
})
