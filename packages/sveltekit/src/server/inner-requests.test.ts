/** Requests that a page makes itself (`event.fetch`): what they do to the session counts in the page, and no cache keeps their cookies. */
import type { RequestEvent } from "@sveltejs/kit"
import { describe, expect, it } from "vitest"
import {
  acting,
  application,
  Browser,
  config,
  nameIn,
  origin,
  type Page,
  type Staged,
  stage,
  who,
} from "../../test/support/application.js"
import { currentCookies } from "./cookies.js"

const name = "__Secure-authjs.session-token"
const credentials = (user: string) => ({ provider: "credentials", fields: { name: user, password: "right" } })
const ada = { providerId: "credentials", name: "Ada", password: "right", redirectTo: "/" }
let meanwhile: (() => void) | undefined
const app = application(
  config({
    // Every read of the session sets its cookie.
    session: { updateAge: 0 },
    callbacks: {
      jwt: ({ token }) => {
        meanwhile?.()
        return token
      },
    },
  }),
)

/** Answers a request for a page of somebody who is signed in. Without a user: of somebody who is not. */
async function opened(page: (staged: Staged) => Page, user?: typeof ada): Promise<Response & { set: Staged["set"] }> {
  const browser = new Browser(app)
  if (user) await browser.post("/signin", user, acting(app.signIn))
  const staged = stage(new Request(origin, { headers: { cookie: browser.header } }))
  const resolve = async (event: RequestEvent): Promise<Response> => {
    const response = await page(staged)(event)
    for (const { name: set, value } of staged.set) response.headers.append("set-cookie", `${set}=${value}; Path=/`)
    return response
  }
  return Object.assign(await app.handle({ event: staged.event, resolve }), { set: staged.set })
}

/** As SvelteKit does it: sends the cookies as they are by now, and takes those of the answer. */
async function fetchInside({ event }: Staged, page: Page, path = "/api"): Promise<Response> {
  const inner = stage(new Request(new URL(path, origin), { headers: { cookie: currentCookies(event), origin } }))
  Object.assign(inner.event, { isSubRequest: true })
  const response = await app.handle({ event: inner.event, resolve: async (resolved) => page(resolved) })
  for (const cookie of inner.set) event.cookies.set(cookie.name, cookie.value, { path: "/", ...cookie.options })
  for (const line of response.headers.getSetCookie()) {
    const [set = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s)
    event.cookies.set(set, decodeURIComponent(value), { path: "/" })
  }
  return response
}

const signOut = acting((event) => app.signOut(event, { redirect: false }))
const becomeBob = acting((event) => app.signIn(event, { ...credentials("Bob"), redirect: false }))
const rename = acting((event) => app.update(event, { name: "Countess" }))
const lastOf = (set: Staged["set"]): string | undefined => set.filter((cookie) => cookie.name === name).at(-1)?.value

describe("a session that a request of the page's own has changed", () => {
  it.each([
    ["ended", signOut, undefined],
    ["begun for somebody else", becomeBob, "Bob"],
  ])(
    "is %s in the page as well, where reading it sets its cookie",
    { tags: ["threat:RC-12"] },
    async (_, inside, now) => {
      const page = await opened(
        (staged) => async (event) => {
          await fetchInside(staged, inside)
          return who(event)
        },
        ada,
      )
      expect(await nameIn(page)).toBe(now)
      expect(lastOf(page.set) === "").toBe(now === undefined)
    },
  )

  it("is read again where the page has read it before", { tags: ["threat:RC-12"] }, async () => {
    const page = await opened(
      (staged) => async (event) => {
        const before = await event.locals.auth()
        await fetchInside(staged, becomeBob)
        return Response.json([before?.user?.name, (await event.locals.auth())?.user?.name])
      },
      ada,
    )
    expect(await page.json()).toEqual(["Ada", "Bob"])
  })

  it("is not restored by a read that began before", { tags: ["threat:RC-12"] }, async () => {
    const page = await opened(
      () => async (event) => {
        const { cookies } = event
        meanwhile = () => {
          // The answer of the other request comes while this one is still read.
          for (const { name: there } of cookies.getAll()) cookies.set(there, "", { path: "/", maxAge: 0 })
          meanwhile = undefined
        }
        await event.locals.auth()
        expect(meanwhile).toBeUndefined()
        return Response.json(await event.locals.auth())
      },
      ada,
    )
    expect(await page.json()).toBeNull()
    expect(lastOf(page.set)).toBe("")
  })

  it("is read once where such a request changed nothing", async () => {
    const page = await opened(
      (staged) => async (event) => {
        await fetchInside(staged, () => new Response())
        const first = event.locals.auth()
        await first
        await fetchInside(staged, () => new Response())
        event.cookies.set("other", "1", { path: "/" })
        return Response.json(event.locals.auth() === first)
      },
      ada,
    )
    expect(await page.json()).toBe(true)
  })

  it("keeps what an update said", async () => {
    const page = await opened(
      (staged) => async (event) => {
        const updated = await fetchInside(staged, rename)
        return Response.json([await updated.json(), await event.locals.auth()])
      },
      ada,
    )
    const [inside, outside] = (await page.json()) as [{ user: object }, { user: object }]
    expect(outside.user).toEqual(inside.user)
  })
})

describe("a page that says it is public", () => {
  const published =
    (inside: Page, path?: string) =>
    (staged: Staged): Page =>
    async () => {
      await fetchInside(staged, inside, path)
      return new Response("news", { headers: { "cache-control": "public, max-age=60" } })
    }

  it("is private where a request of its own has set the cookie of a session", { tags: ["threat:HD-03"] }, async () => {
    const page = await opened(published(who), ada)
    expect(lastOf(page.set)).toMatch(/.{100}/)
    expect(page.headers.get("cache-control")).toBe("private, no-store")
  })

  it("is private where a request of its own has set the cookie of the forms", { tags: ["threat:HD-06"] }, async () => {
    const page = await opened(published(who, "/auth/csrf"))
    expect(page.headers.getSetCookie().join()).toContain("csrf-token")
    expect(page.headers.get("cache-control")).toBe("private, no-store")
  })

  it("stays public where its requests set none, whatever the page sets itself", async () => {
    const page = await opened(
      (staged) => async (event) => {
        event.cookies.set("theme", "dark", { path: "/" })
        return published(() => new Response())(staged)(event)
      },
      ada,
    )
    expect(page.headers.get("cache-control")).toBe("public, max-age=60")
  })
})
