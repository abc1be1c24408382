/** Who may call what changes something from code of the application, such as an endpoint. */
import { memoryAdapter } from "@latchkey/core/memory"
import { managedSessions } from "@latchkey/core/sessions"
import type { RequestEvent } from "@sveltejs/kit"
import { describe, expect, it } from "vitest"
import { acting, application, Browser, config, origin, stage, who } from "../../test/support/application.js"
import type { RouteUpdateOptions } from "./route-call.js"

const auth = application(
  config({ adapter: memoryAdapter(), session: { strategy: "jwt" }, features: [managedSessions()] }),
)
const bob = { provider: "credentials", fields: { name: "Bob", password: "right" } }

type Call = (event: RequestEvent, options?: RouteUpdateOptions) => Promise<unknown>

const calls: readonly (readonly [string, Call])[] = [
  [
    "signIn",
    (event, { fields, ...more } = {}) =>
      auth.signIn(event, { ...bob, redirect: false, ...more, fields: { ...bob.fields, ...fields } }),
  ],
  ["signOut", (event, options) => auth.signOut(event, { redirect: false, ...options })],
  ["update", (event, options) => auth.update(event, { name: "Eve" }, options)],
  ["sessions.end", (event, options) => auth.sessions.end(event, "an id", options)],
  ["sessions.endOthers", (event, options) => auth.sessions.endOthers(event, options)],
  ["sessions.endAll", (event, options) => auth.sessions.endAll(event, "a user", options)],
  ["sessions.rotate", (event, options) => auth.sessions.rotate(event, options)],
  ["sessions.actAs", (event, options) => auth.sessions.actAs(event, "a user", options)],
]

/** What SvelteKit lets pass: no content type, so that it does not look where it comes from. */
const sent = (headers: Record<string, string>) => stage(new Request(`${origin}/api`, { method: "POST", headers }))

describe.each(calls)("auth.%s in an endpoint", (_, call) => {
  it.each([
    { origin: "https://blog.app.test", "sec-fetch-site": "same-site" },
    { origin: "https://blog.app.test" },
    { "sec-fetch-site": "cross-site" },
    { origin: "null" },
    {},
  ])("is refused to %j, and changes nothing", { tags: ["threat:CS-18"] }, async (headers) => {
    const { event, set } = sent(headers as Record<string, string>)
    await expect(call(event)).rejects.toMatchObject({ type: "MissingCSRF" })
    expect(set).toEqual([])
  })

  it.each([{ origin }, { "sec-fetch-site": "same-origin", origin: "https://name-at-the-proxy.test" }])(
    "is open to %j",
    async (headers) => {
      await call(sent(headers as Record<string, string>).event)
    },
  )

  it.each(["GET", "HEAD"])(
    "is open to a %s, whoever sends it: a `load` may be a link of another site",
    async (method) => {
      const headers = { "sec-fetch-site": "cross-site" }
      await call(stage(new Request(`${origin}/page`, { method, headers })).event)
    },
  )

  it("is open where the route says that it checks callers itself", async () => {
    await call(sent({ origin: "https://blog.app.test" }).event, { trusted: true })
  })

  it("is open to the token of the forms", async () => {
    const browser = new Browser(auth)
    const { csrfToken } = (await (await browser.visit("/auth/csrf")).json()) as { csrfToken: string }
    const visit = browser.visit(
      "/api",
      acting((event) => call(event, { fields: { csrfToken } })),
      { method: "POST" },
    )
    expect((await visit).status).toBe(200)
  })
})

it("a session is read whoever sends the request", async () => {
  const browser = new Browser(auth)
  await browser.post(
    "/in",
    {},
    acting((event) => auth.signIn(event, { ...bob, redirect: false })),
  )
  const headers = { "sec-fetch-site": "cross-site" }
  expect(await (await browser.visit("/", who, { headers })).json()).toMatchObject({ user: { name: "Bob" } })
  const list = acting((event) => auth.sessions.list(event))
  expect(await (await browser.visit("/", list, { headers })).json()).toContainEqual(
    expect.objectContaining({ current: true }),
  )
})
