/** What calls for one request have answered, for those that follow. */
import { describe, expect, it } from "vitest"
import { createCaches } from "../config/caches.js"
import type { Context } from "../context/context.js"
import type { CookieChange } from "../http/result.js"
import { parseCookies } from "../std/cookie.js"
import { createAuth } from "./auth.js"
import { asChanged, handOver } from "./changed-source.js"
import type { AuthSource } from "./public.js"

const newAuth = () =>
  createAuth({ secret: "a secret of at least 32 characters", providers: [] }, { env: { NODE_ENV: "test" } })
const auth = newAuth()
const settings = { caches: createCaches() }
const table = Object.fromEntries(["sessionToken", "state", "csrfToken"].map((name) => [name, { name, options: {} }]))
const cookieOf = ({ headers }: AuthSource): string | null => new Headers(headers as Headers).get("cookie")
const set = (role: "sessionToken" | "state", value: string): CookieChange => ({ role, value })
const clear: CookieChange = { role: "sessionToken", clear: true }

/** Hands over what a call answers that has read what those before it have left. */
function change(source: AuthSource, ...changes: CookieChange[]): readonly string[] {
  const cookies = parseCookies(cookieOf(asChanged({ auth, source }, settings)))
  const context = { settings, now: new Date(), cookies: table, incoming: { cookies } } as unknown as Context
  return handOver({ auth, source }, changes, context).map(({ name, value }) => `${name}=${value}`)
}

describe("a source of which calls have changed cookies", { tags: ["threat:SF-08"] }, () => {
  it("has those of all of them, beside what was sent", () => {
    const headers = { cookie: "sessionToken=1; csrfToken=2; other=3", accept: "text/html" }
    const source = new Request("https://app.test/page", { headers })
    expect(change(source, set("sessionToken", "new"), { role: "csrfToken", clear: true })).toHaveLength(2)
    change(source, set("state", "4"))
    expect(change(source)).toEqual([])
    const changed = asChanged({ auth, source }, settings)
    expect(cookieOf(changed)).toBe("other=3; sessionToken=new; state=4")
    expect([changed.url, new Headers(changed.headers as Headers).get("accept")]).toEqual([source.url, "text/html"])
    expect(cookieOf(source)).toBe(headers.cookie)
    expect(asChanged({ auth: newAuth(), source }, settings)).toBe(source)
  })

  it("keeps its scheme, and may have been without an address", () => {
    const source = { secure: true, headers: { cookie: "other=3" } }
    change(source, set("state", "1"))
    const headers = new Headers({ cookie: "other=3; state=1" })
    expect(asChanged({ auth, source }, settings)).toEqual({ secure: true, headers })
  })

  it.each([{}, { cookie: "" }])("is itself where it came without cookies, and may be anybody's: %j", (headers) => {
    const source = { secure: true, headers }
    expect(change(source, set("sessionToken", "1"))).toEqual(["sessionToken=1"])
    expect(asChanged({ auth, source }, settings)).toBe(source)
  })

  it("is itself where nothing was changed", () => {
    const source = { secure: true, headers: { cookie: "other=1" } }
    change(source)
    expect(asChanged({ auth, source }, settings)).toBe(source)
  })

  it("is signed out under the names that were sent as well, where what came before was not set", () => {
    const source = { secure: true, headers: { cookie: "sessionToken=1" } }
    const long = "x".repeat(5_000)
    expect(change(source, set("sessionToken", long)).map((cookie) => cookie.length)).toHaveLength(3)
    const out = ["sessionToken.0=", "sessionToken.1=", "sessionToken="]
    expect([...change(source, clear)].sort()).toEqual(out)
    expect(change(source, clear)).toEqual(["sessionToken="])
  })
})
