/** One request that changes the session in several places: the last change counts, and each sees those before it. */
import { memoryAdapter } from "@latchkey/core/memory"
import { managedSessions } from "@latchkey/core/sessions"
import { describe, expect, it } from "vitest"
import { currentHeaders } from "../src/cookies.js"
import { NextAuth, type NextAuthConfig } from "../src/index.js"
import { adaOf, arrive, config, requestOf, sent } from "./support/application.js"
import { sentAfter } from "./support/browser.js"
import { current } from "./support/next/request.js"

const name = "__Secure-authjs.session-token"
const context = { params: Promise.resolve({}) }
const large = "x".repeat(5000)

/** A token takes over whatever `update` is given. */
function open(more: Partial<NextAuthConfig> = {}) {
  const given = config({
    callbacks: {
      jwt: ({ token, trigger, session }) => (trigger === "update" ? { ...token, ...(session as object) } : token),
      session: ({ session, token }) => ({ ...session, note: token["note"] }),
    },
    ...more,
  })
  const made = NextAuth(given)
  return {
    ...made,
    given,
    /** Who is signed in for somebody who sends these headers. */
    async userOf(headers: Headers) {
      arrive(headers)
      return (await made.auth())?.user
    },
    async adaArrives({ isDue = false } = {}) {
      const headers = sent(await adaOf(given, { isDue }))
      arrive(headers)
      return headers
    },
  }
}

const managed = () => open({ adapter: memoryAdapter(), features: [managedSessions()], session: { strategy: "jwt" } })
const bob = { name: "Bob", password: "right", redirect: false } as const

describe("calls in one server action", () => {
  it("keep what the one before has changed, and auth() shows it", async () => {
    const { adaArrives, auth, update, userOf } = open()
    await adaArrives()
    expect(await auth()).toMatchObject({ user: { name: "Ada" } })
    await update({ name: "Countess" })
    expect(await auth()).toMatchObject({ user: { name: "Countess" } })
    await update({ email: "ada@app.test" })
    expect(await userOf(sentAfter())).toMatchObject({ name: "Countess", email: "ada@app.test" })
  })

  it("leave the new one signed in when the session is updated after a sign-in", {
    tags: ["threat:SF-03"],
  }, async () => {
    for (const { adaArrives, auth, signIn, update, userOf } of [open(), managed()]) {
      await adaArrives()
      await signIn("credentials", bob)
      expect(await update({ email: "bob@app.test" })).toMatchObject({ user: { name: "Bob" } })
      expect(await auth()).toMatchObject({ user: { name: "Bob" } })
      expect(await userOf(sentAfter())).toMatchObject({ name: "Bob", email: "bob@app.test" })
    }
  })

  it("leave nobody signed in after a sign-out, on the page of the same answer too", {
    tags: ["threat:RC-12", "threat:SF-05"],
  }, async () => {
    for (const { adaArrives, auth, signOut, update, userOf } of [open(), managed()]) {
      await adaArrives()
      await signOut({ redirect: false })
      expect(await auth()).toBeNull()
      expect(await update({ email: "ada@app.test" })).toBeNull()
      expect(await userOf(sentAfter())).toBeUndefined()
    }
  })

  it("give a session that was updated a new token", async () => {
    const { adaArrives, sessions, update, userOf } = managed()
    await adaArrives()
    await update({ name: "Countess" })
    expect(await sessions.rotate()).toBe(true)
    expect(await userOf(sentAfter())).toMatchObject({ name: "Countess" })
  })

  it("clear all parts of a cookie that the one before has made longer", { tags: ["threat:SF-05"] }, async () => {
    const { adaArrives, signOut, update, userOf } = open()
    await adaArrives()
    await update({ note: large })
    expect(sentAfter().get("cookie")).toContain(`${name}.1=`)
    await signOut({ redirect: false })
    expect(sentAfter().get("cookie") ?? "").not.toContain(name)
    expect(await userOf(sentAfter())).toBeUndefined()
  })

  it("leave the request as it was where nothing can be set, as while a page is rendered", async () => {
    const { adaArrives, auth, signOut } = open()
    await adaArrives()
    current.isRendering = true
    await expect(signOut({ redirect: false })).rejects.toThrow("Cookies can only be modified")
    expect(await auth()).toMatchObject({ user: { name: "Ada" } })
  })

  it("are seen by a page whose bundle has a copy of this package of its own", async () => {
    const { adaArrives, signOut } = open()
    await adaArrives()
    await signOut({ redirect: false })
    const path = "../src/cookies.js?copy"
    const copy = (await import(path)) as typeof import("../src/cookies.js")
    expect(copy.currentHeaders).not.toBe(currentHeaders)
    expect((await copy.currentHeaders()).get("cookie")).toBe("")
  })

  it("know nothing of other requests", async () => {
    const { adaArrives, auth, signOut } = open()
    const headers = await adaArrives()
    await signOut({ redirect: false })
    arrive(new Headers(headers))
    expect(await auth()).toMatchObject({ user: { name: "Ada" } })
  })
})

describe("calls in a handler inside auth, whose session is extended", () => {
  const tags = ["threat:RC-12"]
  const ways = [
    ["a route handler", false],
    ["the proxy", true],
  ] as const

  /** Lets a handler work on a request of Ada that is due, and says who is signed in afterwards. */
  async function after(
    app: ReturnType<typeof open>,
    work: () => unknown,
    { isProxy = false, response = () => new Response("done") } = {},
  ) {
    const headers = await app.adaArrives({ isDue: true })
    const handler = app.auth(async () => {
      await work()
      return response()
    })
    const answer = await handler(requestOf("/api/work", headers), context)
    const next = sentAfter({ response: answer, isProxy })
    const last = current.cookies.at(-1)?.value
    const [before, cookie] = [headers.get("cookie") ?? "", next.get("cookie") ?? ""]
    return { answer, before, cookie, last, user: await app.userOf(next) }
  }

  describe.each(ways)("%s", (_, isProxy) => {
    it("count for more than the extension", { tags }, async () => {
      const out = open()
      expect((await after(out, () => out.signOut({ redirect: false }), { isProxy })).user).toBeUndefined()
      const into = open()
      expect((await after(into, () => into.signIn("credentials", bob), { isProxy })).user?.name).toBe("Bob")
      const more = open()
      expect((await after(more, () => more.update({ name: "Countess" }), { isProxy })).user?.name).toBe("Countess")
    })

    it("count for more where sessions are managed", { tags }, async () => {
      const { sessions, ...app } = managed()
      const rotated = await after({ sessions, ...app }, () => sessions.rotate(), { isProxy })
      expect([rotated.user?.name, rotated.cookie]).toEqual(["Ada", `${name}=${rotated.last}`])
      const out = managed()
      expect((await after(out, () => out.signOut({ redirect: false }), { isProxy })).user).toBeUndefined()
    })

    it("see what the extension has changed", async () => {
      const tokens: unknown[] = []
      const app = open({
        callbacks: {
          jwt: ({ token, trigger }) => {
            if (trigger === undefined) tokens.push(token["turn"])
            return { ...token, turn: Number(token["turn"] ?? 0) + 1 }
          },
        },
      })
      await after(app, () => app.auth(), { isProxy })
      // Read for the handler, in it, where nothing is kept, and in the next request: nobody uses what was used up before.
      expect(tokens).toEqual([1, 2, 2])
    })

    it("clear the parts that an extension has made of the cookie, and the cookie itself", { tags }, async () => {
      const app = open({ callbacks: { jwt: ({ token }) => ({ ...token, note: large }) } })
      const extended = await after(app, () => undefined, { isProxy })
      expect(extended.cookie).toContain(`${name}.1=`)
      expect(extended.cookie).not.toContain(`${name}=`)
      const { cookie, user } = await after(app, () => app.signOut({ redirect: false }), { isProxy })
      expect([cookie, user]).toEqual(["", undefined])
    })

    it("take the extension along where they set another cookie", async () => {
      const app = open()
      const { before, cookie, user } = await after(app, () => app.signIn("github", { redirect: false }), { isProxy })
      expect(user?.name).toBe("Ada")
      expect(cookie).toContain("__Secure-authjs.state=")
      expect(cookie).not.toContain(before)
    })
  })

  it("may end by leaving for another page", { tags }, async () => {
    const app = open({ callbacks: { jwt: ({ token }) => ({ ...token, note: large }) } })
    await expect(after(app, () => app.signOut({ redirectTo: "/" }))).rejects.toThrow("redirected")
    expect(await app.userOf(sentAfter())).toBeUndefined()
  })

  it("keep the answer out of shared caches", { tags: ["threat:HD-03"] }, async () => {
    const app = open()
    const response = () => new Response("done", { headers: { "Cache-Control": "public, max-age=60" } })
    const { answer } = await after(app, () => app.signOut({ redirect: false }), { response })
    expect(answer.headers.get("cache-control")).toBe("private, no-store")
  })

  it("leave a cookie alone that the handler's own response sets, in one piece or in several", { tags }, async () => {
    const app = open()
    const clearing = (cleared: string) => () => {
      const response = new Response("done")
      response.headers.append("Set-Cookie", `${cleared}=; Max-Age=0; Path=/; Secure`)
      return response
    }
    for (const cleared of [name, `${name}.0`]) {
      const { answer } = await after(app, () => undefined, { response: clearing(cleared) })
      expect(answer.headers.getSetCookie()).toEqual([`${cleared}=; Max-Age=0; Path=/; Secure`])
    }
    const other = await after(app, () => undefined, { response: clearing(`${name}-not`) })
    expect(other.answer.headers.getSetCookie()).toHaveLength(2)
  })

  it("are not there where Next has no request: the extension stays on the response", async () => {
    const app = open()
    const headers = await app.adaArrives({ isDue: true })
    arrive(null)
    const answer = await app.auth(() => new Response("done"))(requestOf("/api/work", headers), context)
    expect(answer.headers.getSetCookie()).toHaveLength(1)
  })
})

describe("auth in the Pages Router, after something in the same answer has set the cookie", () => {
  function page(headers: Headers, ...before: string[]) {
    let lines: readonly string[] = before
    const response = {
      headersSent: false,
      getHeader: (field: string) => (field === "Set-Cookie" && lines.length > 0 ? [...lines] : undefined),
      setHeader: (field: string, value: string | readonly string[]) => {
        if (field === "Set-Cookie") lines = [value].flat()
      },
    }
    return { req: { headers: Object.fromEntries(headers) }, res: response, lines: () => lines }
  }

  it.each([
    ["Max-Age=0"],
    ["Max-Age=-1; Expires=Tue, 01 Jan 2999 00:00:00 GMT"],
    ["Expires=Thu, 01 Jan 1970 00:00:00 GMT"],
  ])("finds nobody where it was cleared, and extends nothing: %s", { tags: ["threat:RC-12"] }, async (end) => {
    const { adaArrives, auth } = open()
    const headers = await adaArrives({ isDue: true })
    const { req, res, lines } = page(headers, "own=1", `${name}=; ${end}; Path=/; Secure`)
    expect(await auth(req, res)).toBeNull()
    expect(lines()).toHaveLength(2)
  })

  it("goes on from what it has set itself", async () => {
    const app = open({ callbacks: { jwt: ({ token }) => ({ ...token, turn: Number(token["turn"] ?? 0) + 1 }) } })
    const headers = await app.adaArrives({ isDue: true })
    const { req, res, lines } = page(headers)
    await app.auth(req, res)
    const [first] = lines()
    const seen: unknown[] = []
    const noting: NextAuthConfig["callbacks"] = {
      jwt: ({ token }) => {
        seen.push(token["turn"])
        return token
      },
    }
    const again = NextAuth({ ...app.given, callbacks: noting })
    await again.auth({ req, res })
    expect(first).toContain(`${name}=`)
    expect(seen).toEqual([2])
  })

  it("keeps the other cookies, and what only looks like a clearing", async () => {
    const { adaArrives, auth } = open()
    const headers = await adaArrives()
    const { req, res } = page(headers, "own=1; Max-Age=60", `${name}x=; Max-Age=0`, "bare")
    expect(await auth(req, res)).toMatchObject({ user: { name: "Ada" } })
  })
})
