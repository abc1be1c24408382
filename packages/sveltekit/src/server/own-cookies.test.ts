import type { RequestEvent } from "@sveltejs/kit"
import { expect, it } from "vitest"
import { stage } from "../../test/support/application.js"
import { cookiesOf, cookiesSent, OwnCookies } from "./own-cookies.js"

const event = (cookie: string): RequestEvent => stage(new Request("https://app.test/", { headers: { cookie } })).event

function own(...names: readonly string[]): OwnCookies {
  const cookies = new OwnCookies()
  cookies.note(names)
  return cookies
}

it("knows parts of a session and pending sign-ins by the name before their suffix", () => {
  const cookies = own("session.0", "session", "state.AbCd_-12", "state")
  const known = ["session", "session.0", "session.12", "state.zzzzzzzz"]
  expect(known.filter((name) => cookies.has(name))).toEqual(known)
  const unknown = ["sess", "session.", "session.x", "state.zzzzzzzzz", "other", "__proto__", ""]
  expect(unknown.filter((name) => cookies.has(name))).toEqual([])
})

it("notes a bounded number of names, whole ones alone", () => {
  const many = Array.from({ length: 3000 }, (_, index) => `cookie-${index}`)
  const cookies = own(...many)
  expect(many.filter((name) => cookies.has(name))).toHaveLength(2000)
  const parts = Array.from({ length: 3000 }, (_, index) => `session.${index}`)
  expect(own(...parts, "other").has("other")).toBe(true)
})

it("tells whether one of the service's was set or cleared, whatever else was", () => {
  const cookies = own("session", "callback-url")
  const areChanged = (request: RequestEvent): boolean => cookies.areChanged(cookiesSent(request), cookiesOf(request))
  const sent = event("session=first; session=second; callback-url=https%3A%2F%2Fapp.test%2F; other=1; empty=")
  expect(areChanged(sent)).toBe(false)
  sent.cookies.set("other", "2", { path: "/" })
  sent.cookies.set("empty", "1", { path: "/" })
  expect(areChanged(sent)).toBe(false)
  sent.cookies.set("session", "third", { path: "/" })
  expect(areChanged(sent)).toBe(true)
  const cleared = event("session=first")
  cookiesSent(cleared)
  cleared.cookies.set("session", "", { path: "/", maxAge: 0 })
  expect([areChanged(cleared), [...cookiesOf(cleared)]]).toEqual([true, []])
  const added = event("other=1")
  cookiesSent(added)
  added.cookies.set("session.0", "part", { path: "/" })
  expect(areChanged(added)).toBe(true)
})
