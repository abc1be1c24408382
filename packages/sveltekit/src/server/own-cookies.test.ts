import type { RequestEvent } from "@sveltejs/kit"
import { expect, it } from "vitest"
import { stage } from "../../test/support/application.js"
import { cookiesSet } from "./cookies-set.js"
import { OwnCookies } from "./own-cookies.js"

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
  const sent = event("session=first; session=second; callback-url=https%3A%2F%2Fapp.test%2F; other=1; empty=")
  const areChanged = (): boolean => cookies.areChanged(new Map(), cookiesSet(sent))
  expect([areChanged(), [...cookiesSet(sent)]]).toEqual([false, []])
  sent.cookies.set("other", "2", { path: "/" })
  sent.cookies.set("empty", "", { path: "/" })
  expect(areChanged()).toBe(false)
  sent.cookies.set("session", "", { path: "/", maxAge: 0 })
  expect(areChanged()).toBe(true)
  const cleared = cookiesSet(sent)
  expect(cookies.areChanged(cleared, cookiesSet(sent))).toBe(false)
  sent.cookies.set("session.0", "part", { path: "/" })
  expect(cookies.areChanged(cleared, cookiesSet(sent))).toBe(true)
  expect(Object.fromEntries(cookiesSet(sent))).toEqual({ other: "2", empty: "", session: "", "session.0": "part" })
})
