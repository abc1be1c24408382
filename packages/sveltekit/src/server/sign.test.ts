import { type AuthService, createAuth, skipCSRFCheck } from "@latchkey/core"
import { AuthError, CredentialsSignin } from "@latchkey/core/errors"
import { managedSessions } from "@latchkey/core/sessions"
import { isHttpError, isRedirect, type RequestEvent } from "@sveltejs/kit"
import { describe, expect, it, vi } from "vitest"
import {
  application,
  Browser,
  config,
  nameIn,
  origin,
  stage,
  switchedStore,
  who,
} from "../../test/support/application.js"
import { formAction } from "./form-action.js"
import { OwnCookies } from "./own-cookies.js"
import { readersWith } from "./session-reader.js"
import { createActions, type SignResult } from "./sign.js"

const ada = { providerId: "credentials", name: "Ada", password: "right" }

function posted(
  form: Record<string, string>,
  headers: Record<string, string> = {},
  path = "/signin",
): ReturnType<typeof stage> {
  const body = new URLSearchParams(form)
  return stage(
    new Request(origin + path, {
      method: "POST",
      body,
      // A request that says where it comes from otherwise has no Origin.
      headers: "sec-fetch-site" in headers ? headers : { origin, ...headers },
    }),
  )
}

/** What was thrown. */
async function thrown(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  )
}

async function locationOf(work: Promise<unknown>): Promise<string> {
  const redirect = await thrown(work)
  expect(isRedirect(redirect)).toBe(true)
  const { status, location } = redirect as { status: number; location: string }
  expect(status).toBe(303)
  return location
}

describe("signIn as a form action", () => {
  it("signs in with credentials, sets the cookies and redirects with 303 [spec sveltekit members] [spec sveltekit session]", async () => {
    const { event, set } = posted({ ...ada, redirectTo: "/inside" })
    expect(await locationOf(application().signIn(event))).toBe(`${origin}/inside`)
    expect(set).toEqual([
      {
        name: "__Secure-authjs.session-token",
        value: expect.stringMatching(/^eyJ/),
        options: { path: "/", httpOnly: true, secure: true, sameSite: "lax", expires: expect.any(Date) },
      },
    ])
  })

  it("begins at a provider, with its parameters [spec sveltekit callback-url]", async () => {
    const { event, set } = posted({ providerId: "git", "authorizationParams-prompt": "login" })
    const address = new URL(await locationOf(application().signIn(event)))
    expect(address.origin + address.pathname).toBe("https://git.test/in")
    expect(address.searchParams.get("prompt")).toBe("login")
    expect(address.searchParams.get("redirect_uri")).toBe(`${origin}/auth/callback/git`)
    expect(set.map(({ name }) => name)).toContain("__Secure-authjs.pkce.code_verifier")
  })

  it("sends a person who has not chosen to the sign-in page", async () => {
    const { event } = posted({ redirectTo: "/inside" })
    const address = new URL(await locationOf(application().signIn(event)))
    expect(address.pathname).toBe("/auth/signin")
    expect(address.searchParams.get("callbackUrl")).toContain("/inside")
  })

  it.each([
    [{ referer: `${origin}/blog?page=2` }, `${origin}/blog?page=2`],
    [{ referer: `${origin}/signin?callbackUrl=%2Fmine` }, `${origin}/mine`],
    [{ referer: "https://evil.test/" }, `${origin}/app/`],
    [{}, `${origin}/app/`],
  ])("returns with %j to %s (pain 30)", async (headers, address) => {
    const app = application(config(), { kitBase: "/app" })
    expect(await locationOf(app.signIn(posted(ada, headers as Record<string, string>).event))).toBe(address)
  })

  it("leads nowhere but into the application", async () => {
    const address = await locationOf(application().signIn(posted({ ...ada, redirectTo: "https://evil.test/" }).event))
    expect(new URL(address).origin).toBe(origin)
  })

  it.each(["/a\r\nb", "/\u2603", "/\ud800"])(
    "writes the address %j so that a header can carry it",
    { tags: ["threat:A-154"] },
    async (redirectTo) => {
      const address = await locationOf(application().signIn(posted({ ...ada, redirectTo }).event))
      expect(address).toMatch(/^[\x21-\x7e]+$/)
    },
  )

  it("throws CredentialsSignin to its caller [spec credentials-signin 2]", async () => {
    const { event, set } = posted({ ...ada, password: "wrong" })
    const error = await thrown(application().signIn(event))
    expect(error).toBeInstanceOf(CredentialsSignin)
    expect(error).toMatchObject({ code: "credentials" })
    expect(set).toEqual([])
  })

  const refusing = {
    "the application refuses": { callbacks: { signIn: () => false } },
    "it does so by throwing": {
      callbacks: {
        signIn: () => {
          throw new Error("No.")
        },
      },
    },
  }

  it.each(Object.entries(refusing))("leads to the error page when %s [spec errors 1]", async (_, more) => {
    expect(await locationOf(application(config(more)).signIn(posted(ada).event))).toBe(
      `${origin}/auth/error?error=AccessDenied`,
    )
    const own = application(config({ ...more, pages: { error: "/sorry" } }))
    expect(await locationOf(own.signIn(posted(ada).event))).toBe(`${origin}/sorry?error=AccessDenied`)
    const silent = posted({ ...ada, redirect: "false" })
    expect(await own.signIn(silent.event)).toEqual({ redirect: `${origin}/sorry?error=AccessDenied` })
  })

  it("is answered with a failure by formAction when the application refuses", async () => {
    const action = formAction(application(config(refusing["the application refuses"])).signIn)
    for (const form of [ada, { ...ada, redirect: "false" }])
      expect(await action(posted(form).event)).toMatchObject({ status: 403, data: { error: "AccessDenied" } })
  })

  it("throws a fault of the application, with its name", async () => {
    const error = await thrown(application(config({ secret: "" })).signIn(posted(ada).event))
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toMatchObject({ type: "MissingSecret" })
  })

  it.each([
    ["nobody", "nobody"],
    ["__proto__", "__proto__"],
    ["a path", "../signout"],
    ["ten thousand characters", "x".repeat(10_000)],
    ["a null character", "\u0000"],
  ])("shows the sign-in page for a provider that is not there, with the way back: %s", async (_, providerId) => {
    const form = { providerId, redirectTo: "/inside" }
    const address = new URL(await locationOf(application().signIn(posted(form).event)))
    expect(address.origin + address.pathname).toBe(`${origin}/auth/signin`)
    expect(address.searchParams.get("callbackUrl")).toContain("/inside")
  })

  it("answers what is no form with 400", async () => {
    const init = { method: "POST", body: "no boundary", headers: { origin, "content-type": "multipart/form-data" } }
    for (const action of ["signIn", "signOut"] as const) {
      const error = await thrown(application()[action](stage(new Request(`${origin}/signin`, init)).event))
      expect(isHttpError(error, 400)).toBe(true)
    }
  })
})

describe("the protection of the actions", () => {
  it.each([{ origin: "https://evil.test" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }])(
    "refuses a form from %j",
    { tags: ["threat:CS-17"] },
    async (headers) => {
      const app = application(config({ skipCSRFCheck }))
      for (const one of [application(), app]) {
        const forms = [
          posted(ada, headers),
          posted({ providerId: "git" }, headers),
          posted({ providerId: "x" }, headers),
        ]
        for (const { event, set } of forms) {
          expect(await locationOf(one.signIn(event))).toBe(`${origin}/auth/signin?error=Signin`)
          expect(set.filter(({ name }) => name.includes("session-token"))).toEqual([])
        }
        const out = posted({}, headers, "/signout")
        expect(await locationOf(one.signOut(out.event))).toBe(`${origin}/auth/signin?error=Signin`)
        expect(out.set).toEqual([])
      }
    },
  )

  it("refuses a form of which nothing tells where it comes from, unless it carries a valid token", async () => {
    const app = application()
    const browser = new Browser(app)
    const { csrfToken } = (await (await browser.visit("/auth/csrf")).json()) as { csrfToken: string }
    const silently = (form: Record<string, string>): Promise<Response> =>
      browser.visit(
        "/signin",
        async (event) => {
          return Response.json(await locationOf(app.signIn(event, undefined)))
        },
        { method: "POST", body: new URLSearchParams(form) },
      )
    const refused = `${origin}/auth/signin?error=Signin`
    expect(await (await silently(ada)).json()).toBe(refused)
    expect(await (await silently({ ...ada, csrfToken: "wrong" })).json()).toBe(refused)
    expect(await (await silently({ ...ada, csrfToken })).json()).toBe(`${origin}/`)
  })

  it("accepts the address that AUTH_URL names", async () => {
    const app = application(config(), { environment: async () => ({ AUTH_URL: "https://public.test" }) })
    const { event } = posted(ada, { origin: "https://public.test" })
    expect(await locationOf(app.signIn(event))).toMatch(/^https:\/\/public\.test\//)
  })
})

describe("signing in and out by code", () => {
  it("uses its arguments, reads no form and trusts its caller", async () => {
    const app = application()
    const { event, set } = stage(new Request(`${origin}/api/in`))
    const fields = { name: "Ada", password: "right" }
    const answer = await app.signIn(event, { provider: "credentials", fields, redirectTo: "/x", redirect: false })
    expect(answer).toEqual({ redirect: `${origin}/x` } satisfies SignResult)
    expect(set).toHaveLength(1)
    expect(await app.auth(event)).toMatchObject({ user: { name: "Ada" } })
    expect(await app.signOut(event, { redirect: false })).toEqual({ redirect: `${origin}/` })
    expect(await app.auth(event)).toBeNull()
  })

  it("throws every failure to the code that called", async () => {
    const refusing = application(config({ callbacks: { signIn: () => false } }))
    const { event } = stage(new Request(`${origin}/api/in`))
    const fields = { name: "Ada", password: "right" }
    const call = { provider: "credentials", fields }
    expect(await thrown(refusing.signIn(event, call))).toMatchObject({ type: "AccessDenied" })
    expect(await thrown(refusing.signIn(event, { provider: "nobody" }))).toMatchObject({ type: "InvalidProvider" })
  })

  it("updates the session, and the request sees it", async () => {
    const jwt = vi.fn(({ token, session }) =>
      session ? { ...token, name: (session as { name: string }).name } : token,
    )
    const app = application(config({ callbacks: { jwt } }))
    const browser = new Browser(app)
    await browser.post("/signin", ada, (event) => app.signIn(event) as never)
    const answer = await browser.visit("/rename", async (event: RequestEvent) => {
      expect(await app.update(event, { name: "Bea" })).toMatchObject({ user: { name: "Bea" } })
      return who(event)
    })
    expect(await nameIn(answer)).toBe("Bea")
    expect(await nameIn(await browser.visit("/", who))).toBe("Bea")
  })
})

describe("a call that throws", () => {
  it("sets its cookies: the jwt callback may have changed the token before", async () => {
    const { event, set } = stage(new Request(origin))
    const refused = new AuthError("refused")
    const service: AuthService = {
      ...createAuth(config()),
      signIn: async (_source, _provider, call) => {
        call?.onThrow?.([{ name: "session", value: "fresh", options: {} }])
        throw refused
      },
    }
    const readerOf = readersWith({ findService: async () => service, own: new OwnCookies() })
    const { signIn } = createActions({ findService: async () => service, readerOf, home: origin })
    expect(await thrown(signIn(event, { provider: "git" }))).toBe(refused)
    expect(set).toMatchObject([{ name: "session", value: "fresh" }])
    expect(readerOf(event).hasWritten).toBe(true)
  })
})

describe("a session that could not be removed", { tags: ["threat:SF-07"] }, () => {
  it.each([
    ["in an endpoint", {}],
    ["in an endpoint that answers itself", { redirect: false }],
    ["as a form action", undefined],
  ])("lets signOut throw, and its cookie is gone for the rest of the request: %s", async (_, options) => {
    const store = switchedStore()
    const app = application(
      config({ adapter: store.records, session: { strategy: "jwt" }, features: [managedSessions()] }),
    )
    const browser = new Browser(app)
    await browser.post("/signin", ada, (event) => app.signIn(event) as never)
    store.isAway = true
    const found: unknown[] = []
    await browser.post("/signout", {}, async (event) => {
      found.push(await nameIn(await who(event)))
      found.push(await thrown(app.signOut(event, options)))
      found.push(await nameIn(await who(event)))
      return new Response("page")
    })
    expect(found).toMatchObject(["Ada", { type: "SignOutError" }, undefined])
    expect(browser.has("session-token")).toBe(false)
  })
})

describe("signOut as a form action", () => {
  it("takes the cookie away and returns to the page it was asked on [spec sveltekit members]", async () => {
    const app = application()
    const browser = new Browser(app)
    await browser.post("/signin", ada, (event) => app.signIn(event) as never)
    expect(browser.has("session-token")).toBe(true)
    const answer = await browser.visit("/signout", (event) => app.signOut(event) as never, {
      method: "POST",
      body: new URLSearchParams(),
      headers: { origin, referer: `${origin}/blog` },
    })
    expect(answer.status).toBe(303)
    expect(answer.headers.get("location")).toBe(`${origin}/blog`)
    expect(browser.has("session-token")).toBe(false)
  })

  it("obeys redirectTo and redirect", async () => {
    const app = application()
    expect(await locationOf(app.signOut(posted({ redirectTo: "/bye" }).event))).toBe(`${origin}/bye`)
    expect(await app.signOut(posted({ redirectTo: "/bye", redirect: "false" }).event)).toEqual({
      redirect: `${origin}/bye`,
    })
  })
})
