/** A token that the jwt callback changed while `auth(handler)` read the session, whichever way the handler leaves. */
import { expect, it } from "vitest"
import { refreshing } from "../../core/test/support/refreshed-token.js"
import { NextAuth } from "../src/index.js"
import { adaOf, arrive, config, requestOf, sent } from "./support/application.js"
import { sentAfter } from "./support/browser.js"
import { Redirected } from "./support/next/request.js"

it.each(["the handler answers", "the handler redirects", "the session callback fails"])(
  "comes back where %s",
  {
    tags: ["threat:SF-05"],
  },
  async (how) => {
    const { state, callbacks } = refreshing()
    const given = config({ callbacks })
    const { auth } = NextAuth(given)
    const headers = sent(await adaOf(given, { isDue: false }))
    arrive(headers)
    Object.assign(state, { refresh: true, fails: how === "the session callback fails" })
    const handler = auth(() => {
      if (how === "the handler redirects") throw new Redirected("/elsewhere")
      return new Response()
    })
    const answer = handler(requestOf("/api/x", headers), { params: Promise.resolve({}) })
    const response = await Promise.resolve(answer).catch(() => undefined)
    const next = sentAfter({ ...(response && { response }) })
    Object.assign(state, { refresh: false, fails: false })
    arrive(next)
    await auth()
    expect(state.seen).toBe(1)
  },
)
