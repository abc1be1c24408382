/** What calls for one request have answered, for those that follow. */
import { describe, expect, it } from "vitest"
import { createCaches } from "../config/caches.js"
import { createAuth } from "./auth.js"
import { asChanged, keepChange } from "./changed-source.js"
import type { AuthSource } from "./public.js"

const auth = createAuth({ secret: "a secret of at least 32 characters", providers: [] }, { env: { NODE_ENV: "test" } })
const now = new Date("2026-03-01T12:00:00Z")
const settings = { caches: createCaches() }
const set = (name: string, value: string, expires?: Date) => ({ name, value, options: { ...(expires && { expires }) } })
const change = (source: AuthSource, ...cookies: ReturnType<typeof set>[]): void =>
  keepChange(auth, source, { cookies, settings, now })
const cookieOf = ({ headers }: AuthSource): string | null => new Headers(headers as Headers).get("cookie")

describe("a source of which calls have changed cookies", { tags: ["threat:SF-08"] }, () => {
  it("has those of all of them, beside what was sent", () => {
    const source = new Request("https://app.test/page", { headers: { cookie: "a=1; b=2; c=3", accept: "text/html" } })
    change(source, set("a", "new"), set("b", "", new Date(0)))
    change(source, set("d", "4"))
    change(source)
    const changed = asChanged(auth, source, settings)
    expect(cookieOf(changed)).toBe("c=3; a=new; d=4")
    expect([changed.url, new Headers(changed.headers as Headers).get("accept")]).toEqual([source.url, "text/html"])
    expect(cookieOf(source)).toBe("a=1; b=2; c=3")
  })

  it("keeps its scheme, and may have been without cookies and address", () => {
    const source = { secure: true, headers: {} }
    change(source, set("a", "1"))
    expect(asChanged(auth, source, settings)).toEqual({ secure: true, headers: new Headers({ cookie: "a=1" }) })
  })

  it("is itself where nothing was changed", () => {
    const source = { secure: true, headers: { cookie: "a=1" } }
    change(source)
    expect(asChanged(auth, source, settings)).toBe(source)
  })
})
