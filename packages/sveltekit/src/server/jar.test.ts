/** What became of a session in the cookies that SvelteKit keeps: where others change them too, and where it reads them differently. */
import type { RequestEvent } from "@sveltejs/kit"
import { describe, expect, it } from "vitest"
import { acting, application, Browser, config, origin } from "../../test/support/application.js"
import { jarOfSvelteKit, withoutCleared } from "../../test/support/jar.js"

const name = "__Secure-authjs.session-token"
const ada = { providerId: "credentials", name: "Ada", password: "right", redirectTo: "/" }
const bob = { provider: "credentials", fields: { name: "Bob", password: "right" }, redirect: false } as const

describe.each(["SvelteKit 2", "SvelteKit 3"])("in the cookies of %s", (version) => {
  describe.each([
    ["where reads set its cookie", 0],
    ["where they do not", 86_400],
  ])("%s", (_, updateAge) => {
    const { app, ask } = world(updateAge)

    it.each([
      ["takes the cookie away", ({ cookies }: RequestEvent) => cookies.delete(name, { path: "/" })],
      ["puts something else there", ({ cookies }: RequestEvent) => cookies.set(name, "junk", { path: "/" })],
    ])("nobody is signed in where an earlier hook %s", { tags: ["threat:RC-12"] }, async (__, earlier) => {
      const { seen, left } = await ask({ earlier })
      expect([seen, left]).toEqual([null, ""])
    })

    it.each(["", `\u00a0${name}=; `, `\u00a0${name}=""; `, `${name}\u00a0=x; `])(
      "a page that signs out shows nobody, with %j in front",
      { tags: ["threat:CK-03"] },
      async (planted) => {
        const { seen, left } = await ask({ planted, page: (event) => app.signOut(event, { redirect: false }) })
        expect([seen, left]).toEqual([null, ""])
      },
    )
  })

  describe.each([
    ["clears the cookie", ({ cookies }: RequestEvent) => cookies.delete(name, { path: "/" })],
    [
      "clears it and leaves its value",
      ({ cookies, request }: RequestEvent) =>
        cookies.set(name, request.headers.get("cookie")?.split("=")[1] ?? "", { path: "/", maxAge: 0 }),
    ],
  ])("an application that has read the session and %s", (_, clears) => {
    it.each([
      ["that has answered nobody yet", true],
      ["that has signed people in", false],
    ])("sees nobody at a process %s", { tags: ["threat:RC-12"] }, async (__, isFresh) => {
      const { seen, left } = await world(86_400).ask({ page: clears, isFresh })
      expect([seen, left]).toEqual([null, expect.anything()])
    })
  })

  it("an application sees whom another configuration has signed in", { tags: ["threat:RC-12"] }, async () => {
    const other = application()
    const { seen } = await world(86_400).ask({ page: (event) => other.signIn(event, bob), isFresh: true })
    expect(seen).toBe("Bob")
  })

  it("a value that no cookie can have is left out", async () => {
    const set = ({ cookies }: RequestEvent): void => {
      cookies.set("half", "\ud800", { path: "/", encode: () => "" })
      cookies.set("number", 5 as unknown as string, { path: "/" })
      cookies.set("object", {} as string, { path: "/" })
    }
    expect((await world(0).ask({ earlier: set })).seen).toBe("Ada")
  })

  describe("with the domain of the application, beside a cookie of the host", () => {
    it("a sign-in counts where a hook has cleared the older one", { tags: ["threat:CK-30"] }, async () => {
      const { app, ask } = world(86_400, ".app.test")
      const earlier = ({ cookies }: RequestEvent): void => cookies.delete(name, { path: "/" })
      expect((await ask({ earlier, page: (event) => app.signIn(event, bob) })).seen).toBe("Bob")
    })
  })

  describe("with the domain of another host than the application sees", () => {
    const { app, ask } = world(0, ".elsewhere.test")

    it("a page that signs out shows nobody", { tags: ["threat:RC-12"] }, async () => {
      const { seen, left } = await ask({ page: (event) => app.signOut(event, { redirect: false }) })
      expect([seen, left]).toEqual([null, ""])
    })

    it("a page that signs somebody else in shows them", { tags: ["threat:RC-12"] }, async () => {
      const { seen, left } = await ask({ page: (event) => app.signIn(event, bob) })
      expect(seen).toBe("Bob")
      expect(left).toMatch(/.{100}/)
    })
  })

  /** An application, and a page of it that Ada asks for. */
  function world(updateAge: number, domain?: string) {
    const cookies = domain ? { cookies: { sessionToken: { options: { domain } } } } : {}
    const configured = config({ session: { updateAge }, ...cookies })
    const app = application(configured)
    const ask = async ({ earlier, planted = "", page, isFresh = false }: Asked): Promise<Seen> => {
      const signing = isFresh ? application({ ...configured }) : app
      const browser = new Browser(signing)
      await browser.post("/signin", ada, acting(signing.signIn))
      const request = new Request(origin, { headers: { cookie: planted + browser.header } })
      const jar = await jarOfSvelteKit(request)
      const event = {
        cookies: version === "SvelteKit 3" ? withoutCleared(jar) : jar.cookies,
        request,
        url: new URL(origin),
        locals: {},
        route: { id: "/" },
      } as RequestEvent
      earlier?.(event)
      let seen: Seen["seen"]
      const resolve = async (): Promise<Response> => {
        await event.locals.auth()
        await page?.(event)
        seen = (await event.locals.auth())?.user?.name ?? null
        return new Response()
      }
      await app.handle({ event, resolve })
      return { seen, left: [...jar.new_cookies.values()].findLast((one) => one.name === name)?.value }
    }
    return { app, ask }
  }
})

interface Asked {
  /** What a hook in front does. */
  readonly earlier?: (event: RequestEvent) => unknown
  /** Ada has signed in at another process. */
  readonly isFresh?: boolean
  /** In front of the cookies that are sent. */
  readonly planted?: string
  /** Done between two reads of the session. */
  readonly page?: (event: RequestEvent) => unknown
}

interface Seen {
  /** Whose session the page sees in the end. */
  readonly seen: string | null | undefined
  /** What the browser then keeps as the session cookie. */
  readonly left: string | undefined
}
