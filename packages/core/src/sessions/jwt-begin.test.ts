import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, makeContext, startOfTests } from "../../test/support/context.js"
import { type Cookies, managedStage } from "../../test/support/managed-stage.js"
import { account, ann, claimsOf, cookieName, month, noStore, signedIn, withJwt } from "../../test/support/signed-in.js"
import { memoryRecords } from "../memory.js"
import type { AuthConfig } from "../types/config.js"
import type { JWT } from "../types/token.js"
import { jwtStrategy } from "./jwt.js"

describe("begin", () => {
  it("seals name, e-mail, picture and subject, no image beside an equal picture [spec options session.maxAge]", async () => {
    const context = makeContext()
    const { iat, exp, jti, ...claims } = await claimsOf(context, await signedIn())
    expect(claims).toEqual({ name: "Ann", email: "ann@app.test", picture: "/ann.png", sub: "u1" })
    expect([iat, exp]).toEqual([startOfTests.getTime() / 1000, startOfTests.getTime() / 1000 + month])
  })

  it("shows the callback the token with image, the user, the account and the profile [spec callback jwt] [spec jwt content] [spec state jwt-sign-in]", async () => {
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    await signedIn({ config: withJwt(jwt) }, { ...ann, profile: { sub: "7", nickname: "a" } })
    expect(jwt.mock.calls.map(([question]) => question)).toEqual([
      {
        token: { name: "Ann", email: "ann@app.test", picture: "/ann.png", image: "/ann.png", sub: "u1" },
        user: ann.user,
        account,
        profile: { sub: "7", nickname: "a" },
        trigger: "signIn",
      },
    ])
  })

  it.each([
    [true, "signUp", true],
    [false, "signIn", false],
    [undefined, "signIn", undefined],
  ])(
    "says with the trigger whether the user is new: %s [spec state jwt-sign-in] [spec state jwt-sign-up]",
    async (isNew, trigger, isNewUser) => {
      const jwt = vi.fn(({ token }: { token: JWT }) => token)
      await signedIn({ config: withJwt(jwt) }, { ...ann, isNew })
      expect(jwt.mock.calls[0]?.[0]).toMatchObject({ trigger, ...(isNewUser !== undefined && { isNewUser }) })
    },
  )

  it("takes nothing over from an earlier session", { tags: ["threat:SF-02"] }, async () => {
    const planted = await signedIn(
      { config: withJwt(({ token }: { token: JWT }) => ({ ...token, role: "admin" })) },
      { ...ann, user: { id: "attacker" } },
    )
    const cookies = await signedIn({ cookies: planted })
    const claims = await claimsOf(makeContext(), cookies)
    expect(claims.sub).toBe("u1")
    expect(claims).not.toHaveProperty("role")
  })

  it("creates no session when the callback returns null, and clears the old cookie", {
    tags: ["threat:SF-14"],
  }, async () => {
    const context = makeContext({ config: withJwt(() => null), cookies: { [cookieName]: "old" } })
    const { cookies } = await jwtStrategy.begin(context, ann, noStore)
    expect(cookiesAfter(context, cookies)).toEqual({})
  })

  it("writes a numeric id as text and an empty address as none", async () => {
    const user = { id: 7 as unknown as string, email: "", name: null, image: null }
    const claims = await claimsOf(makeContext(), await signedIn({}, { ...ann, user }))
    expect(claims).toMatchObject({ sub: "7", email: null, name: null, picture: null })
  })

  it("fails on the way back when the callback throws", async () => {
    const context = makeContext({
      config: withJwt(() => {
        throw new Error("boom")
      }),
    })
    await expect(jwtStrategy.begin(context, ann, noStore)).rejects.toMatchObject({ type: "CallbackRouteError" })
  })

  it("refuses a token that cookies cannot carry", { tags: ["threat:CK-23"] }, async () => {
    const config = withJwt(({ token }: { token: JWT }) => ({ ...token, text: "x".repeat(60_000) }))
    await expect(jwtStrategy.begin(makeContext({ config }), ann, noStore)).rejects.toMatchObject({
      type: "InvalidConfiguration",
    })
  })

  it("cuts a long token into chunks that are read again", async () => {
    const config = withJwt(({ token }: { token: JWT }) => ({ ...token, text: "x".repeat(9000) }))
    const cookies = await signedIn({ config })
    expect(Object.keys(cookies).length).toBeGreaterThan(2)
    const { session } = await jwtStrategy.check(makeContext({ config, cookies }))
    expect(session?.user).toMatchObject({ name: "Ann" })
  })
})

describe("a sign-in of a user who has as many sessions as they may", () => {
  it("sets no cookie where it has ended itself, because newer ones began at the same moment", {
    tags: ["threat:SF-08"],
  }, async () => {
    const records = memoryRecords()
    const { at, newUser, signIn, isOpen } = managedStage({ strategy: "jwt", records, options: { atMost: 1 } })
    const user = await newUser("ada@app.test")
    const { listRecords } = records
    let other: Cookies = {}
    // Both have looked for their place, and the other one has written its record first.
    vi.spyOn(records, "listRecords").mockImplementationOnce(async (...given) => {
      const found = await listRecords(...given)
      other = await signIn(user, { seconds: 2 })
      return found
    })
    const { cookies } = await jwtStrategy.begin(at({}, 1), { user, account, isNew: false }, noStore)
    expect(cookies).toEqual([])
    expect(await isOpen(other, 2)).toBe(true)
  })
})

describe("an encoding of the application", () => {
  const own: AuthConfig["jwt"] = {
    secret: "own",
    maxAge: 60,
    encode: vi.fn(async ({ token }) => `own:${JSON.stringify(token)}`),
    decode: vi.fn(async ({ token }) => {
      if (token === "thrower") throw new Error("no")
      return token?.startsWith("own:") ? (JSON.parse(token.slice(4)) as JWT) : null
    }),
  }
  const config = { jwt: own }

  it("gets secret, salt and lifetime, and its string is the cookie [spec options jwt]", async () => {
    const cookies = await signedIn({ config })
    expect(cookies[cookieName]).toMatch(/^own:\{/)
    const params = { secret: "own", maxAge: 60, salt: cookieName }
    expect(own.encode).toHaveBeenLastCalledWith({ ...params, token: expect.objectContaining({ sub: "u1" }) })
    const { session } = await jwtStrategy.check(makeContext({ cookies, config }))
    expect(session?.user?.name).toBe("Ann")
    expect(own.decode).toHaveBeenLastCalledWith({ ...params, token: cookies[cookieName] })
  })

  it.each(["thrower", "other"])("says that a string is no session: %s", async (text) => {
    const context = makeContext({ config, cookies: { [cookieName]: text } })
    const { session, cookies } = await jwtStrategy.check(context)
    expect(session).toBeNull()
    expect(cookiesAfter(context, cookies)).toEqual({})
  })

  it("may say so without throwing: the sign-out then carries null", async () => {
    const { events } = await jwtStrategy.end(makeContext({ config, cookies: { [cookieName]: "other" } }))
    expect(events).toEqual([{ kind: "signOut", message: { token: null } }])
  })

  it("must return a string: anything else is reported as a mistake in the configuration", async () => {
    for (const answer of [undefined, null, 7, {}]) {
      const config = { jwt: { ...own, encode: async () => answer as never } }
      await expect(signedIn({ config })).rejects.toThrow(/`jwt.encode` must return a string/)
    }
  })

  it("may return an empty string: then no cookie is set", async () => {
    const silent = { jwt: { ...own, encode: async () => "" } }
    expect(await signedIn({ config: silent })).toEqual({})
    // A session that was there before does not stay behind it.
    expect(await signedIn({ config: silent, cookies: { [cookieName]: "old" } })).toEqual({})
  })
})
