import { describe, expect, it, vi } from "vitest"
import { oddBearers } from "../../../../e2e/support/hostile-headers.js"
import { cookiesAfter, later, makeContext } from "../../test/support/context.js"
import { ann, claimsOf, cookieName, month, noStore, signedIn, withJwt } from "../../test/support/signed-in.js"
import type { Context } from "../context/context.js"
import { seal } from "../crypto/jwe.js"
import type { AuthConfig } from "../types/config.js"
import type { JWT } from "../types/token.js"
import { jwtStrategy } from "./jwt.js"
import { readToken } from "./jwt-cookie.js"

describe("check", () => {
  it("answers null and touches nothing without a cookie", async () => {
    const jwt = vi.fn()
    expect(await jwtStrategy.check(makeContext({ config: withJwt(jwt) }))).toEqual({
      session: null,
      cookies: [],
      events: [],
    })
    expect(jwt).not.toHaveBeenCalled()
  })

  it("shows name, e-mail, image and the end by default, and sets no cookie [spec callback session] [spec session expires] [spec session user] [spec event session]", {
    tags: ["threat:CK-33"],
  }, async () => {
    const context = makeContext({ cookies: await signedIn(), now: later(3600) })
    const { session, cookies, events } = await jwtStrategy.check(context)
    expect(session).toEqual({
      user: { name: "Ann", email: "ann@app.test", image: "/ann.png" },
      expires: later(month).toISOString(),
    })
    expect(cookies).toEqual([])
    expect(events).toEqual([{ kind: "session", message: { token: expect.objectContaining({ sub: "u1" }) } }])
  })

  it("runs the jwt callback at each access, with the token alone", async () => {
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    const cookies = await signedIn()
    await jwtStrategy.check(makeContext({ cookies, config: withJwt(jwt) }))
    const [params] = jwt.mock.calls[0] ?? []
    expect(Object.keys(params ?? {})).toEqual(["token"])
    expect(params?.token).toMatchObject({ sub: "u1", picture: "/ann.png", image: "/ann.png", jti: expect.any(String) })
  })

  it.each([
    ["just before", 86_399, false],
    ["when", 86_400, true],
    ["long after", 800_000, true],
  ])(
    "seals anew %s the update is due [spec limits session.updateAge] [spec options session.updateAge]",
    async (_, seconds, isSealed) => {
      const context = makeContext({ cookies: await signedIn(), now: later(seconds) })
      const { session, cookies } = await jwtStrategy.check(context)
      expect(cookies).toHaveLength(isSealed ? 1 : 0)
      const end = later(isSealed ? seconds + month : month)
      expect(session?.expires).toBe(end.toISOString())
      if (isSealed) expect(cookies[0]).toMatchObject({ role: "sessionToken", expires: end })
    },
  )

  it("returns a future end for a token without an issue date, also when no cookie can be set", async () => {
    const jwt = { encode: () => "token", decode: () => ({ sub: "u1" }) } as never
    const context = makeContext({ cookies: { [cookieName]: "token" }, config: { jwt } })
    const { session, cookies } = await jwtStrategy.check(context, true)
    expect([session?.expires, cookies]).toEqual([later(month).toISOString(), []])
  })

  it("seals nothing when no cookie can be set any more, and returns the end of the cookie", async () => {
    const config = withJwt(({ token }: { token: JWT }) => ({ ...token, name: "Bea" }))
    const context = makeContext({ cookies: await signedIn(), now: later(800_000), config })
    const { session, cookies } = await jwtStrategy.check(context, true)
    expect(session).toMatchObject({ user: { name: "Bea" }, expires: later(month).toISOString() })
    expect(cookies).toEqual([])
  })

  it("seals anew at every access when updateAge is 0 [spec options session.updateAge]", {
    tags: ["threat:SF-11"],
  }, async () => {
    const config = { session: { updateAge: 0 } }
    const { cookies } = await jwtStrategy.check(makeContext({ cookies: await signedIn({ config }), config }))
    expect(cookies).toHaveLength(1)
  })

  it("seals anew what has no issue date", async () => {
    const { keyring } = makeContext().settings
    const bare = await sealWithoutDate(makeContext())
    expect(keyring.secrets).toHaveLength(1)
    expect((await jwtStrategy.check(makeContext({ cookies: { [cookieName]: bare } }))).cookies).toHaveLength(1)
  })

  it("seals anew when the callback changed the token, then keeps it [spec limits session.updateAge]", async () => {
    const config = withJwt(({ token }: { token: JWT }) => ({ ...token, role: "editor" }))
    const context = makeContext({ cookies: await signedIn(), config, now: later(60) })
    const first = await jwtStrategy.check(context)
    expect(first.cookies).toHaveLength(1)
    expect(first.session?.expires).toBe(later(60 + month).toISOString())
    const cookies = cookiesAfter(context, first.cookies)
    expect(await claimsOf(context, cookies)).toMatchObject({ role: "editor", sub: "u1" })
    expect((await jwtStrategy.check(makeContext({ cookies, config, now: later(90) }))).cookies).toEqual([])
  })

  it("notices what the callback writes into the token it is given, also below the surface", async () => {
    const nested = withJwt(({ token }: { token: JWT }) => ({ list: [1], ...token }))
    const cookies = await signedIn({ config: nested })
    const config = withJwt(({ token }: { token: JWT & { list?: number[] } }) => {
      token.list?.push(2)
      return token
    })
    const context = makeContext({ cookies, config })
    const { cookies: changes } = await jwtStrategy.check(context)
    expect(await claimsOf(context, cookiesAfter(context, changes))).toMatchObject({ list: [1, 2] })
  })

  it("does not seal anew for claims that every sealing sets", async () => {
    const config = withJwt(({ token }: { token: JWT }) => ({ ...token, iat: 1, exp: 2, jti: "x" }))
    expect((await jwtStrategy.check(makeContext({ cookies: await signedIn(), config }))).cookies).toEqual([])
  })

  it("ends the session when the callback answers null, and announces nothing", { tags: ["threat:SF-14"] }, async () => {
    const context = makeContext({ cookies: await signedIn(), config: withJwt(() => null) })
    const { session, cookies, events } = await jwtStrategy.check(context)
    expect([session, events]).toEqual([null, []])
    expect(cookiesAfter(context, cookies)).toEqual({})
  })

  it.each<readonly [string, string | Record<string, string>]>([
    ["garbage", { [cookieName]: "garbage" }],
    ["chunks with a gap [CK-17]", { [`${cookieName}.0`]: "a", [`${cookieName}.2`]: "c" }],
    ...["state", "pkce.code_verifier", "nonce", "challenge", "csrf-token", "callback-url", "device"].map(
      (purpose) => [`a token that was sealed as ${purpose} [SF-18] [A-007]`, purpose] as const,
    ),
    ["the CSRF token, as its cookie holds it [A-007]", { [cookieName]: `${"a".repeat(64)}|${"b".repeat(64)}` }],
  ])("treats %s as no session and clears it", { tags: ["threat:CK-37"] }, async (_, cookies) => {
    const carried =
      typeof cookies === "string"
        ? { [cookieName]: await sealFor(makeContext(), `__Secure-authjs.${cookies}`) }
        : (cookies as object)
    const jwt = vi.fn()
    const context = makeContext({ cookies: carried as Record<string, string>, config: withJwt(jwt) })
    expect(await readToken(context)).toEqual({ kind: "broken" })
    const checked = await jwtStrategy.check(context)
    expect(checked.session).toBeNull()
    expect(jwt).not.toHaveBeenCalled()
    expect(await jwtStrategy.peek(context)).toBeNull()
    expect(await jwtStrategy.sessionUser(context)).toBeNull()
    expect(await jwtStrategy.end(context)).toEqual({ cookies: checked.cookies, events: [] })
    expect(cookiesAfter(context, checked.cookies)).toEqual({})
  })

  it("treats a token with more or fewer parts, or cut, as no session", { tags: ["threat:A-097"] }, async () => {
    const token = (await signedIn())[cookieName] ?? ""
    const parts = token.split(".")
    const broken = [
      token.slice(0, -1),
      token.slice(1),
      token.slice(0, token.length / 2),
      ...[1, 2, 3, 4].map((count) => parts.slice(0, count).join(".")),
      `${token}.`,
      `${token}.${parts[4]}`,
      `${token}.${token}`,
    ]
    for (const value of broken) {
      const context = makeContext({ cookies: { [cookieName]: value } })
      expect(await readToken(context), value).toEqual({ kind: "broken" })
      expect((await jwtStrategy.check(context)).session).toBeNull()
    }
    expect((await jwtStrategy.check(makeContext({ cookies: { [cookieName]: token } }))).session).not.toBeNull()
  })

  it("leaves a token of too many chunks alone, and does not use it", {
    tags: ["threat:V3-07"],
  }, async () => {
    const chunks = Array.from({ length: 11 }, (_, index) => [`${cookieName}.${index}`, "x".repeat(3900)])
    const context = makeContext({ cookies: Object.fromEntries(chunks) })
    for (const work of [jwtStrategy.check(context), jwtStrategy.update(context, {})])
      expect(await work).toEqual({ session: null, cookies: [], events: [] })
    expect(await jwtStrategy.peek(context)).toBeNull()
  })

  it("says at sign-in that a token is too large, and clears nothing", { tags: ["threat:V3-07"] }, async () => {
    const config = withJwt(({ token }: { token: JWT }) => ({ ...token, text: "x".repeat(40_000) }))
    const context = makeContext({ cookies: await signedIn(), config })
    for (const work of [jwtStrategy.check(context), jwtStrategy.begin(context, ann, noStore)]) {
      await expect(work).rejects.toMatchObject({
        type: "InvalidConfiguration",
        message: expect.stringContaining("more than cookies can hold: store less in it"),
      })
    }
  })

  it("reads the cookie of its scheme alone", { tags: ["threat:CK-03", "threat:CK-05"] }, async () => {
    const cookies = await signedIn()
    const plain = makeContext({ cookies, origin: "http://app.test" })
    expect(await jwtStrategy.check(plain)).toEqual({ session: null, cookies: [], events: [] })
  })

  it("refuses a token 15 seconds after its end [spec limits session.maxAge]", { tags: ["threat:SF-10"] }, async () => {
    const cookies = await signedIn()
    const at = async (seconds: number): Promise<unknown> =>
      (
        await jwtStrategy.check(
          makeContext({ cookies, now: later(seconds), config: { session: { updateAge: month } } }),
        )
      ).session
    expect(await at(month + 14)).not.toBeNull()
    expect(await at(month + 15)).toBeNull()
  })

  it("takes no token from a header [spec authentication 10]", { tags: ["threat:A-002", "threat:SF-24"] }, async () => {
    const token = (await signedIn())[cookieName]
    for (const authorization of [`Bearer ${token}`, `Bearer  ${token}`, `bearer ${token}`, ...oddBearers]) {
      const context = makeContext({ headers: { authorization } })
      expect(await jwtStrategy.check(context)).toEqual({ session: null, cookies: [], events: [] })
    }
  })

  it("survives a clock that went back an hour, or is that of another server", {
    tags: ["threat:SF-23", "threat:RC-26"],
  }, async () => {
    const checked = await jwtStrategy.check(makeContext({ cookies: await signedIn(), now: later(-3600) }))
    expect(checked.session).not.toBeNull()
    expect(checked.cookies).toEqual([])
  })

  it("ends with the token when that lives shorter than the cookie", async () => {
    const config: Partial<AuthConfig> = { jwt: { maxAge: 100_000 } }
    const cookies = await signedIn({ config })
    const expires = async (seconds: number): Promise<string | undefined> =>
      (await jwtStrategy.check(makeContext({ cookies, config, now: later(seconds) }))).session?.expires
    expect(await expires(10)).toBe(later(100_000).toISOString())
    expect(await expires(90_000)).toBe(later(190_000).toISOString())
  })

  it("ends with the cookie when that lives shorter than the token", async () => {
    const config: Partial<AuthConfig> = { session: { maxAge: 1000 }, jwt: { maxAge: 5000 } }
    const cookies = await signedIn({ config })
    const { session } = await jwtStrategy.check(makeContext({ cookies, config, now: later(10) }))
    expect(session?.expires).toBe(later(1000).toISOString())
  })

  it("opens what an older secret of the list sealed, and seals with the first when due", {
    tags: ["threat:SF-19"],
  }, async () => {
    const cookies = await signedIn({ config: { secret: "the old secret, long enough for all" } })
    const config = { secret: ["the new secret, long enough for all", "the old secret, long enough for all"] }
    const context = makeContext({ cookies, config, now: later(86_400) })
    const { session, cookies: changes } = await jwtStrategy.check(context)
    expect(session).not.toBeNull()
    const fresh = cookiesAfter(context, changes)
    const removed = makeContext({ cookies: fresh, config: { secret: "the new secret, long enough for all" } })
    expect((await jwtStrategy.check(removed)).session).not.toBeNull()
  })
})

/** A token of another purpose, and one without dates, as Auth.js or a custom encoder may leave them. */
async function sealFor(context: Context, salt: string): Promise<string> {
  return seal({ sub: "u1" }, { keyring: context.settings.jwt.keyring, salt, maxAge: 900, now: context.now })
}

async function sealWithoutDate({ settings }: Context): Promise<string> {
  const { CompactEncrypt } = await import("jose")
  const key = await settings.jwt.keyring.derive(0, cookieName)
  return new CompactEncrypt(new TextEncoder().encode('{"sub":"u1"}'))
    .setProtectedHeader({ alg: "dir", enc: "A256CBC-HS512" })
    .encrypt(key.bytes)
}
