/** One request changes the session twice: middleware reads it when it is due, and what answers then signs out or in. */
import { describe, expect, it } from "vitest"
import { type AuthService, addOlderCookies, createAuth, toSetCookie } from "../../src/index.js"
import { memoryAdapter } from "../../src/memory.js"
import { managedSessions } from "../../src/sessions.js"
import type { AuthConfig, Cookie } from "../../src/types/config.js"
import { openBrowser } from "../support/browser.js"
import { passwordProvider, plainSettings } from "../support/password-service.js"

/** Each in which reading the session sets its cookie. */
const due: readonly (readonly [string, () => Partial<AuthConfig>])[] = [
  ["extended by every read", () => ({ session: { strategy: "jwt", updateAge: 0 } })],
  ["changed by the jwt callback", () => ({ callbacks: { jwt: ({ token }) => ({ ...token, seen: Math.random() }) } })],
  [
    "too long for one cookie once it is read",
    () => ({ callbacks: { jwt: ({ token, user }) => ({ ...token, ...(!user && { more: "x".repeat(9000) }) }) } }),
  ],
  [
    "given to the domain",
    () => ({
      session: { strategy: "jwt", updateAge: 0 },
      cookies: { sessionToken: { options: { domain: ".app.test" } } },
    }),
  ],
  ["a row", () => ({ adapter: memoryAdapter(), session: { strategy: "database", updateAge: 0 } })],
  [
    "managed",
    () => ({
      adapter: memoryAdapter(),
      features: [managedSessions()],
      session: { strategy: "jwt", updateAge: 0 },
    }),
  ],
]

type Route = (auth: AuthService, request: Request) => Promise<Response>

function answerOf(redirect: string, cookies: readonly Cookie[]): Response {
  const response = new Response(null, { status: 303, headers: { Location: redirect } })
  for (const cookie of cookies) response.headers.append("Set-Cookie", toSetCookie(cookie))
  return response
}

const signsOut: Route = async (auth, request) => {
  const { redirect, cookies } = await auth.signOut(request)
  return answerOf(redirect, cookies)
}

const asBob: Route = async (auth, request) => {
  const fields = { username: "bob", password: "right" }
  const { redirect, cookies } = await auth.signIn(request, "password", { fields })
  return answerOf(redirect, cookies)
}

const shows: Route = async () => new Response("page", { headers: { "Set-Cookie": "theme=dark" } })

describe.each(due)("a session that is %s", { tags: ["threat:RC-12"] }, (_kind, more) => {
  async function open() {
    const given = more()
    const people = new Map<unknown, { id: string; name: string }>()
    for (const name of ["ada", "bob"])
      people.set(name, {
        id: name,
        ...(await given.adapter?.createUser?.({ id: "", name, email: `${name}@app.test`, emailVerified: null })),
        name,
      })
    const password = {
      ...passwordProvider(),
      authorize: ({ username }: object & { username?: unknown }) => people.get(username) ?? null,
    }
    const auth = createAuth({ ...plainSettings, providers: [password], ...given } as AuthConfig, { env: {} })
    const answered = (request: Request): Promise<Response> => {
      const routes: Readonly<Record<string, Route>> = { "/out": signsOut, "/bob": asBob, "/page": shows }
      const route = routes[new URL(request.url).pathname]
      return route ? route(auth, request) : auth.handle(request)
    }
    const browser = openBrowser(async (request) => {
      const copy = request.clone()
      const { cookies } = await auth.session(request)
      const response = await answered(copy)
      addOlderCookies(response.headers, cookies)
      return response
    })
    const who = async () => ((await browser.session()) as { user?: { name?: string } } | null)?.user?.name
    await browser.post("/auth/callback/password", { username: "ada", password: "right" }, { csrf: false })
    return { browser, who }
  }

  it("keeps the cookie that it was read with, where the answer has none of the session", async () => {
    const { browser, who } = await open()
    const { setCookies } = await browser.get("/page")
    expect(setCookies).toContain("theme")
    expect(setCookies.join()).toContain("session-token")
    expect(await who()).toBe("ada")
  })

  it.each([
    ["a route of the application", "/out"],
    ["the service", "/auth/signout"],
  ])("stays ended when %s has ended it", async (_what, path) => {
    const { browser, who } = await open()
    await browser.post(path, {}, { csrf: false })
    expect(await who()).toBeUndefined()
    expect([...browser.jar.keys()].filter((name) => name.includes("session-token"))).toEqual([])
  })

  it.each([
    ["a route of the application", "/bob"],
    ["the service", "/auth/callback/password"],
  ])("gives way to that of somebody who signs in by %s", async (_what, path) => {
    const { browser, who } = await open()
    await browser.post(path, { username: "bob", password: "right" }, { csrf: false })
    expect(await who()).toBe("bob")
  })
})
