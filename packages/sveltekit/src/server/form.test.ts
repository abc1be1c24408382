import { UnreadableRequest } from "@latchkey/core/errors"
import { describe, expect, it } from "vitest"
import { stage } from "../../test/support/application.js"
import { fromPage, readForm, returnAddress } from "./form.js"

const page = "https://app.test/app/signin"
const posting = (form: BodyInit | null, init: RequestInit = {}): Request =>
  new Request(page, { method: "POST", body: form, ...init })
const formOf = (fields: [string, string][]): URLSearchParams => new URLSearchParams(fields)

describe("readForm", () => {
  it("sorts the fields of a sign-in", async () => {
    const form = formOf([
      ["providerId", "git"],
      ["redirectTo", "/in"],
      ["redirect", "false"],
      ["authorizationParams-prompt", "login"],
      ["email", "a@app.test"],
      ["csrfToken", "t"],
    ])
    expect(await readForm(stage(posting(form)).event)).toEqual({
      provider: "git",
      redirectTo: "/in",
      redirect: false,
      params: { prompt: "login" },
      fields: { email: "a@app.test", csrfToken: "t" },
    })
  })

  it.each([
    [[], undefined, undefined, true],
    [[["providerId", ""]], undefined, undefined, true],
    [[["callbackUrl", "/old"]], undefined, "/old", true],
    [
      [
        ["callbackUrl", "/old"],
        ["redirectTo", "/new"],
      ],
      undefined,
      "/new",
      true,
    ],
    [[["redirect", "true"]], undefined, undefined, true],
    [[["redirect", ""]], undefined, undefined, true],
  ] as [[string, string][], string | undefined, string | undefined, boolean][])(
    "reads %j",
    async (fields, provider, redirectTo, redirect) => {
      expect(await readForm(stage(posting(formOf(fields))).event)).toMatchObject({ provider, redirectTo, redirect })
    },
  )

  it("takes no name for more than a name", { tags: ["threat:A-160"] }, async () => {
    const form = formOf([
      ["__proto__", "x"],
      ["__proto__.polluted", "x"],
      ["a[__proto__][polluted]", "x"],
      ["authorizationParams-__proto__", "x"],
      ["constructor", "x"],
    ])
    const { fields, params } = await readForm(stage(posting(form)).event)
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined()
    expect(Object.keys(fields)).toEqual(["__proto__.polluted", "a[__proto__][polluted]", "constructor"])
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype)
  })

  it("leaves files aside", async () => {
    const form = new FormData()
    form.set("name", "Ada")
    form.set("file", new File(["x"], "x.txt"))
    expect((await readForm(stage(posting(form)).event)).fields).toEqual({ name: "Ada" })
  })

  it.each([
    ["no form", posting("{}", { headers: { "content-type": "application/json" } })],
    ["no body", new Request(page)],
    ["half a form", posting("--x", { headers: { "content-type": "multipart/form-data; boundary=x" } })],
  ])("answers %s with 400", async (_, request) => {
    await expect(readForm(stage(request).event)).rejects.toMatchObject({ status: 400 })
  })

  it("says what to do about a form that was read before", async () => {
    const request = posting(formOf([["name", "Ada"]]))
    await request.formData()
    const reading = readForm(stage(request).event)
    await expect(reading).rejects.toBeInstanceOf(UnreadableRequest)
    await expect(reading).rejects.toThrow(/second argument/)
  })
})

describe("returnAddress", () => {
  const home = "/app/"
  const from = (referer?: string, url = page): string =>
    returnAddress(stage(new Request(url, { headers: referer === undefined ? {} : { referer } })).event, home)

  it.each([
    ["https://app.test/app/blog?page=2", "/app/blog?page=2"],
    ["https://app.test//evil.test/x", "/evil.test/x"],
    ["https://app.test/app/signin", home],
    ["https://app.test/app/signin?error=CredentialsSignin", home],
    ["https://app.test/app/signin?callbackUrl=%2Fapp%2Fblog", "/app/blog"],
    ["https://evil.test/app/blog", home],
    ["https://evil.test/?callbackUrl=/x", home],
    ["http://app.test/app/blog", home],
    ["not an address", home],
    ["about:client", home],
    [undefined, home],
  ])("a form on %s leads back to %s", { tags: ["threat:CS-19"] }, (referer, address) => {
    expect(from(referer)).toBe(address)
  })

  it("follows what the page of the action was asked for", () => {
    expect(from("https://app.test/app/blog", `${page}?callbackUrl=%2Fapp%2Fmine`)).toBe("/app/mine")
  })
})

describe("fromPage", () => {
  const meant = (address: string, by: "form" | "code", referer = "https://app.test/app/blog/first"): string =>
    fromPage(stage(new Request(page, { headers: { referer } })).event, address, by)

  it.each([
    ["../mine?tab=2#end", "/app/mine?tab=2#end"],
    ["./second", "/app/blog/second"],
    ["..", "/app/"],
    ["/app/mine", "/app/mine"],
    ["https://other.test/x", "https://other.test/x"],
    [".well-known", ".well-known"],
  ])("takes %s of a form for an address relative to its page", (address, expected) => {
    expect(meant(address, "form")).toBe(expected)
  })

  it("takes one of code for an address relative to the request", () => {
    expect(meant("./mine", "code")).toBe("/app/mine")
  })

  it("never resolves against a page of another site", () => {
    expect(meant("./mine", "form", "https://evil.test/deep/page")).toBe("/app/mine")
  })
})
