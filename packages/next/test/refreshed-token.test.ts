/** A token that the jwt callback changed while `auth(handler)` read the session, whichever way the handler leaves. */
import { describe, expect, it } from "vitest"
import { refreshing } from "../../core/test/support/refreshed-token.js"
import { NextAuth } from "../src/index.js"
import type { NextAuthResult } from "../src/object.js"
import { adaOf, arrive, config, requestOf, sent } from "./support/application.js"
import { sentAfter } from "./support/browser.js"
import { cookies } from "./support/next/headers.js"
import { current, Redirected } from "./support/next/request.js"

const name = "__Secure-authjs.session-token"

/** Lets a handler answer Ada, whose token is changed while her session is read. */
async function answered(work: (app: NextAuthResult) => unknown, { fails = false } = {}) {
  const { state, callbacks } = refreshing()
  const given = config({ callbacks })
  const app = NextAuth(given)
  const { auth } = app
  const headers = sent(await adaOf(given, { isDue: false }))
  arrive(headers)
  Object.assign(state, { refresh: true, fails })
  const handler = auth(async () => {
    await work(app)
    return new Response()
  })
  const answer = handler(requestOf("/api/x", headers), { params: Promise.resolve({}) })
  const response = await Promise.resolve(answer).catch(() => undefined)
  const next = sentAfter({ ...(response && { response }) })
  Object.assign(state, { refresh: false, fails: false })
  const set = [...current.cookies]
  return {
    next,
    set,
    /** What the jwt callback finds in the token that comes next. */
    async seen() {
      arrive(next)
      await auth()
      return state.seen
    },
  }
}

const redirect = (status: number) => () => {
  throw new Redirected("/elsewhere", status)
}

describe("a token that was changed", () => {
  it.each([
    ["the handler answers", () => undefined, {}],
    ["the handler redirects, whose response Next makes", redirect(307), {}],
    ["the handler sends to a page with another method", redirect(303), {}],
    ["the session callback fails, and the application answers after all", () => undefined, { fails: true }],
  ])("comes back where %s", { tags: ["threat:SF-05"] }, async (_, work, options) => {
    expect(await (await answered(work, options)).seen()).toBe(1)
  })

  it("is in no permanent redirect, which shared caches keep", { tags: ["threat:HD-03"] }, async () => {
    expect((await answered(redirect(308))).set).toEqual([])
  })

  it.each([
    ["answers", () => undefined],
    ["redirects", redirect(307)],
    ["begins a sign-in at a provider", ({ signIn }: NextAuthResult) => signIn("github", { redirect: false })],
  ])(
    "gives way to a sign-out of the application's own by cookies(), where it then %s",
    {
      tags: ["threat:RC-12"],
    },
    async (_, leave) => {
      const { next } = await answered(async (app) => {
        const jar = await cookies()
        jar.delete(name)
        await leave(app)
      })
      expect(next.get("cookie") ?? "").not.toContain(name)
    },
  )
})
