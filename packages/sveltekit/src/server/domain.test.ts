/** A session cookie with a `domain` in an application: what browsers get, and what requests of the application's own get. */
import { type RequestEvent, redirect } from "@sveltejs/kit"
import { expect, it } from "vitest"
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

const name = "__Secure-authjs.session-token"
const shared = config({
  session: { updateAge: 0 },
  cookies: { sessionToken: { options: { domain: ".app.test" } } },
})
const ada = { providerId: "credentials", name: "Ada", password: "right", redirectTo: "/" }
const clearing = expect.stringMatching(new RegExp(`^${name}=; Max-Age=0; (?!.*Domain)`))

/** A request of somebody who is signed in, before anything has answered it. */
async function signedIn(path = "/", more: object = {}) {
  const app = application(shared)
  const browser = new Browser(app)
  await browser.post("/signin", ada, acting(app.signIn))
  const staged = stage(new Request(new URL(path, origin), { headers: { cookie: browser.header } }))
  Object.assign(staged.event, more)
  const ask = (page: Page = who) => app.handle({ event: staged.event, resolve: (event) => withCookies(event, page) })
  return { ask, set: staged.set }

  /** As SvelteKit does it: the response has the cookies that were set. */
  async function withCookies(event: RequestEvent, page: Page): Promise<Response> {
    const response = await page(event)
    for (const { name: set, value, options } of staged.set) {
      response.headers.append("set-cookie", `${set}=${value}; Domain=${options["domain"]}; Path=/; Secure`)
    }
    return response
  }
}

it("clears the cookie that the host has of its own in a field, and not in the cookies that SvelteKit keeps", {
  tags: ["threat:CK-30"],
}, async () => {
  const { ask, set } = await signedIn()
  const page = await ask()
  expect(await nameIn(page)).toBe("Ada")
  expect(page.headers.getSetCookie()).toEqual([clearing, expect.stringContaining("Domain=.app.test")])
  expect(set.map((one) => [one.name, one.options["domain"], one.value !== ""])).toEqual([[name, ".app.test", true]])
})

it("sends no clearing to the application itself, neither from a page nor from an action of the service", {
  tags: ["threat:CK-30"],
}, async () => {
  const page = await signedIn("/", { isSubRequest: true })
  const answer = await page.ask()
  expect([await nameIn(answer), answer.headers.getSetCookie()]).toEqual([
    "Ada",
    [expect.stringContaining("Domain=.app.test")],
  ])
  expect(page.set).toHaveLength(1)
  const inside = await (await signedIn("/auth/session", { isSubRequest: true })).ask()
  expect(inside.headers.getSetCookie().filter((line) => line.startsWith(name))).toEqual([
    expect.stringMatching(/^[^=]+=[^;]{100,}; .*Domain=\.?app\.test/),
  ])
  const outside = await (await signedIn("/auth/session")).ask()
  expect(outside.headers.getSetCookie().filter((line) => line.startsWith(name))).toEqual([clearing, expect.anything()])
})

it("clears it as well where another hook redirects, whose response SvelteKit makes", {
  tags: ["threat:CK-30"],
}, async () => {
  const leave: Page = async ({ locals }) => {
    await locals.auth()
    redirect(303, "/elsewhere")
  }
  const { ask, set } = await signedIn()
  await expect(ask(leave)).rejects.toMatchObject({ status: 303 })
  expect(set.map(({ options, value }) => [options["domain"], value !== ""])).toEqual([
    [".app.test", true],
    [undefined, false],
  ])
  const inside = await signedIn("/", { isSubRequest: true })
  await expect(inside.ask(leave)).rejects.toMatchObject({ status: 303 })
  expect(inside.set).toHaveLength(1)
})
