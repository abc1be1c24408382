import { describe, expect, it } from "vitest"
import { trustedElsewhere } from "../../../e2e/support/hostile-headers.js"
import { adaOf, config, requestBelow, requestOf, sent } from "../test/support/application.js"
import { NextAuth, type NextAuthConfig } from "./index.js"

const goesOn = (response: Response): boolean => response.headers.has("x-middleware-next")
const closed = (more: Partial<NextAuthConfig> = {}): NextAuthConfig =>
  config({ callbacks: { authorized: ({ auth }) => Boolean(auth?.user) }, ...more })

describe("auth around a handler", () => {
  it("puts the session into the request, and hands on what Next gives", async () => {
    const given = config()
    const GET = NextAuth(given).auth(async (request, { params }) =>
      Response.json({ name: request.auth?.user?.name ?? null, params: await params }),
    )
    const context = { params: Promise.resolve({ id: "7" }) }
    expect(await (await GET(requestOf("/api/me"), context)).json()).toEqual({ name: null, params: { id: "7" } })
    const answer = await GET(requestOf("/api/me", sent(await adaOf(given))), context)
    expect(await answer.json()).toEqual({ name: "Ada", params: { id: "7" } })
  })

  it("adds the cookie of an extended session to the response, and keeps that out of shared caches", async () => {
    const given = config()
    const own = {
      "Set-Cookie": "own=1",
      "CDN-Cache-Control": "max-age=60",
      "Cache-Control": 'private="x-own", max-age=60',
    }
    const GET = NextAuth(given).auth(() => new Response("hello", { headers: own }))
    const answer = await GET(requestOf("/", sent(await adaOf(given, { isDue: true }))), { params: Promise.resolve({}) })
    expect(await answer.text()).toBe("hello")
    expect(answer.headers.getSetCookie()).toEqual(["own=1", expect.stringMatching(/^__Secure-authjs\.session-token=/)])
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
    expect(answer.headers.has("cdn-cache-control")).toBe(false)
  })

  it("lets the request of a proxy go on when the handler answers nothing", async () => {
    const wrapped = NextAuth(config()).auth(() => undefined)
    expect(goesOn(await wrapped(requestOf("/"), { params: Promise.resolve({}) }))).toBe(true)
  })
})

describe("what shared caches may keep", () => {
  const tags = ["threat:HD-03"]
  const keepOut = "private, no-store"
  const cachingOf = async (answer: Promise<Response>): Promise<string | null> =>
    (await answer).headers.get("cache-control")
  const context = { params: Promise.resolve({}) }

  it("is nothing that the proxy let through for a session, which may be a page that Next has built ahead", {
    tags,
  }, async () => {
    const given = closed()
    const person = sent(await adaOf(given))
    const { auth, proxy } = NextAuth(given)
    expect(await cachingOf(proxy(requestOf("/closed", person)))).toBe(keepOut)
    const own = auth((request) => (request.auth ? undefined : new Response(null, { status: 401 })))
    expect(await cachingOf(own(requestOf("/closed", person), context))).toBe(keepOut)
  })

  it("is no answer of a handler that was given a session, unless it says so", { tags }, async () => {
    const given = config()
    const person = sent(await adaOf(given))
    const { auth } = NextAuth(given)
    const plain = auth((request) => Response.json(request.auth?.user ?? null))
    const shared = auth(() => new Response("news", { headers: { "Cache-Control": "max-age=60" } }))
    expect(await cachingOf(plain(requestOf("/me", person), context))).toBe(keepOut)
    expect(await cachingOf(shared(requestOf("/news", person), context))).toBe("max-age=60")
    expect(await cachingOf(plain(requestOf("/me"), context))).toBeNull()
  })

  it("is every page where nobody is asked, and what strangers may see", { tags }, async () => {
    const given = config()
    expect(await cachingOf(NextAuth(given).proxy(requestOf("/", sent(await adaOf(given)))))).toBeNull()
    const open = config({ callbacks: { authorized: () => true } })
    expect(await cachingOf(NextAuth(open).proxy(requestOf("/")))).toBeNull()
  })
})

describe("the proxy", () => {
  it("lets everybody pass where no callback says otherwise, and extends sessions on the way", async () => {
    const given = config()
    const { proxy } = NextAuth(given)
    expect(goesOn(await proxy(requestOf("/")))).toBe(true)
    const extended = await proxy(requestOf("/", sent(await adaOf(given, { isDue: true }))))
    expect(goesOn(extended)).toBe(true)
    expect(extended.headers.getSetCookie().join()).toContain("__Secure-authjs.session-token=")
  })

  it("sends whom `authorized` does not let pass to sign in, and back", async () => {
    const given = closed()
    const { auth, proxy } = NextAuth(given)
    for (const ask of [proxy, auth]) {
      const answer = await ask(requestOf("/closed?tab=2"))
      const to = new URL(answer.headers.get("location") ?? "")
      expect([answer.status, to.origin, to.pathname]).toEqual([307, "https://app.test", "/api/auth/signin"])
      expect(new URL(to.searchParams.get("callbackUrl") ?? "", to).href).toBe("https://app.test/closed?tab=2")
    }
    expect(goesOn(await proxy(requestOf("/closed", sent(await adaOf(given)))))).toBe(true)
  })

  it("leaves the service and the sign-in page open, which nobody could reach otherwise", async () => {
    const { proxy } = NextAuth(closed({ pages: { signIn: "/login" } }))
    for (const path of ["/api/auth/signin", "/api/auth/callback/github?code=1", "/login?callbackUrl=/x"])
      expect(goesOn(await proxy(requestOf(path))), path).toBe(true)
    expect((await proxy(requestOf("/closed"))).headers.get("location")).toContain("https://app.test/login?")
  })

  it("leaves the sign-in page open where Next adds a slash to every address", { tags: ["threat:PA-25"] }, async () => {
    const { proxy } = NextAuth(closed({ pages: { signIn: "/login" } }))
    expect(goesOn(await proxy(requestOf("/login/?callbackUrl=/x")))).toBe(true)
    expect(goesOn(await proxy(requestOf("/login/x")))).toBe(false)
  })

  it("takes a page of another origin for no page of the application", async () => {
    const { proxy } = NextAuth(closed({ pages: { signIn: "https://login.test/closed" } }))
    expect((await proxy(requestOf("/closed"))).headers.get("location")).toContain("https://login.test/closed?")
  })

  it("lets nobody pass by a header that names a path, a person or another program", {
    tags: ["threat:A-081", "threat:A-114", "threat:A-116", "threat:A-152"],
  }, async () => {
    const { proxy } = NextAuth(closed())
    for (const headers of trustedElsewhere) {
      const answer = await proxy(requestOf("/closed", sent(headers)))
      expect([answer.status, goesOn(answer)], JSON.stringify(headers)).toEqual([307, false])
    }
  })

  it("answers with the response of `authorized`", async () => {
    const { proxy } = NextAuth(closed({ callbacks: { authorized: () => new Response("no", { status: 403 }) } }))
    expect((await proxy(requestOf("/"))).status).toBe(403)
  })

  it("lets nobody pass when the session cannot be determined", async () => {
    const { proxy } = NextAuth(closed({ secret: "" }))
    await expect(proxy(requestOf("/closed"))).rejects.toThrow(/secret/)
  })
})

describe("the proxy of an application with a base path", () => {
  const locationFor = async (given: NextAuthConfig, path: string): Promise<string | null> =>
    (await NextAuth(given).proxy(requestBelow("/shop", path))).headers.get("location")

  it.each([
    ["the default path", {}],
    ["a path with the base path", { basePath: "/shop/api/auth" }],
  ])("leads to a sign-in page inside of it, and back: the service at %s", async (_, more) => {
    const to = new URL((await locationFor(closed(more), "/closed?tab=2")) ?? "")
    expect([to.origin, to.pathname]).toEqual(["https://app.test", "/shop/api/auth/signin"])
    expect(to.searchParams.get("callbackUrl")).toBe("/shop/closed?tab=2")
    for (const path of ["/api/auth/signin", "/api/auth/callback/github?code=1"])
      expect(await locationFor(closed(more), path), path).toBeNull()
  })

  it.each(["/login", "/shop/login", "https://app.test/shop/login"])(
    "leads to the application's own sign-in page, however it is named, and leaves it open: %s",
    { tags: ["threat:PA-25"] },
    async (signIn) => {
      const given = closed({ basePath: "/shop/api/auth", pages: { signIn } })
      const to = new URL((await locationFor(given, "/")) ?? "")
      expect([to.pathname, to.searchParams.get("callbackUrl")]).toEqual(["/shop/login", "/shop/"])
      for (const path of ["/login", "/login/?callbackUrl=/x"]) expect(await locationFor(given, path), path).toBeNull()
      for (const path of ["/shop/login", "/login/x", "/shop/api/auth/signin", "/shopping"])
        expect(await locationFor(given, path), path).toContain("/shop/login?")
    },
  )

  it("takes a path that only begins alike for one outside of it", async () => {
    const given = closed({ pages: { signIn: "/shopping" } })
    expect(await locationFor(given, "/closed")).toContain("https://app.test/shop/shopping?")
  })
})
