import { describe, expect, it } from "vitest"
import { quickest } from "../../test/support/quickest.js"
import type { FeatureRow } from "../types/feature.js"
import * as endpoints from "./endpoints.js"
import { actions, isAuthAction, mayBeAction, methodsOf, pathOf, type Route } from "./endpoints.js"

const parseRoute = (path: string, basePath: string): Route | undefined =>
  endpoints.parseRoute(path, { basePath, features: { rows: [] } })
const ownsPath = (path: string, basePath: string): boolean =>
  endpoints.ownsPath(path, { basePath, features: { rows: [] } })

describe("parseRoute", () => {
  it("takes linear time for a wall of slashes", { tags: ["threat:AL-01"] }, async () => {
    const wall = "/".repeat(500_000)
    const time = await quickest(() => {
      expect(parseRoute(`/auth/session${wall}`, "/auth")).toEqual({ action: "session", provider: undefined })
      expect(parseRoute(`/auth/session${wall}a`, "/auth")).toBeUndefined()
    })
    expect(time).toBeLessThan(200)
  })

  it.each([...actions])("knows the action %s [spec service 3]", (action) => {
    expect(parseRoute(`/auth/${action}`, "/auth")).toEqual({ action, provider: undefined })
  })

  it.each([
    ["/auth/session/", "/auth", "session", undefined],
    ["/auth/signin/github", "/auth", "signin", "github"],
    ["/auth/signin/github/", "/auth", "signin", "github"],
    ["/auth/signin/github///", "/auth", "signin", "github"],
    ["/auth/session//", "/auth", "session", undefined],
    ["/auth/signin//", "/auth", "signin", undefined],
    ["/auth/callback/azure-ad", "/auth", "callback", "azure-ad"],
    ["/auth/webauthn-options/passkey", "/auth", "webauthn-options", "passkey"],
    ["/auth/signin/undefined", "/auth", "signin", "undefined"],
    ["/auth/callback/undefined", "/auth", "callback", "undefined"],
    ["/auth/callback/__proto__", "/auth", "callback", "__proto__"],
    ["/api/auth/csrf", "/api/auth", "csrf", undefined],
    ["/session", "", "session", undefined],
    ["/a.b/session", "/a.b", "session", undefined],
    ["/(x)/session", "/(x)", "session", undefined],
    ["/a$/session", "/a$", "session", undefined],
  ])(
    "reads %s below %j as %s of %s",
    { tags: ["threat:PA-01", "threat:PA-09", "threat:PA-11", "threat:PA-12"] },
    (path, basePath, action, provider) => {
      expect(parseRoute(path, basePath)).toEqual({ action, provider })
    },
  )

  it.each([
    ["/auth//session", "PA-01"],
    ["//auth/session", "PA-01"],
    ["/auth/signin//github", "PA-01"],
    ["/auth///", "PA-01"],
    ["/auth/%73ession", "PA-02"],
    ["/auth/sess%69on", "PA-02"],
    ["/%61uth/session", "PA-02"],
    ["/auth/session%2f", "PA-03"],
    ["/auth%2fsession", "PA-03"],
    ["/auth/signin%2fgithub", "PA-03"],
    ["/auth/session;x=1", "PA-05"],
    ["/auth;x/session", "PA-05"],
    ["/AUTH/session", "PA-06"],
    ["/auth/SESSION", "PA-06"],
    ["/auth/session.json", "PA-07"],
    ["/auth/session%00", "PA-07"],
    ["/auth/session%20", "PA-07"],
    ["/auth/session\u3000", "PA-07"],
    ["/auth\\session", "PA-08"],
    ["/auth", "PA-09"],
    ["/auth/", "PA-09"],
    ["/", "PA-09"],
    ["", "PA-09"],
    ["/authx/session", "PA-10"],
    ["/xauth/session", "PA-10"],
    ["/auth-session", "PA-10"],
    ["/authsession", "PA-10"],
    ["/%C3%A9%C3%A9/auth/session", "A-169"],
    ["/%E2%82%AC/../auth/session", "A-169"],
    ["/auth%C3%A9/session", "A-169"],
    ["/%2Fauth/session", "A-169"],
    ["/auth/callback/github/extra", "PA-15"],
    ["/auth/session/github", "PA-15"],
    ["/auth/error/x", "PA-15"],
    ["/auth/session%0a", "PA-24"],
    ["/auth/__proto__", "PA-14"],
    ["/auth/constructor", "PA-14"],
    ["/auth/session/x.css", "HD-04"],
    ["/auth/session;x.css", "HD-04"],
  ])("finds no route in %j [%s]", (path) => {
    expect(parseRoute(path, "/auth")).toBeUndefined()
  })

  it("takes the base path literally", { tags: ["threat:PA-11"] }, () => {
    expect(parseRoute("/aXb/session", "/a.b")).toBeUndefined()
    expect(parseRoute("/aab/session", "/a+b")).toBeUndefined()
  })

  it("handles a path of 64 KiB quickly", { tags: ["threat:PA-23"] }, async () => {
    const time = await quickest(() => {
      expect(parseRoute(`/auth/${"a/".repeat(32_768)}`, "/auth")).toBeUndefined()
      expect(parseRoute("/".repeat(65_536), "/auth")).toBeUndefined()
    })
    expect(time).toBeLessThan(50)
  })
})

describe("ownsPath", () => {
  it.each([
    ["/auth/session", true],
    ["/auth/session/", true],
    ["/auth/callback/github/extra", true],
    ["/auth/session/x.css", true],
    ["/auth/unknown", false],
    ["/auth", false],
    ["/other", false],
    ["/authsession", false],
  ])("says of %s: %s", (path, owned) => {
    expect(ownsPath(path, "/auth")).toBe(owned)
  })
})

describe("the way back", () => {
  it("spells paths that are read again", () => {
    expect(pathOf("/auth", "session")).toBe("/auth/session")
    expect(pathOf("", "signin", "github")).toBe("/signin/github")
    expect(parseRoute(pathOf("/auth", "callback", "azure-ad"), "/auth")).toEqual({
      action: "callback",
      provider: "azure-ad",
    })
    expect(pathOf("/auth", "callback", "a/b?c")).toBe("/auth/callback/a%2Fb%3Fc")
  })

  it.each(["a:b", "a@b", "a~b", "a.b", "a_b-c"])("leads back to a provider with the id %s", (provider) => {
    expect(parseRoute(pathOf("/auth", "signin", provider), "/auth")).toEqual({ action: "signin", provider })
  })

  it("knows which actions change something", () => {
    expect([...actions].filter((action) => methodsOf(action, []).includes("POST")).sort()).toEqual([
      "callback",
      "session",
      "signin",
      "signout",
    ])
  })

  it.each(["session", "SESSION", "toString", ""])("tells whether %j is an action", (text) => {
    expect(isAuthAction(text)).toBe(text === "session")
  })
})

describe("the endpoints of features", () => {
  const rows: readonly FeatureRow[] = [
    { method: "POST", action: "sessions", csrf: true, audience: "script", act: undefined },
  ]
  const served = { basePath: "/auth", features: { rows } }

  it("are ours where a feature brings them, and nobody's elsewhere", () => {
    expect(endpoints.parseRoute("/auth/sessions/", served)).toEqual({ action: "sessions", provider: undefined })
    expect(endpoints.ownsPath("/auth/sessions/x", served)).toBe(true)
    expect(parseRoute("/auth/sessions", "/auth")).toBeUndefined()
    expect(ownsPath("/auth/sessions", "/auth")).toBe(false)
  })

  it("name no provider", () => {
    expect(endpoints.parseRoute("/auth/sessions/github", served)).toBeUndefined()
  })

  it("say who reads their answers, and which methods they have", () => {
    expect(endpoints.isFor("script", "sessions", rows)).toBe(true)
    expect(endpoints.isFor("person", "sessions", rows)).toBe(false)
    expect(endpoints.isFor("script", "sessions", [])).toBe(false)
    expect(methodsOf("sessions", rows)).toEqual(["POST"])
  })

  it("are recognised among other paths before there is a configuration to ask", () => {
    expect(["session", "sessions", "signout", "toString", "x", ""].map(mayBeAction)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it("are no actions: those are nine", () => {
    expect(isAuthAction("sessions")).toBe(false)
    expect(actions.size).toBe(9)
  })
})
