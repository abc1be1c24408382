import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, later, makeContext } from "../../test/support/context.js"
import { claimsOf, cookieName, signedIn } from "../../test/support/signed-in.js"
import { memoryAdapter } from "../memory.js"
import { toSeconds } from "../std/time.js"
import type { AuthConfig } from "../types/config.js"
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

it("a token that lives longer than its session opens nothing once that has ended, to the end of the tolerance", {
  tags: ["threat:SF-11"],
}, async () => {
  const config: AuthConfig = { providers: [], session: { maxAge: 60 }, jwt: { maxAge: 3600 } }
  const cookies = await signedIn({ config })
  const read = (seconds: number) => jwtStrategy.check(makeContext({ config, cookies, now: later(seconds) }))
  expect((await read(74.999)).session).not.toBeNull()
  expect((await read(75)).session).toBeNull()
})

describe("a token that the application seals", () => {
  const lk = "d".repeat(22)
  const mail = { id: "mail", name: "Mail", type: "email", from: "a@b.test", sendVerificationRequest() {} } as never
  const sealedAs = (value: string, claims: object) => {
    const config = { adapter: memoryAdapter(), providers: [mail], jwt: { encode: async () => value } }
    return writeToken(makeContext({ config }), { sub: "u1", ...claims })
  }

  it("has to keep the claim of the engine", async () => {
    await expect(sealedAs("without", { lk })).rejects.toThrow("dropped the claim `lk`")
    expect(await sealedAs("without", {})).toMatchObject([{ value: "without" }])
  })

  it("says nothing where there is none, and nothing is opened again", async () => {
    expect(await sealedAs("", { lk })).toMatchObject([{ value: "" }])
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

describe("a cookie that cannot be opened", () => {
  /** What visits with these cookies leave in the log of one application; `seconds`: when each takes place. */
  async function logged(visits: readonly (readonly [value: string, seconds: number])[]) {
    const first = makeContext({ config: { session: { maxAge: 60 } } })
    for (const [value, seconds] of visits) {
      const cookies = new Map([[cookieName, value]])
      const context = { ...first, incoming: { ...first.incoming, cookies }, now: later(seconds) }
      expect((await jwtStrategy.check(context)).session).toBeNull()
    }
    return first.logged.map(({ name }) => name)
  }
  const sealedWith = async (config: Partial<AuthConfig>) => (await signedIn({ config }))[cookieName] ?? ""
  const another = { secret: "another secret of 32 characters or more" }

  it("is reported where it was sealed with another secret, once in a minute", async () => {
    const value = await sealedWith(another)
    expect(await logged([[value, 0]])).toEqual(["JWTSessionError"])
    expect(
      await logged([
        [value, 0],
        [value, 59.999],
      ]),
    ).toHaveLength(1)
    expect(
      await logged([
        [value, 0],
        [value, 60],
      ]),
    ).toHaveLength(2)
  })

  it("is no news where other software set it, or where the session has expired", async () => {
    const expired = await sealedWith({ session: { maxAge: 60 }, jwt: { maxAge: 60 } })
    expect(
      await logged([
        ["of-other-software", 0],
        ["", 1],
        [expired, 600],
      ]),
    ).toEqual([])
  })
})
