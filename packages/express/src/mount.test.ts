import { describe, expect, it, vi } from "vitest"
import { placeOf, type Routed, servedPath } from "./mount.js"

interface Case {
  readonly name: string
  readonly routed: Routed
  readonly mount: string
  readonly rest: string
}

const routed = (baseUrl: string, url: string, params: Record<string, unknown> = {}): Routed => ({
  baseUrl,
  url,
  params: params as Routed["params"],
})

// What Express 4.22 and 5.3 tell a handler, as observed.
const cases: readonly Case[] = [
  { name: "a plain mount", routed: routed("/auth", "/signin/github?x=1"), mount: "/auth", rest: "/signin/github" },
  { name: "a plain mount, the mount itself", routed: routed("/auth", "/"), mount: "/auth", rest: "" },
  {
    name: "a nested router",
    routed: routed("/api/auth", "/callback/a%2Fb"),
    mount: "/api/auth",
    rest: "/callback/a%2Fb",
  },
  {
    name: "[A-169] letters of several bytes before it",
    routed: routed("/%C3%A9%E2%82%AC/auth", "/session/auth"),
    mount: "/%C3%A9%E2%82%AC/auth",
    rest: "/session/auth",
  },
  { name: "no mount", routed: routed("", "/auth/signin"), mount: "", rest: "/auth/signin" },
  {
    name: "Express 4, /auth/*",
    routed: routed("/auth/signin/github", "/?x=1", { 0: "signin/github" }),
    mount: "/auth",
    rest: "/signin/github",
  },
  {
    name: "Express 4, /auth/* with a trailing slash",
    routed: routed("/auth/signin", "/", { 0: "signin/" }),
    mount: "/auth",
    rest: "/signin",
  },
  { name: "Express 4, /auth/* with nothing below", routed: routed("/auth", "/", { 0: "" }), mount: "/auth", rest: "" },
  {
    name: "Express 4, /auth/* with an encoded slash",
    routed: routed("/auth/callback/a%2Fb", "/", { 0: "callback/a/b" }),
    mount: "/auth",
    rest: "/callback/a%2Fb",
  },
  {
    name: "Express 4, a route /auth/*",
    routed: routed("", "/auth/session", { 0: "session" }),
    mount: "/auth",
    rest: "/session",
  },
  {
    name: "Express 4, a route in a router",
    routed: routed("/api", "/auth/session", { 0: "session" }),
    mount: "/api/auth",
    rest: "/session",
  },
  {
    name: "Express 5, /auth/*splat",
    routed: routed("/auth/signin/github", "/?x=1", { splat: ["signin", "github"] }),
    mount: "/auth",
    rest: "/signin/github",
  },
  {
    name: "Express 5, /auth/*splat with a trailing slash",
    routed: routed("/auth/signin", "/", { splat: ["signin", ""] }),
    mount: "/auth",
    rest: "/signin",
  },
  {
    name: "Express 5, /auth/*splat with an encoded slash",
    routed: routed("/auth/callback/a%2Fb", "/", { splat: ["callback", "a/b"] }),
    mount: "/auth",
    rest: "/callback/a%2Fb",
  },
  {
    name: "Express 5, /auth/{*any}, whatever the name",
    routed: routed("/auth/session", "/", { any: ["session"] }),
    mount: "/auth",
    rest: "/session",
  },
  {
    name: "Express 5, a route /auth/*splat",
    routed: routed("", "/auth/signin/github", { splat: ["signin", "github"] }),
    mount: "/auth",
    rest: "/signin/github",
  },
  {
    name: "a parameter before the wildcard",
    routed: routed("/x%20y/auth/session", "/", { t: "x y", splat: ["session"] }),
    mount: "/x%20y/auth",
    rest: "/session",
  },
  {
    name: "an action's name in the mount",
    routed: routed("/signin/auth/signin", "/", { splat: ["signin"] }),
    mount: "/signin/auth",
    rest: "/signin",
  },
  {
    name: "a wildcard over everything",
    routed: routed("/auth/session", "/", { splat: ["auth", "session"] }),
    mount: "",
    rest: "/auth/session",
  },
  {
    name: "a regular expression whose group is no wildcard",
    routed: routed("/auth", "/session", { 0: "auth" }),
    mount: "/auth",
    rest: "/session",
  },
  {
    name: "a malformed escape",
    routed: routed("/auth", "/callback/%E0%A4", {}),
    mount: "/auth",
    rest: "/callback/%E0%A4",
  },
]

describe("the mount", () => {
  it.each(cases)("is found for $name [wire 18.5 52, 53]", ({ routed: given, mount, rest }) => {
    expect(placeOf(given)).toMatchObject({ mount, rest })
  })

  it("is found in one pass, however many parts a path has", { tags: ["threat:PA-23"] }, () => {
    const parts = Array.from({ length: 7500 }, () => "%61")
    const decodings = vi.spyOn(globalThis, "decodeURIComponent")
    const splat = parts.map(() => "a")
    expect(placeOf(routed(`/auth/${parts.join("/")}`, "/", { splat }))).toMatchObject({ mount: "/auth" })
    expect(placeOf(routed(`/auth/${parts.join("/")}`, "/", { 0: `${splat.join("/")}x` }))).toMatchObject({ rest: "" })
    expect(decodings.mock.calls.reduce((total, [text]) => total + text.length, 0)).toBeLessThan(2 * 8 * 7500)
    decodings.mockRestore()
  })

  it("keeps the query apart", () => {
    expect(placeOf(routed("/auth", "/session?a=b?c")).search).toBe("?a=b?c")
    expect(placeOf(routed("/auth", "/session")).search).toBe("")
  })

  it("takes only the path of a request target in absolute form", { tags: ["threat:HO-25"] }, () => {
    expect(placeOf(routed("", "http://evil.test/auth/session?x=1"))).toEqual({
      mount: "",
      rest: "/auth/session",
      search: "?x=1",
    })
  })

  it("keeps a path that begins with two slashes a path", () => {
    expect(placeOf(routed("", "//evil.test/auth/session")).rest).toBe("//evil.test/auth/session")
  })
})

describe("the path the service sees", () => {
  it.each([
    { name: "is that of the request", mount: "/auth", rest: "/signin", basePath: "/auth", served: "/auth/signin" },
    {
      name: "gets back a prefix that a proxy took off",
      mount: "/auth",
      rest: "/signin",
      basePath: "/app/auth",
      served: "/app/auth/signin",
    },
    {
      name: "is left alone when the handler stands above the base path",
      mount: "/api",
      rest: "/auth/signin",
      basePath: "/api/auth",
      served: "/api/auth/signin",
    },
    {
      name: "does not make a foreign path ours",
      mount: "/api",
      rest: "/signin",
      basePath: "/api/auth",
      served: "/api/signin",
    },
    {
      name: "is left alone without a mount",
      mount: "",
      rest: "/auth/signin",
      basePath: "/auth",
      served: "/auth/signin",
    },
  ])("$name", ({ mount, rest, basePath, served }) => {
    expect(servedPath({ mount, rest, search: "" }, basePath)).toBe(served)
  })
})
