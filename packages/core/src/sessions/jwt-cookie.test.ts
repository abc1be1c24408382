import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, later, makeContext } from "../../test/support/context.js"
import { claimsOf, cookieName } from "../../test/support/signed-in.js"
import { toSeconds } from "../std/time.js"
import { jwtStrategy } from "./jwt.js"
import { writeToken } from "./jwt-cookie.js"

describe("a token of a session that ends sooner than others", () => {
  it.each([
    ["the session", 60, 60],
    ["the session, to the next second", 59.5, 60],
    ["every session, where that is sooner", 90 * 86_400, 30 * 86_400],
  ])("ends with %s, and so does its cookie", async (_, until, expected) => {
    const context = makeContext()
    const changes = await writeToken(context, { sub: "u1" }, later(until))
    expect(changes).toMatchObject([{ expires: later(expected) }])
    const { exp } = await claimsOf(context, cookiesAfter(context, changes))
    expect(exp).toBe(toSeconds(later(expected)))
  })
})

describe("what a decoding of the application calls no session", () => {
  it("is not shown to the jwt callback, and its cookie goes", async () => {
    const jwt = vi.fn(() => ({ sub: "u1" }))
    const config = { callbacks: { jwt }, jwt: { decode: () => null } as never }
    const context = makeContext({ config, cookies: { [cookieName]: "of other software" } })
    const { session, cookies } = await jwtStrategy.check(context)
    expect([session, cookiesAfter(context, cookies)]).toEqual([null, {}])
    expect(jwt).not.toHaveBeenCalled()
  })
})
