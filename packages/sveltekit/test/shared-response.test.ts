/** One Response object that the application returns for many requests: SvelteKit adds the cookies of each to it. */
import { encode } from "@latchkey/core/jwt"
import type { RequestEvent } from "@sveltejs/kit"
import { describe, expect, it } from "vitest"
import { setCookies } from "../src/server/cookies.js"
import {
  type Answering,
  answered,
  type Behind,
  cookiesIn,
  copies,
  holdingBack,
  peopleIn,
  sessionName as session,
} from "./support/answered.js"
import { application, config, type Page, secret } from "./support/application.js"

const app = application(config({ session: { updateAge: 0 } }))

const signIn = (event: RequestEvent, name: string): Promise<unknown> =>
  app.signIn(event, { provider: "credentials", fields: { name, password: "right" }, redirect: false })

/** The `Cookie` header of somebody who is signed in. */
async function cookieOf(name: string, more: Answering = {}): Promise<string> {
  const page: Page = async (event) => Response.json(await signIn(event, name))
  return cookiesIn(await answered(app, { page, ...more }))
}

/** Signs out, and returns a response of its own. */
const leave: Page = async (event) => Response.json(await app.signOut(event, { redirect: false }))

/** A session token that no request has set yet. */
const tokenOf = (name: string): Promise<string> => encode({ token: { sub: "1", name }, secret, salt: session })

/** A page that asks for the session and always returns the same object. */
function shared(init: ResponseInit = { status: 204 }): Required<Pick<Answering, "page">> {
  const one = new Response(null, init)
  return {
    page: async ({ locals }) => {
      await locals.auth()
      return one
    },
  }
}

describe("one Response for many requests", () => {
  it.each<[string, Behind | undefined]>([
    ["as SvelteKit returns it", undefined],
    ["as a hook behind copies it", copies],
  ])("hands nobody the session of another visitor: %s", { tags: ["threat:HD-06"] }, async (_, behind) => {
    const asked = { ...shared(), ...(behind && { behind }) }
    const [ada, bob] = [await cookieOf("Ada"), await cookieOf("Bob")]
    const seen: unknown[] = []
    for (const cookie of [undefined, ada, undefined, bob, undefined, ada]) {
      const response = await answered(app, { ...asked, ...(cookie && { cookie }) })
      seen.push([...(await peopleIn(app, response)), response.headers.get("cache-control")])
    }
    const own = (name: string): unknown[] => [name, "private, no-store"]
    expect(seen).toEqual([[null], own("Ada"), [null], own("Bob"), [null], own("Ada")])
  })

  it.each<[string, Behind | undefined]>([
    ["as SvelteKit returns it", undefined],
    ["as a hook behind copies it", copies],
  ])("hands nobody a session that was begun with it: %s", { tags: ["threat:HD-06"] }, async (_, behind) => {
    const done = new Response(null, { status: 204 })
    const begin: Page = async (event) => {
      await signIn(event, "Grace")
      return done
    }
    const ways = behind ? { behind } : {}
    expect(await peopleIn(app, await answered(app, { page: begin, ...ways }))).toEqual(["Grace"])
    const stranger = await answered(app, { page: () => done, ...ways })
    expect([stranger.status, stranger.headers.getSetCookie()]).toEqual([204, []])
  })

  it("signs nobody out whom it was not returned to as they did", { tags: ["threat:HD-06"] }, async () => {
    const done = new Response(null, { status: 204 })
    const leaveDone: Page = async (event) => {
      await app.signOut(event, { redirect: false })
      return done
    }
    const out = await answered(app, { page: leaveDone, cookie: await cookieOf("Ada") })
    expect(out.headers.getSetCookie().some((line) => line.startsWith(`${session}=;`))).toBe(true)
    const bob = await answered(app, { page: () => done, cookie: await cookieOf("Bob") })
    expect(bob.headers.getSetCookie()).toEqual([])
  })

  it.each<[string, (event: RequestEvent, name: string) => Promise<unknown>, boolean]>([
    ["the service", signIn, false],
    ["the service in a hook before", signIn, true],
    [
      "the application itself",
      async ({ cookies }, name) => cookies.set(session, await tokenOf(name), { path: "/" }),
      false,
    ],
  ])(
    "keeps apart requests that are answered at the same time, with cookies set by %s",
    {
      tags: ["threat:HD-06"],
    },
    async (_, become, isBefore) => {
      const one = new Response(null, { status: 204 })
      const person = (name: string): [Pick<typeof app, "handle">, Page] => {
        const handle: typeof app.handle = async (input) => {
          if (isBefore) await become(input.event, name)
          return app.handle(input)
        }
        const page: Page = async (event) => {
          if (!isBefore) await become(event, name)
          return one
        }
        return [{ handle }, page]
      }
      const { behind, goOn } = holdingBack()
      const [[first, adas], [second, bobs]] = [person("Ada"), person("Bob")]
      const ada = answered(first, { page: adas, behind })
      const bob = await answered(second, { page: bobs })
      const stranger = await answered(app, { page: () => one })
      goOn()
      expect([await peopleIn(app, await ada), await peopleIn(app, bob), await peopleIn(app, stranger)]).toEqual([
        ["Ada"],
        ["Bob"],
        [],
      ])
    },
  )

  it("hands on to nobody what a hook of the application before the service's has set", {
    tags: ["threat:HD-06"],
  }, async () => {
    const one = new Response(null, { status: 204 })
    const handle: typeof app.handle = async (input) => {
      input.event.cookies.set(session, await tokenOf("Ada"), { path: "/" })
      return app.handle(input)
    }
    const ways = { page: () => one, behind: copies }
    expect(await peopleIn(app, await answered({ handle }, ways))).toEqual(["Ada"])
    expect(await peopleIn(app, await answered(app, ways))).toEqual([])
  })

  it("keeps what the application has written into it, and leaves cookies of the application's own alone", async () => {
    const value = await tokenOf("Ada")
    const lines = [`${session}=; Max-Age=0; Path=/old`, "theme=dark; Path=/"]
    const one = new Response(null, { status: 204 })
    for (const line of lines) one.headers.append("set-cookie", line)
    const impersonate: Page = ({ cookies }) => {
      cookies.set(session, value, { path: "/" })
      cookies.set("seen", "1", { path: "/" })
      return one
    }
    const admin = (await answered(app, { page: impersonate })).headers.getSetCookie()
    expect(admin.map((line) => line.slice(0, line.indexOf("=")))).toEqual([session, "theme", session, "seen"])
    const next = (await answered(app, { page: () => one })).headers.getSetCookie()
    expect(next).toEqual([...lines, expect.stringMatching(/^seen=1/)])
  })

  it("does not undo what a request of the page's own has done", { tags: ["threat:RC-12"] }, async () => {
    const page: Page = async (event) => {
      await event.locals.auth()
      await answered(app, { page: leave, cookie: event.request.headers.get("cookie") ?? "", within: event })
      return new Response()
    }
    const response = await answered(app, { page, cookie: await cookieOf("Ada") })
    expect(await peopleIn(app, response)).toEqual(["nobody"])
  })

  it("hands on the session that a request of the page's own has begun, once", { tags: ["threat:HD-06"] }, async () => {
    const begin: Page = async (event) => Response.json(await signIn(event, "Grace"))
    const done = new Response(null, { status: 204 })
    const page: Page = async (event) => {
      await answered(app, { page: begin, within: event })
      return done
    }
    expect(await peopleIn(app, await answered(app, { page, behind: copies }))).toEqual(["Grace"])
    expect(await peopleIn(app, await answered(app, { page: () => done, behind: copies }))).toEqual([])
  })
})

describe("cookies of the service in a response of the application's own", () => {
  it.each<[string, (cookie: string) => Promise<Response> | Response]>([
    ["of the service itself", async (cookie) => answered(app, { url: "https://app.test/auth/session", cookie })],
    [
      "of another server with the same cookies",
      () => new Response(null, { headers: { "set-cookie": `${session}=x` } }),
    ],
  ])("pass: %s", async (_, answer) => {
    const cookie = await cookieOf("Ada")
    const given = await answer(cookie)
    const lines = given.headers.getSetCookie()
    expect(lines.length).toBeGreaterThan(0)
    const response = await answered(app, { page: () => given, cookie })
    expect(response.headers.getSetCookie()).toEqual(lines)
    expect(response.headers.get("cache-control")).toMatch(/^private, .*no-store$/)
  })

  it("pass where they are what the browser has sent, though another request has set the same", async () => {
    const cookie = await cookieOf("Ada")
    const line = cookie.split("; ").find((pair) => pair.startsWith(session)) ?? ""
    const page: Page = () => new Response(null, { headers: { "set-cookie": `${line}; Path=/` } })
    expect((await answered(app, { page, cookie })).headers.getSetCookie()).toEqual([`${line}; Path=/`])
    expect((await answered(app, { page })).headers.getSetCookie()).toEqual([])
    const out: Page = async (event) => {
      await app.signOut(event, { redirect: false })
      return page(event)
    }
    expect(await peopleIn(app, await answered(app, { page: out, cookie }))).toEqual(["nobody"])
  })

  it("pass where the headers of the response cannot be changed", async () => {
    const line = `${session}=other; Path=/`
    const headers = new Headers({ "set-cookie": line })
    const fixed = new Response(null)
    for (const change of ["append", "delete", "set"] as const)
      headers[change] = () => {
        throw new TypeError("immutable")
      }
    Object.defineProperty(fixed, "headers", { value: headers })
    const page: Page = (event) => {
      setCookies(event, [{ name: session, value: "other", options: {} }])
      return fixed
    }
    const behind: Behind = async (event) => page(event)
    expect((await answered(app, { behind })).headers.getSetCookie()).toContain(line)
  })
})

describe("a hook behind that of the service", () => {
  it("signs out with a response of its own", { tags: ["threat:RC-12"] }, async () => {
    const behind: Behind = async (event) => {
      await app.signOut(event, { redirect: false })
      return new Response("bye")
    }
    const response = await answered(app, { behind, cookie: await cookieOf("Ada") })
    expect(await response.text()).toBe("bye")
    const gone = `Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Lax`
    expect(response.headers.getSetCookie()).toContain(`${session}=; Max-Age=0; ${gone}`)
    expect(response.headers.get("cache-control")).toBe("private, no-store")
  })

  it("sends what a hook before the service's has set as well", async () => {
    const handle: typeof app.handle = async (input) => {
      await signIn(input.event, "Grace")
      return app.handle(input)
    }
    expect(await peopleIn(app, await answered({ handle }, { behind: async () => new Response("here") }))).toEqual([
      "Grace",
    ])
  })

  it("sends what it has set with the attributes that SvelteKit would send, once each, also where it calls `resolve`", async () => {
    const cookie = await cookieOf("Ada")
    const put = (event: RequestEvent): undefined => {
      setCookies(event, [{ name: `${session}.0`, value: "a b", options: { path: "/app", maxAge: 60, httpOnly: true } }])
      event.cookies.set(`${session}.1`, "c", { path: "/", sameSite: "strict", domain: "app.test" })
      event.cookies.set("other", "d", { path: "/" })
    }
    const lines = [
      `${session}.0=a%20b; Max-Age=60; Path=/app; HttpOnly`,
      `${session}.1=c; Domain=app.test; Path=/; HttpOnly; Secure; SameSite=Strict`,
    ]
    const alone = await answered(app, { cookie, behind: async (event) => put(event) ?? new Response() })
    expect(alone.headers.getSetCookie()).toEqual(lines)
    const resolved = await answered(app, { cookie, behind: (event, resolve) => put(event) ?? resolve() })
    expect(resolved.headers.getSetCookie()).toEqual([...lines, "other=d; Path=/; HttpOnly; Secure; SameSite=Lax"])
  })

  it("keeps the session that reading it has set anew, and has the last word about its cookie", async () => {
    const cookie = await cookieOf("Ada")
    const guard: Behind = async ({ locals }) => {
      await locals.auth()
      return new Response(null, { status: 302, headers: { location: "/" } })
    }
    const response = await answered(app, { behind: guard, cookie })
    expect([response.status, await peopleIn(app, response)]).toEqual([302, ["Ada"]])
    const line = `${session}=; Max-Age=0; Path=/`
    const clears: Behind = async ({ locals }) => {
      await locals.auth()
      return new Response(null, { headers: { "set-cookie": line } })
    }
    expect((await answered(app, { behind: clears, cookie })).headers.getSetCookie().at(-1)).toBe(line)
  })

  it("does not bring back a session that a request of its own has ended", { tags: ["threat:RC-12"] }, async () => {
    const behind: Behind = async (event) => {
      await event.locals.auth()
      await answered(app, { page: leave, cookie: event.request.headers.get("cookie") ?? "", within: event })
      return new Response()
    }
    expect(await peopleIn(app, await answered(app, { behind, cookie: await cookieOf("Ada") }))).not.toContain("Ada")
  })
})
