import { describe, expect, it } from "vitest"
import { InvalidConfiguration } from "../errors.js"
import { type GuardedRequest, pagePath, signInAddress } from "./sign-in-address.js"

const sentFrom = (path: string, more: Partial<GuardedRequest> = {}): string =>
  signInAddress({ guard: "guard", redirectTo: "/login", method: "GET", path, ...more })

describe("the address of the page to sign in on", () => {
  it("says where to return to, and keeps what the page was given besides", () => {
    expect(sentFrom("/inside?tab=2")).toBe("/login?error=SessionRequired&callbackUrl=%2Finside%3Ftab%3D2")
    const redirectTo = "/login?lang=de&callbackUrl=%2F#form"
    expect(sentFrom("/x", { redirectTo })).toBe("/login?lang=de&error=SessionRequired&callbackUrl=%2Fx#form")
  })

  it.each([
    ["/войти", "/%D0%B2%D0%BE%D0%B9%D1%82%D0%B8?error"],
    ["/anmeldung-für-alle?wer=%C3%BC", "/anmeldung-f%C3%BCr-alle?wer=%C3%BC&error"],
    ["/🔑", "/%F0%9F%94%91?error"],
    ["/\ud800x", "/%EF%BF%BDx?error"],
  ])("is written in ASCII: %j", (redirectTo, begin) => {
    expect(sentFrom("/inside", { redirectTo })).toBe(`${begin}=SessionRequired&callbackUrl=%2Finside`)
  })

  it.each([["//evil.test/x"], ["http://evil.test/x"], ["/\\evil.test"], ["/a b"], [`/${"x".repeat(2048)}`], ["*"]])(
    "names no address to return to that may lead elsewhere or is refused: %s",
    { tags: ["threat:A-069"] },
    (path) => {
      expect(sentFrom(path)).toBe("/login?error=SessionRequired")
    },
  )

  it("does not return to what was sent", () => {
    expect(sentFrom("/inside", { method: "POST" })).toBe("/login?error=SessionRequired")
    expect(sentFrom("/inside", { method: "HEAD" })).toContain("callbackUrl")
  })

  it.each([
    ["/login", "/login"],
    ["/login/", "/login?error=SessionRequired"],
    ["/login/?lang=de#form", "/login"],
    ["/app/login", "/app/login?x=//y"],
    ["login", "/app/login"],
    ["../app/login", "/app/login"],
    ["/anmeldung-für-alle", "/anmeldung-f%C3%BCr-alle"],
  ])(
    "is not given to the page itself, which nobody could ever see: %s",
    { tags: ["threat:PA-25"] },
    (redirectTo, path) => {
      expect(() => sentFrom(path, { redirectTo })).toThrow(InvalidConfiguration)
    },
  )

  it.each([
    "/inside/../login",
    "/inside/%2e%2e/login",
    "/./login",
    "//application.invalid/login",
    "http://application.invalid/login",
    "/inside/..\\login",
    "/log\tin",
  ])(
    "is given without a place to return to where only a stranger writes the page like that: %j",
    {
      tags: ["threat:PA-25"],
    },
    (path) => {
      expect(sentFrom(path)).toBe("/login?error=SessionRequired")
    },
  )

  it.each([
    ["/login", "/login2"],
    ["/login", "/app/login"],
    ["https://login.test/", "/"],
    ["https://login.test/login", "/login"],
    ["/login", "//login"],
  ])("leads to another page, or another host: %s from %s", (redirectTo, path) => {
    expect(sentFrom(path, { redirectTo })).toMatch(/error=SessionRequired/)
  })
})

describe("the path of a page", () => {
  it("is the same for all addresses of one page", () => {
    for (const address of ["/in", "/in/", "/in?a=/b/", "/in#/", "/x/../in"]) expect(pagePath(address)).toBe("/in")
    expect(pagePath("/")).toBe("")
    expect(pagePath("https://other.test/in/")).toBe("https://other.test/in")
  })
})
