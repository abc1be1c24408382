import { skipCSRFCheck } from "@latchkey/core"
import { isAuthError } from "@latchkey/core/errors"
import { memoryAdapter } from "@latchkey/core/memory"
import { redirect } from "@sveltejs/kit"
import { afterEach, describe, expect, it, vi } from "vitest"
import {
  acting,
  application,
  Browser,
  config,
  nameIn,
  origin,
  type Page,
  stage,
  who,
} from "../../test/support/application.js"

const ada = { providerId: "credentials", name: "Ada", password: "right", redirectTo: "/" }
const everyTime = { session: { updateAge: 0 } }

afterEach(() => void vi.useRealTimers())

async function signedIn(app = application(config(everyTime))): Promise<Browser> {
  const browser = new Browser(app)
  await browser.post("/signin", ada, acting(app.signIn))
  expect(browser.has("session-token")).toBe(true)
  return browser
}

describe("the hook", () => {
  it("answers the actions of the service and leaves the rest to the application [spec sveltekit factory] [spec sveltekit members]", async () => {
    const browser = new Browser(application())
    expect(await (await browser.visit("/auth/providers")).json()).toMatchObject({
      credentials: { signinUrl: `${origin}/auth/signin/credentials` },
    })
    for (const path of [
      "/",
      "/auth",
      "/auth/other",
      "/authx/session",
      "/other/session",
      "/%61uth/session",
      "//auth/session",
    ])
      expect(await (await browser.visit(path)).text()).toBe("page")
    expect((await browser.visit("/auth/signin/nobody")).status).toBe(404)
    expect((await browser.visit("/auth/csrf", undefined, { method: "DELETE" })).status).toBe(405)
  })

  it.each([{}, { basePath: "/auth" }, { basePath: "/below/auth" }])(
    "answers before SvelteKit adds a slash at the end or takes one off, and then as without one: %j below a base path",
    { tags: ["threat:PA-19"] },
    async (more) => {
      const browser = new Browser(application(config(more), { kitBase: "/below" }))
      for (const path of ["/below/auth/providers", "/below/auth/providers/"]) {
        const answer = await browser.visit(path)
        expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([200, ["credentials", "git"]])
      }
      expect(await (await browser.visit("/auth/providers")).text()).toBe("page")
    },
  )

  it("goes by the path that was sent, not by the one that a remote function's sender names", async () => {
    const app = application()
    const staged = stage(new Request(`${origin}/_app/remote/x/y`, { method: "POST", headers: { origin } }))
    staged.event.url.pathname = "/auth/signout"
    const answer = await app.handle({ event: staged.event, resolve: () => new Response("remote") })
    expect(await answer.text()).toBe("remote")
  })

  it("builds addresses from the origin that the adapter tells", async () => {
    const browser = new Browser(application(), "https://behind.test:8443")
    expect(await (await browser.visit("/auth/providers")).json()).toMatchObject({
      git: { callbackUrl: "https://behind.test:8443/auth/callback/git" },
    })
  })

  it("believes AUTH_URL before that", async () => {
    const app = application(config(), { environment: async () => ({ AUTH_URL: "https://public.test" }) })
    const browser = new Browser(app, "http://inner:3000")
    expect(await (await browser.visit("/auth/providers")).json()).toMatchObject({
      git: { callbackUrl: "https://public.test/auth/callback/git" },
    })
    const headers = { origin: "https://public.test" }
    const out = await browser.visit("/auth/signout", undefined, { method: "POST", headers })
    expect(out.headers.get("location")).toBe("https://public.test")
  })

  it("refuses a host that may not be believed", async () => {
    const { trustHost: _, ...untrusting } = config()
    const app = application(untrusting, { environment: async () => ({ NODE_ENV: "production" }) })
    const answer = await new Browser(app, "http://undefined").visit("/auth/session")
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ error: "Configuration" })
  })

  it("sets each cookie in a field of its own", { tags: ["threat:CK-30"] }, async () => {
    const browser = new Browser(application(config()))
    const init = { method: "POST", headers: { origin }, body: new URLSearchParams({ callbackUrl: "/a,b" }) }
    const answer = await browser.visit("/auth/signin/git", undefined, init)
    const names = answer.headers.getSetCookie().map((line) => line.slice(0, line.indexOf("=")))
    expect(names.length).toBeGreaterThan(1)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^__(?:Host|Secure)-authjs\.[\w.-]+$/)
  })

  it("answers a body that somebody has read before with 400", async () => {
    const request = new Request(`${origin}/auth/signout`, {
      method: "POST",
      body: new URLSearchParams(),
      headers: { origin },
    })
    await request.text()
    const answer = await application().handle({ event: stage(request).event, resolve: () => new Response("page") })
    expect(answer.status).toBe(400)
  })
})

describe("the protection against forged requests", () => {
  const json = (headers: Record<string, string>, body: object = {}): RequestInit => ({
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })

  it.each([
    ["its Origin", { origin }],
    ["its Origin, though the site is said to be another", { origin, "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site alone", { "sec-fetch-site": "same-origin" }],
    [
      "Sec-Fetch-Site, behind a proxy whose name only the browser knows",
      { origin: "https://public.test", "sec-fetch-site": "same-origin" },
    ],
    ["Sec-Fetch-Site, from a page without referrer", { origin: "null", "sec-fetch-site": "same-origin" }],
  ])("lets a JSON body pass by %s", { tags: ["threat:CS-17"] }, async (_, headers) => {
    const browser = await signedIn()
    await browser.visit("/auth/signout", undefined, json(headers))
    expect(browser.has("session-token")).toBe(false)
  })

  it.each([
    ["another Origin", { origin: "https://evil.test" }],
    ["an opaque Origin", { origin: "null" }],
    ["another Origin and another site", { origin: "https://evil.test", "sec-fetch-site": "cross-site" }],
    ["another Origin of the same site", { origin: "https://blog.app.test", "sec-fetch-site": "same-site" }],
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["nothing that tells", {}],
  ])("refuses a JSON body with %s", { tags: ["threat:CS-13", "threat:CS-17", "threat:A-153"] }, async (_, headers) => {
    const browser = await signedIn()
    const answer = await browser.visit("/auth/signout", undefined, json({ ...headers, "x-auth-return-redirect": "1" }))
    expect(answer.status).toBe(403)
    expect(browser.has("session-token")).toBe(true)
  })

  it.each([{}, { origin: "https://evil.test" }])(
    "lets a valid token pass, with %j",
    { tags: ["threat:CS-18"] },
    async (headers) => {
      const browser = await signedIn()
      const { csrfToken } = (await (await browser.visit("/auth/csrf")).json()) as { csrfToken: string }
      expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
      await browser.visit("/auth/signout", undefined, json(headers, { csrfToken }))
      expect(browser.has("session-token")).toBe(false)
    },
  )

  it("can be switched off, and still refuses what is seen to come from elsewhere", {
    tags: ["threat:CS-17"],
  }, async () => {
    const app = application(config({ ...everyTime, skipCSRFCheck }))
    expect((await new Browser(app).visit("/auth/csrf")).status).toBe(404)
    for (const headers of [{ origin: "https://evil.test" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }]) {
      const browser = await signedIn(app)
      await browser.visit("/auth/signout", undefined, json(headers as Record<string, string>))
      expect(browser.has("session-token")).toBe(true)
    }
    const browser = await signedIn(app)
    await browser.visit("/auth/signout", undefined, json({}))
    expect(browser.has("session-token")).toBe(false)
  })
})

describe("locals.auth", () => {
  it("is null for nobody, and asks the configuration for nothing but the session [spec sveltekit session]", async () => {
    expect(await nameIn(await new Browser(application()).visit("/", who))).toBeUndefined()
  })

  it("reads once for all who ask in a request, and anew in the next [spec sveltekit auth]", async () => {
    const session = vi.fn(({ session: given }) => given)
    const browser = await signedIn(application(config({ ...everyTime, callbacks: { session } })))
    const page: Page = async ({ locals }) => {
      const [one, two] = await Promise.all([locals.auth(), locals.auth()])
      vi.advanceTimersByTime(60_000)
      expect(one).toBe(two)
      expect(await locals.getSession()).toBe(one)
      return new Response()
    }
    vi.useFakeTimers({ toFake: ["performance"] })
    await browser.visit("/", page)
    expect(session).toHaveBeenCalledTimes(1)
    await browser.visit("/", page)
    expect(session).toHaveBeenCalledTimes(2)
  })

  it("writes the cookie of a session that was extended, and keeps the page out of shared caches", {
    tags: ["threat:HD-06"],
  }, async () => {
    const browser = await signedIn()
    const set = await writes(browser, who)
    expect(set.names).toEqual(["__Secure-authjs.session-token"])
    expect(set.response.headers.get("cache-control")).toBe("private, no-store")
  })

  it("keeps the answer to a sign-in out of shared caches as well", async () => {
    const app = application()
    const answer = await new Browser(app).post("/signin", ada, acting(app.signIn))
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
  })

  it("leaves a page that said how it may be kept, and one that nobody asked on", async () => {
    const browser = await signedIn()
    const own: Page = async ({ locals }) => {
      await locals.auth()
      return new Response("", { headers: { "cache-control": "private, max-age=5" } })
    }
    expect((await browser.visit("/", own)).headers.get("cache-control")).toBe("private, max-age=5")
    expect((await browser.visit("/")).headers.get("cache-control")).toBeNull()
  })

  it("keeps what is shown to somebody out of shared caches, also where no cookie is set, unless the page says otherwise", {
    tags: ["threat:HD-03"],
  }, async () => {
    const browser = await signedIn(application(config()))
    const kept = async (page: Page) => (await browser.visit("/", page)).headers.get("cache-control")
    expect(await kept(who)).toBe("private, no-store")
    // It streams: the session is known after the response was made.
    expect(await kept(({ locals }) => new Response(String(locals.auth())))).toBe("private, no-store")
    const shared: Page = async ({ locals }) =>
      new Response(String(await locals.auth()), { headers: { "cache-control": "public, max-age=60" } })
    expect(await kept(shared)).toBe("public, max-age=60")
    expect(await kept(() => new Response("for everybody"))).toBeNull()
    expect((await new Browser(application(config())).visit("/", who)).headers.get("cache-control")).toBeNull()
  })

  it.each(["public, max-age=600", "s-maxage=60", "no-cache"])(
    "takes a page out of shared caches that said %j",
    { tags: ["threat:HD-03"] },
    async (said) => {
      const browser = await signedIn()
      const own: Page = async ({ locals }) => {
        await locals.auth()
        return new Response("", { headers: { "cache-control": said, "vercel-cdn-cache-control": "s-maxage=60" } })
      }
      const { headers } = await browser.visit("/", own)
      expect(headers.get("cache-control")).toBe("private, no-store")
      expect(headers.has("vercel-cdn-cache-control")).toBe(false)
    },
  )

  it.each<[string, (sent: Request) => Promise<unknown>, PropertyDescriptor?]>([
    ["was read", (sent) => sent.formData()],
    ["was read of a copy", (sent) => sent.clone().formData()],
    // As a remote form does that leaves its files for later.
    ["is read in parts", async (sent) => sent.body?.getReader().read()],
    // Some runtimes have no such member.
    ["is not shown", async () => undefined, { value: undefined }],
  ])(
    "is read again, once, after a second, where a body %s: the session may have ended meanwhile",
    { tags: ["threat:SF-08"] },
    async (_, readBody, shown) => {
      let hasEnded = false
      const session = vi.fn(({ session: given }) => given)
      const jwt = <T>({ token }: { token: T }): T | null => (hasEnded ? null : token)
      const browser = await signedIn(application(config({ ...everyTime, callbacks: { jwt, session } })))
      const page: Page = async ({ locals, request: sent }) => {
        if (shown) Object.defineProperty(sent, "body", shown)
        expect(await locals.auth()).toMatchObject({ user: { name: "Ada" } })
        hasEnded = true
        await readBody(sent)
        vi.advanceTimersByTime(999)
        expect(await locals.auth()).not.toBeNull()
        vi.advanceTimersByTime(1)
        expect(await locals.auth()).toBeNull()
        hasEnded = false
        return Response.json(await locals.auth())
      }
      vi.useFakeTimers({ toFake: ["performance"] })
      expect(await (await browser.post("/", { name: "Mallory" }, page)).json()).toBeNull()
      expect(session).toHaveBeenCalledTimes(1)
    },
  )

  it("is read one after the other: a token that is good for one refresh is used once", async () => {
    const used: unknown[] = []
    let goOn: () => void = () => {}
    const isRefreshed = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let isDue = false
    const jwt = async <T extends Record<string, unknown>>({ token }: { token: T }): Promise<T> => {
      if (!isDue || token["refresh"] === "second") return token
      used.push(token["refresh"])
      await isRefreshed
      return { ...token, refresh: "second" }
    }
    const browser = await signedIn(application(config({ ...everyTime, callbacks: { jwt } })))
    isDue = true
    const page: Page = async ({ locals }) => {
      const first = locals.auth()
      await vi.waitFor(() => expect(used).toHaveLength(1))
      vi.advanceTimersByTime(1000)
      const second = locals.auth()
      vi.advanceTimersByTime(1000)
      // Readings that wait do not add up.
      expect(locals.auth()).toBe(second)
      goOn()
      return Response.json([(await first)?.user?.name, (await second)?.user?.name])
    }
    vi.useFakeTimers({ toFake: ["performance"] })
    expect(await (await browser.post("/", { name: "Ada" }, page)).json()).toEqual(["Ada", "Ada"])
    expect(used).toEqual([undefined])
  })

  it("does not come back when it was being read while the person signed out", { tags: ["threat:RC-12"] }, async () => {
    let goOn: () => void = () => {}
    const isOut = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const session = async <T>({ session: given }: { session: T }): Promise<T> => {
      await isOut
      return given
    }
    const app = application(config({ ...everyTime, callbacks: { session } }))
    const browser = await signedIn(app)
    const answer = await browser.visit("/", async (event) => {
      const reading = event.locals.auth()
      await app.signOut(event, { redirect: false })
      goOn()
      return Response.json([await reading, await event.locals.auth()])
    })
    expect(await answer.json()).toEqual([expect.anything(), null])
    expect(browser.has("session-token")).toBe(false)
  })

  it("keeps a response private whose headers cannot be changed", async () => {
    const browser = await signedIn()
    const fixed: Page = async ({ locals }) => {
      await locals.auth()
      return Response.redirect(`${origin}/elsewhere`)
    }
    const response = await browser.visit("/", fixed)
    expect(response.status).toBe(302)
    expect(response.headers.get("cache-control")).toBe("private, no-store")
  })

  it.each([
    [301, 302],
    [308, 307],
    [303, 303],
  ])(
    "turns a redirect of another hook with %i into one with %i where it carries a session, for caches keep it",
    {
      tags: ["threat:HD-03"],
    },
    async (status, sent) => {
      const app = application(config(everyTime))
      const { header: cookie } = await signedIn(app)
      const left = (reads: boolean) => {
        const { event } = stage(new Request(origin, { headers: { cookie } }))
        const resolve = async (): Promise<Response> => {
          if (reads) await event.locals.auth()
          redirect(status as 301 | 303 | 308, "/elsewhere")
        }
        return app.handle({ event, resolve })
      }
      await expect(left(true)).rejects.toMatchObject({ location: "/elsewhere", status: sent })
      await expect(left(false)).rejects.toMatchObject({ location: "/elsewhere", status })
    },
  )

  it("is answered after the response was made, extends nothing then and does not throw (pain 9)", async () => {
    const browser = await signedIn()
    let late: (() => Promise<unknown>) | undefined
    const set = await writes(browser, ({ locals }) => {
      late = () => locals.auth()
      return new Response("streams")
    })
    expect(set.names).toEqual([])
    expect(await late?.()).toMatchObject({ user: { name: "Ada" } })
    expect(set.names).toEqual([])
    expect(set.response.headers.get("cache-control")).toBeNull()
  })

  it("moves row and cookie together: a row that is read late stays as it is", async () => {
    const adapter = memoryAdapter()
    const user = await adapter.createUser?.({ id: "1", name: "Ada", email: "ada@app.test", emailVerified: null })
    const sessionToken = "t".repeat(64)
    const expires = new Date(Date.now() + 1_000_000)
    await adapter.createSession?.({ sessionToken, userId: user?.id ?? "", expires })
    const app = application(config({ adapter, session: { strategy: "database", updateAge: 0 } }))
    const headers = { cookie: `__Secure-authjs.session-token=${sessionToken}` }
    const endOfRow = async (): Promise<number | undefined> =>
      (await adapter.getSessionAndUser?.(sessionToken))?.session.expires.getTime()
    let late: (() => Promise<unknown>) | undefined
    await new Browser(app).visit(
      "/",
      ({ locals }) => {
        late = () => locals.auth()
        return new Response("streams")
      },
      { headers },
    )
    expect(await late?.()).toMatchObject({ user: { name: "Ada" } })
    expect(await endOfRow()).toBe(expires.getTime())
    await new Browser(app).visit("/", who, { headers })
    expect(await endOfRow()).toBeGreaterThan(expires.getTime())
  })

  it("does not hold up a response for a session that is still read, nor write its cookie afterwards", async () => {
    let open = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const callbacks = {
      async session({ session }: { session: object }) {
        await gate
        return session as never
      },
    }
    const browser = await signedIn(application(config({ ...everyTime, callbacks })))
    let reading: Promise<unknown> | undefined
    const set = await writes(browser, ({ locals }) => {
      reading = locals.auth()
      return new Response("streams")
    })
    expect(await set.response.text()).toBe("streams")
    open()
    expect(await reading).toMatchObject({ user: { name: "Ada" } })
    expect(set.names).toEqual([])
  })

  it("throws an AuthError to every caller when the session cannot be determined", async () => {
    const jwt = vi.fn(() => {
      throw new Error("The store is away.")
    })
    const app = application(config(everyTime))
    const browser = await signedIn(app)
    const broken = application(config({ callbacks: { jwt } }))
    const page: Page = async ({ locals }) => {
      const answers = await Promise.allSettled([locals.auth(), locals.auth()])
      return Response.json(answers.map((one) => one.status === "rejected" && isAuthError(one.reason)))
    }
    const cookie = browser.header
    const staged = stage(new Request(origin, { headers: { cookie } }))
    const answer = await broken.handle({ event: staged.event, resolve: page })
    expect(await answer.json()).toEqual([true, true])
    expect(jwt).toHaveBeenCalledTimes(1)
    expect(staged.set).toEqual([])
  })

  it("leaves no rejection unhandled when nobody waits for it", async () => {
    const { event } = stage(new Request(origin))
    const app = application({ ...config(), secret: "" })
    const answer = await app.handle({
      event,
      resolve: ({ locals }) => {
        void locals.auth()
        return new Response("page")
      },
    })
    expect(await answer.text()).toBe("page")
    await expect(event.locals.auth()).rejects.toMatchObject({ type: "MissingSecret" })
  })

  it("follows what the request itself has changed", async () => {
    const app = application(config(everyTime))
    const browser = new Browser(app)
    const names: unknown[] = []
    await browser.post("/signin", ada, async (event) => {
      names.push((await event.locals.auth())?.user?.name)
      await app.signIn(event, { provider: "credentials", fields: ada, redirect: false })
      names.push((await event.locals.auth())?.user?.name)
      await app.signOut(event, { redirect: false })
      names.push((await event.locals.auth())?.user?.name)
      return new Response()
    })
    expect(names).toEqual([undefined, "Ada", undefined])
  })
})

it("keeps a page with the tokens of its forms out of shared caches, which would hand those to everybody", {
  tags: ["threat:HD-06"],
}, async () => {
  const app = application()
  const signin: Page = async (event) => {
    const { hidden } = await app.signInView(event)
    return new Response(hidden["csrfToken"], { headers: { "cache-control": "public, max-age=60" } })
  }
  const browser = new Browser(app)
  for (const visit of ["the first", "one that sets no cookie"]) {
    const answer = await browser.visit("/signin", signin)
    expect(answer.headers.get("cache-control"), visit).toBe("private, no-store")
  }
})

describe("while the application is built", () => {
  it("nobody is here, no secret is asked for, and nothing is answered (pain 9) [spec sveltekit prerender]", {
    tags: ["threat:PA-19"],
  }, async () => {
    const environment = vi.fn(async () => ({}))
    const source = vi.fn(() => config())
    const app = application(source, { isBuilding: () => true, environment })
    const { event } = stage(new Request(origin))
    const page: Page = async ({ locals }) => Response.json([await locals.auth(), await app.auth(event)])
    expect(await (await new Browser(app).visit("/", page)).json()).toEqual([null, null])
    expect(await (await new Browser(app).visit("/auth/session")).text()).toBe("page")
    expect(environment).not.toHaveBeenCalled()
    expect(source).not.toHaveBeenCalled()
  })
})

describe("the base path in pages", () => {
  const headOf = async (app: ReturnType<typeof application>, isPage = true): Promise<string> => {
    const { event } = stage(new Request(origin))
    let html = isPage ? "<head><title>$&</title></head><body></head>" : "<p>later</p>"
    await app.handle({
      event,
      resolve: async (_, options) => {
        html = (await options?.transformPageChunk?.({ html, done: true })) ?? html
        return new Response(html)
      },
    })
    return html
  }

  it("is announced where it is not the default", async () => {
    const app = application(config({ basePath: "/login" }), { kitBase: "/app" })
    expect(await headOf(app)).toBe(
      '<head><title>$&</title><meta name="auth-base-path" content="/app/login"></head><body></head>',
    )
    expect(await headOf(app, false)).toBe("<p>later</p>")
  })

  it("is announced as text", async () => {
    expect(await headOf(application(config({ basePath: '/"><script>' })))).toContain(
      'content="/&#34;&#62;&#60;script&#62;"',
    )
  })

  it.each([config(), config({ basePath: "/auth" }), () => config({ basePath: "/login" })])(
    "is not announced otherwise",
    async (source) => {
      expect(await headOf(application(source))).not.toContain("meta")
    },
  )
})

/** The cookies that a visit wrote. */
async function writes(browser: Browser, page: Page): Promise<{ names: string[]; response: Response }> {
  const names: string[] = []
  const response = await browser.visit("/", (event) => {
    const set = event.cookies.set.bind(event.cookies)
    event.cookies.set = (...given) => {
      names.push(given[0])
      set(...given)
    }
    return page(event)
  })
  return { names, response }
}
