import type { Cookie } from "@latchkey/core/types"
import type { RequestEvent } from "@sveltejs/kit"
import { expect, it } from "vitest"
import { stage } from "../../test/support/application.js"
import { jarOfSvelteKit } from "../../test/support/jar.js"
import { clearHostCookies, currentCookies, setClearings, setCookies, withoutClearings } from "./cookies.js"

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

it.each([
  ["https%3A%2F%2Fapp.test%2F", "https%3A%2F%2Fapp.test%2F"],
  ["https://app.test/a%20b", "https%3A%2F%2Fapp.test%2Fa%2520b"],
  ["hash|token", "hash%7Ctoken"],
])("encodes %s once, whether a request of the application's own or the service has set it", (value, encoded) => {
  const { event } = stage(request())
  event.cookies.set("a", value, { path: "/" })
  expect(currentCookies(event)).toBe(`a=${encoded}`)
})

it("encodes what the service has set, also where it looks encoded", () => {
  const { event } = stage(request())
  setCookies(event, [{ name: "a", value: "token%3A2", options: {} }])
  expect(currentCookies(event)).toBe("a=token%253A2")
  event.cookies.set("a", "other%3A2", { path: "/" })
  expect(currentCookies(event)).toBe("a=other%3A2")
})

it("keeps the clearing of the host's cookie aside where one of a domain is set, so that SvelteKit reads that one", {
  tags: ["threat:CK-30"],
}, async () => {
  const { cookies, get_cookie_header, new_cookies } = await jarOfSvelteKit(request("session=old; other=1"))
  const event = { cookies, locals: {}, request: request("session=old; other=1") } as RequestEvent
  const ofHost = { name: "session", value: "", options: { maxAge: 0 } }
  const signIn = (value: string): Cookie => ({ name: "session", value, options: { domain: ".app.test" } })
  const signOut = { ...ofHost, options: { ...ofHost.options, domain: ".app.test" } }
  const read = (): unknown[] => [
    currentCookies(event),
    cookies.get("session"),
    get_cookie_header(new URL("http://app.test/api"), null),
  ]
  setCookies(event, [ofHost, signIn("new")])
  expect(read()).toEqual(["other=1; session=new", "new", "session=new; other=1"])
  const set = (): unknown[] => [...new_cookies.values()].map(({ value, options }) => [value, options.domain])
  expect(set()).toEqual([["new", ".app.test"]])
  setCookies(event, [ofHost, signOut])
  expect(read()).toEqual(["other=1", undefined, "session=; other=1"])
  setCookies(event, [ofHost, signIn("newer")])
  expect(read()).toEqual(["other=1; session=newer", "newer", "session=newer; other=1"])
})

it("sets what was kept aside where the hook has no response, but never once there is one", {
  tags: ["threat:CK-30"],
}, () => {
  const ofHost = { name: "session", value: "", options: { maxAge: 0 } }
  const pair = [ofHost, { name: "session", value: "new", options: { domain: ".app.test" } }]
  const { event, finish, set } = stage(request())
  setCookies(event, pair)
  setClearings(event)
  expect(set.map(({ value, options }) => [value, options["domain"]])).toEqual([
    ["new", ".app.test"],
    ["", undefined],
  ])
  setCookies(event, pair)
  finish()
  setClearings(event)
  expect(set).toHaveLength(3)
})

it("clears cookies of the host before those of the service for a domain, as far as the request carried them", {
  tags: ["threat:CK-30"],
}, () => {
  const isOwn = (name: string): boolean => name.startsWith("session")
  const lines = [
    "session.0=new; Domain=.app.test; Path=/; Expires=Sat, 26 Dec 2026 16:36:39 GMT; HttpOnly; Secure; SameSite=Lax",
    "session.1=; domain=.app.test; Path=/; Max-Age=0",
    "session.2=new; Domain=.app.test; Path=/",
    "session.3=new; Path=/",
    "other=1; Domain=.app.test; Path=/",
  ]
  const cleared = (sent: string): readonly string[] => {
    const headers = new Headers(lines.map((line) => ["set-cookie", line] as [string, string]))
    clearHostCookies(headers, sent, isOwn)
    return headers.getSetCookie()
  }
  expect(cleared("session.0=a; session.1=b;session.3=c; other=d; xsession.2=e")).toEqual([
    "session.0=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
    "session.1=; Max-Age=0; Path=/",
    ...lines,
  ])
  expect(cleared("")).toEqual(lines)
})

it("takes out the clearings of the host's cookies beside those of a domain, and no other", {
  tags: ["threat:CK-30"],
}, () => {
  const kept = ["session=new; domain=.app.test; Path=/", "callback-url=%3B domain%3D; Path=/", "state=; Max-Age=0"]
  const headers = new Headers([["set-cookie", "session=; Max-Age=0; Path=/"]])
  for (const line of kept) headers.append("set-cookie", line)
  withoutClearings(headers)
  expect(headers.getSetCookie()).toEqual(kept)
})

it("leaves what was not changed as it was sent, also where SvelteKit reads another name or value", {
  tags: ["threat:CK-03"],
}, async () => {
  const planted = '\u00a0session=planted; quoted="a"; percent=%zz; =nameless; session=own; twice=1; twice=2'
  const { cookies } = await jarOfSvelteKit(request(planted))
  const event = { cookies, locals: {}, request: request(planted) } as RequestEvent
  expect([cookies.get("session"), currentCookies(event)]).toEqual(["planted", planted])
  setCookies(event, [{ name: "other", value: "1", options: {} }])
  expect(currentCookies(event)).toBe(`${planted}; other=1`)
  setCookies(event, [{ name: "session", value: "new", options: {} }])
  expect(currentCookies(event)).toBe(`${planted.replace("session=own; ", "")}; session=new; other=1`)
})
