import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import type { Cookie } from "@latchkey/core/types"
import type { Cookies, RequestEvent } from "@sveltejs/kit"
import { expect, it } from "vitest"
import { stage } from "../../test/support/application.js"
import { currentCookies, setCookies } from "./cookies.js"

const request = (cookie?: string): Request => new Request("http://app.test/", cookie ? { headers: { cookie } } : {})

it("says of every attribute what it is, so that the framework fills in nothing of its own", () => {
  const { event, set } = stage(request())
  setCookies(event, [{ name: "a", value: "1", options: { path: "/app", maxAge: 60, domain: undefined } }])
  setCookies(event, [{ name: "b", value: "2", options: { secure: true, httpOnly: true, sameSite: "none" } }])
  expect(set).toEqual([
    {
      name: "a",
      value: "1",
      options: { path: "/app", maxAge: 60, httpOnly: false, secure: false, sameSite: false },
    },
    { name: "b", value: "2", options: { path: "/", httpOnly: true, secure: true, sameSite: "none" } },
  ])
})

it("tells the cookies as they are after those that were set, without those that were taken away", () => {
  const { event } = stage(request("kept=%C3%A4; gone=1; changed=1"))
  setCookies(event, [
    { name: "gone", value: "", options: { maxAge: 0 } },
    { name: "changed", value: "2;3", options: {} },
  ])
  expect(currentCookies(event)).toBe("kept=%C3%A4; changed=2%3B3")
})

it("sets the cookie of a domain beside the clearing of the one that the host had, and reads the one of the domain", {
  tags: ["threat:CK-30"],
}, async () => {
  const { cookies, new_cookies, set_trailing_slash } = await jarOfSvelteKit("session=old; other=1")
  const event = { cookies } as RequestEvent
  set_trailing_slash("never")
  const ofHost = { name: "session", value: "", options: { maxAge: 0 } }
  const signIn = (value: string): Cookie => ({ name: "session", value, options: { domain: ".app.test" } })
  const signOut = { ...ofHost, options: { ...ofHost.options, domain: ".app.test" } }
  setCookies(event, [ofHost, signIn("new")])
  expect([currentCookies(event), cookies.get("session")]).toEqual(["session=new; other=1", "new"])
  const set = [...new_cookies.values()].map(({ value, options }) => [value, options.domain, options.maxAge])
  expect(set).toEqual([
    ["new", ".app.test", undefined],
    ["", undefined, 0],
  ])
  setCookies(event, [ofHost, signOut])
  expect([currentCookies(event), cookies.get("session")]).toEqual(["other=1", undefined])
  setCookies(event, [ofHost, signIn("newer")])
  expect([currentCookies(event), cookies.get("session")]).toEqual(["session=newer; other=1", "newer"])
})

/** What SvelteKit keeps the cookies of a request in; it does not publish this part. */
async function jarOfSvelteKit(cookie: string): Promise<JarOfSvelteKit> {
  const { resolve } = createRequire(import.meta.url)
  const file = new URL("src/runtime/server/cookie.js", pathToFileURL(resolve("@sveltejs/kit/package.json")))
  const { get_cookies } = (await import(file.href)) as {
    get_cookies(request: Request, url: URL): JarOfSvelteKit
  }
  return get_cookies(request(cookie), new URL("http://app.test/"))
}

interface JarOfSvelteKit {
  readonly cookies: Cookies
  readonly new_cookies: ReadonlyMap<string, Cookie>
  set_trailing_slash(value: "never"): void
}
