import { memoryAdapter } from "@latchkey/core/memory"
import { signInAs } from "@latchkey/testing"
import { type Context, Hono } from "hono"
import { stream } from "hono/streaming"
import { afterEach, describe, expect, it, vi } from "vitest"
import { trustedElsewhere } from "../../../e2e/support/hostile-headers.js"
import { appOf, browse, config, enter } from "../test/support/app.js"
import { HonoAuth, type HonoAuthConfig } from "./index.js"

const address = "https://app.test"
const twoDaysAgo = (): Date => new Date(Date.now() - 2 * 24 * 60 * 60 * 1000)

/** Headers of somebody whose session is due for extension. */
async function dueOf(given: HonoAuthConfig): Promise<{ readonly cookie: string }> {
  return (await signInAs(given, { id: "1", name: "Ada" }, { url: address, at: twoDaysAgo() })).headers
}

afterEach(() => void vi.useRealTimers())

const sessionCookies = (answer: Response): string[] =>
  answer.headers.getSetCookie().filter((line) => line.startsWith("__Secure-authjs.session-token="))

describe("auth.session", () => {
  it("answers null for a visitor, and who is signed in", async () => {
    const browser = browse(appOf())
    expect((await browser.get("/peek")).text).toBe("null")
    await enter(browser)
    expect(JSON.parse((await browser.get("/peek")).text)).toMatchObject({ user: { name: "Ada" } })
  })

  it("adds the cookie of an extended session to the response, and keeps that out of shared caches", async () => {
    const given = config()
    const answer = await appOf(given).request(`${address}/peek`, { headers: await dueOf(given) })
    expect(sessionCookies(answer)).toHaveLength(1)
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
  })

  it("throws when it cannot be determined: nobody counts as signed out, or in", async () => {
    const adapter = memoryAdapter()
    const given = config({ adapter, session: { strategy: "database" } })
    const { headers } = await signInAs(given, { email: "ada@app.test" }, { url: address })
    const broken = appOf({
      ...given,
      adapter: { ...adapter, getSessionAndUser: () => Promise.reject(new Error("away")) },
    })
    for (const path of ["/peek", "/inside", "/raw"])
      expect((await broken.request(address + path, { headers })).status, path).toBe(500)
  })

  it.each<[string, (c: Context) => unknown, PropertyDescriptor?]>([
    ["was read", (c) => c.req.json()],
    ["was read of a copy", (c) => c.req.raw.clone().json()],
    ["is read in parts", (c) => c.req.raw.body?.getReader().read()],
    [
      "was read by middleware that hands on another request",
      (c) => {
        c.req.raw = new Request(c.req.raw.url, { headers: c.req.raw.headers })
      },
    ],
    // Some runtimes have no such member.
    ["is not shown", () => undefined, { value: undefined }],
  ])(
    "is read again after a second, where a body %s: the session may have ended meanwhile",
    { tags: ["threat:SF-08"] },
    async (_, readBody, shown = {}) => {
      let hasEnded = false
      const given = config({ callbacks: { jwt: ({ token }) => (hasEnded ? null : token) } })
      const auth = HonoAuth(given)
      const app = new Hono()
      app.post("/name", auth.require(), async (c) => {
        hasEnded = true
        vi.advanceTimersByTime(999)
        const before = await auth.session(c)
        await readBody(c)
        vi.advanceTimersByTime(1)
        return c.json([before?.user?.name, await auth.session(c)])
      })
      const { headers } = await signInAs(given, { id: "1", name: "Ada" }, { url: address })
      vi.useFakeTimers({ toFake: ["performance"] })
      const request = new Request(`${address}/name`, { method: "POST", headers, body: "{}" })
      const answer = await app.request("value" in shown ? Object.defineProperty(request, "body", shown) : request)
      expect(await answer.json()).toEqual(["Ada", null])
    },
  )

  it("is read one after the other: a token that is good for one refresh is used once", async () => {
    const used: unknown[] = []
    let goOn: () => void = () => {}
    const isRefreshed = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const given = config({
      callbacks: {
        async jwt({ token }) {
          if (token["refresh"] === "second") return token
          used.push(token["refresh"])
          await isRefreshed
          return { ...token, refresh: "second" }
        },
      },
    })
    const auth = HonoAuth(given)
    const app = new Hono()
    app.post("/name", async (c) => {
      const first = auth.session(c)
      await vi.waitFor(() => expect(used).toHaveLength(1))
      vi.advanceTimersByTime(1000)
      const second = auth.session(c)
      goOn()
      return c.json([(await first)?.user?.name, (await second)?.user?.name])
    })
    const { headers } = await signInAs({ ...given, callbacks: {} }, { id: "1", name: "Ada" }, { url: address })
    vi.useFakeTimers({ toFake: ["performance"] })
    const answer = await app.request(`${address}/name`, { method: "POST", headers, body: "{}" })
    expect(await answer.json()).toEqual(["Ada", "Ada"])
    expect(used).toEqual([undefined])
    expect(sessionCookies(answer)).toHaveLength(1)
  })

  it("sets no cookie where it is read while the response streams", async () => {
    const given = config({ session: { updateAge: 0 } })
    const auth = HonoAuth(given)
    // Hono says when a response is on its way where there is middleware.
    const app = new Hono().use((_, next) => next())
    app.post("/chat", (c) =>
      stream(c, async (out) => {
        await vi.waitFor(() => expect(c.finalized).toBe(true))
        await out.write(String((await auth.session(c))?.user?.name))
      }),
    )
    const { headers } = await signInAs(given, { id: "1", name: "Ada" }, { url: address })
    const answer = await app.request(`${address}/chat`, { method: "POST", headers, body: "{}" })
    expect(await answer.text()).toBe("Ada")
    expect(answer.headers.getSetCookie()).toEqual([])
  })

  it.each(["signing out", "signing in as somebody else"])(
    "undoes nothing when it is read during %s",
    {
      tags: ["threat:RC-12"],
    },
    async (what) => {
      let goOn: () => void = () => {}
      const isChanged = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const asked = vi.fn()
      const given = config({
        session: { updateAge: 0 },
        callbacks: {
          async session({ session }) {
            asked()
            if (session.user?.name === "Ada") await isChanged
            return session
          },
        },
      })
      const auth = HonoAuth(given)
      const app = new Hono().use("/auth/*", auth)
      app.post("/leave", async (c) => {
        const reading = auth.session(c)
        await vi.waitFor(() => expect(asked).toHaveBeenCalled())
        const fields = { name: "Bob", password: "right" }
        if (what === "signing out") await auth.signOut(c, { redirect: false })
        else await auth.signIn(c, { provider: "credentials", fields, redirect: false })
        goOn()
        await reading
        return c.json(await auth.session(c))
      })
      const { headers } = await signInAs(given, { id: "1", name: "Ada" }, { url: address })
      const sent = { ...headers, origin: address, "sec-fetch-site": "same-origin" }
      const answer = await app.request(`${address}/leave`, { method: "POST", headers: sent })
      const after = what === "signing out" ? null : { user: { name: "Bob" } }
      const now = await answer.json()
      if (after) expect(now).toMatchObject(after)
      else expect(now).toBeNull()
      const cookie = answer.headers
        .getSetCookie()
        .map((line) => line.split(";", 1)[0])
        .filter((pair) => !pair?.endsWith("="))
        .join("; ")
      const next = await (await app.request(`${address}/auth/session`, { headers: { cookie } })).json()
      if (after) expect(next).toMatchObject(after)
      else expect(next).toBeNull()
    },
  )

  it("stands for the whole request without a body", async () => {
    let reads = 0
    const given = config({ callbacks: { session: ({ session }) => ({ ...session, reads: ++reads }) } })
    const auth = HonoAuth(given)
    const app = new Hono()
    app.get("/", auth.require(), async (c) => {
      vi.advanceTimersByTime(60_000)
      return c.json(await auth.session(c))
    })
    const { headers } = await signInAs(given, { id: "1", name: "Ada" }, { url: address })
    vi.useFakeTimers({ toFake: ["performance"] })
    expect(await (await app.request(`${address}/`, { headers })).json()).toMatchObject({ reads: 1 })
  })
})

describe("auth.load", () => {
  it("adds its cookies beside those of a response that a handler has made itself", async () => {
    const given = config()
    const answer = await appOf(given).request(`${address}/raw`, { headers: await dueOf(given) })
    expect(await answer.text()).toBe("Ada")
    expect(sessionCookies(answer)).toHaveLength(1)
    expect(answer.headers.getSetCookie()).toContain("own=1")
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
  })

  it("adds the cookie for the domain and clears the one that the host had, on a response of the handler as well", {
    tags: ["threat:CK-30"],
  }, async () => {
    const given = config()
    const headers = await dueOf(given)
    const app = appOf({ ...given, cookies: { sessionToken: { options: { domain: ".app.test" } } } })
    for (const path of ["/raw", "/peek"]) {
      const set = sessionCookies(await app.request(address + path, { headers }))
      expect(set, path).toHaveLength(2)
      expect(set[0], path).toMatch(/=; Max-Age=0; Path=/)
      expect(set[1], path).toContain("; Domain=.app.test;")
    }
  })

  it("overrules a handler that calls the response public, where it carries a cookie", async () => {
    const given = config()
    const auth = HonoAuth(given)
    const app = new Hono()
    const shared = { "Cache-Control": "public, max-age=60", "CDN-Cache-Control": "max-age=60" }
    app.get("/page", auth.load(), (c) => c.text("page", 200, shared))
    const due = await app.request(`${address}/page`, { headers: await dueOf(given) })
    expect(due.headers.get("cache-control")).toBe("private, no-store")
    expect(due.headers.has("cdn-cache-control")).toBe(false)
    expect(sessionCookies(due)).toHaveLength(1)
    expect((await app.request(`${address}/page`)).headers.get("cache-control")).toBe("public, max-age=60")
  })

  it("keeps what is shown to somebody out of shared caches, also where no cookie is set, unless the handler says otherwise", {
    tags: ["threat:HD-03"],
  }, async () => {
    const given = config()
    const auth = HonoAuth(given)
    const shared = { "Cache-Control": "public, max-age=60" }
    const app = new Hono()
    app.get("/bare", async (c) => c.json(await auth.session(c)))
    app.get("/guarded", auth.require(), () => new Response("own"))
    app.get("/later", auth.load(), (c) => c.json({}, 200, shared))
    app.get("/before", async (c) => {
      c.header("Cache-Control", shared["Cache-Control"])
      return c.json(await auth.session(c))
    })
    const { headers } = await signInAs(given, { id: "1", name: "Ada" }, { url: address })
    const kept = async (path: string, sent = {}) =>
      (await app.request(address + path, { headers: sent })).headers.get("cache-control")
    for (const path of ["/bare", "/guarded"]) expect(await kept(path, headers), path).toBe("private, no-store")
    for (const path of ["/later", "/before"]) expect(await kept(path, headers), path).toBe(shared["Cache-Control"])
    expect(await kept("/bare")).toBeNull()
  })

  it("reads the session once, however many ask", async () => {
    const adapter = memoryAdapter()
    let reads = 0
    const given = config({
      session: { strategy: "database" },
      adapter: {
        ...adapter,
        getSessionAndUser: (token) => {
          reads += 1
          return adapter.getSessionAndUser(token)
        },
      },
    })
    const { headers } = await signInAs(given, { email: "ada@app.test" }, { url: address })
    const auth = HonoAuth(given)
    const app = new Hono()
    app.use(auth.load())
    app.get("/", auth.require(), async (c) => c.json(await auth.session(c)))
    expect((await app.request(`${address}/`, { headers })).status).toBe(200)
    expect(reads).toBe(1)
  })
})

describe("auth.require", () => {
  it("lets signed-in people pass, with their session in c.var", async () => {
    const browser = browse(appOf())
    await enter(browser)
    expect(JSON.parse((await browser.get("/inside")).text)).toMatchObject({ name: "Ada" })
  })

  it("sends everybody else to sign in and back", async () => {
    const answer = await appOf().request(`${address}/inside?tab=2`)
    expect(answer.status).toBe(303)
    const to = new URL(answer.headers.get("location") ?? "", address)
    expect(to.pathname).toBe("/login")
    expect(Object.fromEntries(to.searchParams)).toEqual({ error: "SessionRequired", callbackUrl: "/inside?tab=2" })
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
  })

  it("is opened by no header that names a path, a person or another program", {
    tags: ["threat:A-081", "threat:A-114", "threat:A-116", "threat:A-152"],
  }, async () => {
    const app = appOf()
    for (const headers of trustedElsewhere) {
      expect((await app.request(`${address}/inside`, { headers })).status, JSON.stringify(headers)).toBe(303)
      expect((await app.request(`${address}/api`, { headers })).status, JSON.stringify(headers)).toBe(401)
    }
  })

  it("names no address to return to after a form, nor one that leads to another host", async () => {
    const app = appOf()
    const auth = HonoAuth(config())
    app.get("//evil.test", auth.require({ redirectTo: "/login?from=guard#form" }), (c) => c.text("in"))
    const posted = await app.request(`${address}/inside`, { method: "POST" })
    expect(posted.headers.get("location")).toBe("/login?error=SessionRequired")
    const strange = await app.request(`${address}//evil.test`)
    expect(strange.headers.get("location")).toBe("/login?from=guard&error=SessionRequired#form")
  })

  it("says what is wrong where it stands before the page it leads to", { tags: ["threat:PA-25"] }, async () => {
    const auth = HonoAuth(config())
    const app = new Hono().use(auth.require({ redirectTo: "/login?lang=de" })).get("/login", (c) => c.text("form"))
    app.onError((error, c) => c.text(error.message, 500))
    for (const path of ["/login", "/login/", "/login?error=SessionRequired"]) {
      const answer = await app.request(address + path)
      expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining("/login?lang=de")])
    }
    expect((await app.request(`${address}/login2`)).status).toBe(303)
  })

  it("takes an address that no browser writes for no request of that page", { tags: ["threat:HO-24"] }, async () => {
    const auth = HonoAuth(config())
    const app = new Hono().use("/members/*", auth.require({ redirectTo: "/login" })).get("*", (c) => c.text("page"))
    const failed = vi.fn(() => new Response(null, { status: 500 }))
    app.onError(failed)
    // As Deno hands it on.
    for (const path of ["/members/../login", "/members/%2e%2e/login?a=1#b"]) {
      const request = new Request(address)
      Object.defineProperty(request, "url", { value: address + path })
      const answer = await app.fetch(request)
      expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login?error=SessionRequired"])
    }
    expect(failed).not.toHaveBeenCalled()
  })

  it("answers scripts with a status", async () => {
    expect((await appOf().request("/api")).status).toBe(401)
    const forbidding = new Hono().get("/", HonoAuth(config()).require({ status: 403 }), (c) => c.text("in"))
    expect((await forbidding.request("/")).status).toBe(403)
  })

  it("does not take a session without a user for a person", async () => {
    const given = config({ callbacks: { session: ({ session: { expires } }) => ({ expires }) } })
    const { headers } = await signInAs(given, { id: "1", name: "Ada" }, { url: address })
    expect((await appOf(given).request(`${address}/api`, { headers })).status).toBe(401)
  })
})
