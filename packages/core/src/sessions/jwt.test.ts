import { describe, expect, it, vi } from "vitest"
import {
  cookiesAfter,
  later,
  makeAdapter,
  makeContext,
  type Surroundings,
  startOfTests,
} from "../../test/support/context.js"
import type { Context } from "../context/context.js"
import { open, seal } from "../crypto/jwe.js"
import { createStore } from "../ports/store.js"
import type { AuthConfig } from "../types/config.js"
import type { CallbacksOptions } from "../types/hooks.js"
import type { Account } from "../types/identity.js"
import type { JWT } from "../types/token.js"
import { jwtStrategy } from "./jwt.js"
import type { Login } from "./strategy.js"

const name = "__Secure-authjs.session-token"
const account: Account = { provider: "op", providerAccountId: "7", type: "oidc" }
const ann: Login = {
  user: { id: "u1", name: "Ann", email: "ann@app.test", image: "/ann.png" },
  account,
  isNew: undefined,
}
const store = createStore(undefined)
const month = 2_592_000

/** The cookies of a browser that signed in at the start of the tests. */
async function signedIn(given: Surroundings = {}, login: Login = ann): Promise<Record<string, string>> {
  const context = makeContext(given)
  return cookiesAfter(context, (await jwtStrategy.begin(context, login, store)).cookies)
}

async function claimsOf(context: Context, cookies: Record<string, string>): Promise<Record<string, unknown>> {
  return open(cookies[name] ?? "", { keyring: context.settings.jwt.keyring, salt: name, now: context.now })
}

const withJwt = (jwt: (params: never) => unknown, more: Partial<AuthConfig> = {}): Partial<AuthConfig> => ({
  ...more,
  callbacks: { jwt: jwt as CallbacksOptions["jwt"] },
})

describe("begin", () => {
  it("seals name, e-mail, picture and subject, no image beside an equal picture", async () => {
    const context = makeContext()
    const { iat, exp, jti, ...claims } = await claimsOf(context, await signedIn())
    expect(claims).toEqual({ name: "Ann", email: "ann@app.test", picture: "/ann.png", sub: "u1" })
    expect([iat, exp]).toEqual([startOfTests.getTime() / 1000, startOfTests.getTime() / 1000 + month])
  })

  it("shows the callback the token with image, the user, the account and the profile [spec callbacks jwt]", async () => {
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    await signedIn({ config: withJwt(jwt) }, { ...ann, profile: { sub: "7", nickname: "a" } })
    expect(jwt.mock.calls).toEqual([
      [
        {
          token: { name: "Ann", email: "ann@app.test", picture: "/ann.png", image: "/ann.png", sub: "u1" },
          user: ann.user,
          account,
          profile: { sub: "7", nickname: "a" },
          trigger: "signIn",
        },
      ],
    ])
  })

  it.each([
    [true, "signUp", true],
    [false, "signIn", false],
    [undefined, "signIn", undefined],
  ])("tells with the trigger whether the user is new: %s [spec states jwt]", async (isNew, trigger, isNewUser) => {
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    await signedIn({ config: withJwt(jwt) }, { ...ann, isNew })
    expect(jwt.mock.calls[0]?.[0]).toMatchObject({ trigger, ...(isNewUser !== undefined && { isNewUser }) })
  })

  it("carries nothing over from a session that was there before [SF-02]", async () => {
    const planted = await signedIn(
      { config: withJwt(({ token }: { token: JWT }) => ({ ...token, role: "admin" })) },
      { ...ann, user: { id: "attacker" } },
    )
    const cookies = await signedIn({ cookies: planted })
    const claims = await claimsOf(makeContext(), cookies)
    expect(claims.sub).toBe("u1")
    expect(claims).not.toHaveProperty("role")
  })

  it("begins no session when the callback answers null, and takes the old cookie away [SF-14]", async () => {
    const context = makeContext({ config: withJwt(() => null), cookies: { [name]: "old" } })
    const { cookies } = await jwtStrategy.begin(context, ann, store)
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
    await expect(jwtStrategy.begin(context, ann, store)).rejects.toMatchObject({ type: "CallbackRouteError" })
  })

  it("refuses a token that cookies cannot carry [CK-23]", async () => {
    const config = withJwt(({ token }: { token: JWT }) => ({ ...token, text: "x".repeat(60_000) }))
    await expect(signedIn({ config })).rejects.toMatchObject({ type: "InvalidConfiguration" })
  })

  it("cuts a long token into chunks that are read again", async () => {
    const config = withJwt(({ token }: { token: JWT }) => ({ ...token, text: "x".repeat(9000) }))
    const cookies = await signedIn({ config })
    expect(Object.keys(cookies).length).toBeGreaterThan(2)
    const { session } = await jwtStrategy.check(makeContext({ config, cookies }))
    expect(session?.user).toMatchObject({ name: "Ann" })
  })
})

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

  it("shows name, e-mail, image and the end by default, and sets no cookie [CK-33] [spec callbacks session]", async () => {
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
  ])("seals anew %s the update is due [spec limits session.updateAge]", async (_, seconds, isSealed) => {
    const context = makeContext({ cookies: await signedIn(), now: later(seconds) })
    const { session, cookies } = await jwtStrategy.check(context)
    expect(cookies).toHaveLength(isSealed ? 1 : 0)
    const end = later(isSealed ? seconds + month : month)
    expect(session?.expires).toBe(end.toISOString())
    if (isSealed) expect(cookies[0]).toMatchObject({ role: "sessionToken", expires: end })
  })

  it("seals anew at every access when updateAge is 0 [SF-11]", async () => {
    const config = { session: { updateAge: 0 } }
    const { cookies } = await jwtStrategy.check(makeContext({ cookies: await signedIn({ config }), config }))
    expect(cookies).toHaveLength(1)
  })

  it("seals anew what has no issue date", async () => {
    const { keyring } = makeContext().settings
    const bare = await sealWithoutDate(makeContext())
    expect(keyring.secrets).toHaveLength(1)
    expect((await jwtStrategy.check(makeContext({ cookies: { [name]: bare } }))).cookies).toHaveLength(1)
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

  it("ends the session when the callback answers null, and announces nothing [SF-14]", async () => {
    const context = makeContext({ cookies: await signedIn(), config: withJwt(() => null) })
    const { session, cookies, events } = await jwtStrategy.check(context)
    expect([session, events]).toEqual([null, []])
    expect(cookiesAfter(context, cookies)).toEqual({})
  })

  it.each([
    ["garbage", { [name]: "garbage" }],
    ["chunks with a gap [CK-17]", { [`${name}.0`]: "a", [`${name}.2`]: "c" }],
    ["a token under another cookie's name [SF-18] [A-007]", "state"],
  ])("takes %s for no session and clears it [CK-37]", async (_, cookies) => {
    const carried =
      cookies === "state" ? { [name]: await sealFor(makeContext(), "__Secure-authjs.state") } : (cookies as object)
    const context = makeContext({ cookies: carried as Record<string, string> })
    const checked = await jwtStrategy.check(context)
    expect(checked.session).toBeNull()
    expect(cookiesAfter(context, checked.cookies)).toEqual({})
  })

  it("reads the cookie of its scheme alone [CK-05]", async () => {
    const cookies = await signedIn()
    const plain = makeContext({ cookies, origin: "http://app.test" })
    expect(await jwtStrategy.check(plain)).toEqual({ session: null, cookies: [], events: [] })
  })

  it("refuses a token 15 seconds after its end [SF-10] [spec limits session.maxAge]", async () => {
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

  it("survives a clock that went back an hour [SF-23]", async () => {
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

  it("opens what an older secret of the list sealed, and seals with the first when due [SF-19]", async () => {
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

/** A token of another purpose, and one without dates, as the peer or a custom encoder may leave them. */
async function sealFor(context: Context, salt: string): Promise<string> {
  return seal({ sub: "u1" }, { keyring: context.settings.jwt.keyring, salt, maxAge: 900, now: context.now })
}

async function sealWithoutDate({ settings }: Context): Promise<string> {
  const { CompactEncrypt } = await import("jose")
  const key = await settings.jwt.keyring.derive(0, name)
  return new CompactEncrypt(new TextEncoder().encode('{"sub":"u1"}'))
    .setProtectedHeader({ alg: "dir", enc: "A256CBC-HS512" })
    .encrypt(key.bytes)
}

describe("picture and image", () => {
  const written = async (change: Partial<JWT>): Promise<{ claims: Record<string, unknown>; image: unknown }> => {
    const config = withJwt(({ token }: { token: JWT }) => Object.assign(token, change))
    const context = makeContext({ cookies: await signedIn(), config })
    const { session, cookies } = await jwtStrategy.check(context)
    return { claims: await claimsOf(context, cookiesAfter(context, cookies)), image: session?.user?.image }
  }

  it.each([
    ["image alone", { image: "/new.png" }, { picture: "/ann.png", image: "/new.png" }, "/new.png"],
    ["both, apart", { picture: "/p.png", image: "/i.png" }, { picture: "/p.png", image: "/i.png" }, "/i.png"],
    ["both, alike", { picture: "/new.png", image: "/new.png" }, { picture: "/new.png" }, "/new.png"],
    ["picture alone, the name existing callbacks know", { picture: "/new.png" }, { picture: "/new.png" }, "/new.png"],
  ])("are sealed as one unless a callback writes %s", async (_, change, sealed, image) => {
    const { claims, image: seen } = await written(change)
    expect({ picture: claims.picture, ...("image" in claims && { image: claims.image }) }).toEqual(sealed)
    expect(seen).toBe(image)
  })

  it("show a token that was sealed by the peer with image", async () => {
    const context = makeContext()
    const cookies = await signedIn()
    expect(await claimsOf(context, cookies)).not.toHaveProperty("image")
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    await jwtStrategy.check(makeContext({ cookies, config: withJwt(jwt) }))
    expect(jwt.mock.calls[0]?.[0].token).toMatchObject({ image: "/ann.png" })
  })
})

describe("cannot tell is not signed out", () => {
  const failing = (): never => {
    throw new Error("boom")
  }
  it.each([
    ["the jwt callback throws", { jwt: failing }],
    ["the jwt callback answers nothing", { jwt: () => undefined }],
    ["the jwt callback answers a text", { jwt: () => "token" }],
    ["the jwt callback throws what is no error", { jwt: () => Promise.reject("boom") }],
    ["the jwt callback answers what cannot be sealed", { jwt: ({ token }: { token: JWT }) => ({ ...token, big: 1n }) }],
    ["the session callback throws [SF-13]", { session: failing }],
    ["the session callback answers nothing [SF-13]", { session: () => undefined }],
    ["the session callback answers a text [SF-13]", { session: () => "session" }],
  ])("throws when %s, and lets the cookie be", async (_, callbacks) => {
    const context = makeContext({ cookies: await signedIn(), config: { callbacks: callbacks as never } })
    for (const work of [jwtStrategy.check(context), jwtStrategy.update(context, {})]) {
      await expect(work).rejects.toMatchObject({ type: "JWTSessionError", status: 500 })
    }
  })

  it("lets the session callback hide a session", async () => {
    const config = { callbacks: { session: () => null } } as unknown as Partial<AuthConfig>
    expect(await jwtStrategy.check(makeContext({ cookies: await signedIn(), config }))).toEqual({
      session: null,
      cookies: [],
      events: [],
    })
  })
})

describe("update", () => {
  it("changes nothing by default, whatever was sent [SF-15] [SF-16]", async () => {
    const cookies = await signedIn()
    const data = { sub: "u2", id: "u2", email: "x@evil.test", exp: 9e9, iat: 1, jti: "x", role: "admin" }
    const updated = await jwtStrategy.update(makeContext({ cookies }), data)
    expect(updated.cookies).toEqual([])
    expect(updated.session?.user).toEqual({ name: "Ann", email: "ann@app.test", image: "/ann.png" })
  })

  it("hands the data to both callbacks with the trigger [spec callbacks jwt] [spec callbacks session]", async () => {
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    const session = vi.fn(({ session: given }: { session: unknown }) => given)
    const config = { callbacks: { jwt, session } } as unknown as Partial<AuthConfig>
    const data = { name: "Anna" }
    await jwtStrategy.update(makeContext({ cookies: await signedIn(), config }), data)
    expect(jwt.mock.calls[0]?.[0]).toMatchObject({ trigger: "update", session: data })
    expect(session.mock.calls[0]?.[0]).toMatchObject({ trigger: "update", newSession: data })
    expect(session.mock.calls[0]?.[0]).not.toHaveProperty("user")
  })

  it("keeps what the callback took over", async () => {
    const config = withJwt(({ token, session }: { token: JWT; session?: { name: string } }) =>
      session ? { ...token, name: session.name } : token,
    )
    const context = makeContext({ cookies: await signedIn(), config })
    const { session, cookies } = await jwtStrategy.update(context, { name: "Anna" })
    expect(session?.user?.name).toBe("Anna")
    const next = makeContext({ cookies: cookiesAfter(context, cookies), config })
    expect((await jwtStrategy.check(next)).session?.user?.name).toBe("Anna")
  })

  it("answers null without a session [SF-24]", async () => {
    expect((await jwtStrategy.update(makeContext({ form: { sessionToken: "x" } }), {})).session).toBeNull()
  })
})

describe("peek", () => {
  it("tells from the claims who is here when there is no store", async () => {
    const presence = await jwtStrategy.peek(makeContext({ cookies: await signedIn() }))
    expect(presence).toEqual({
      user: { id: "u1", name: "Ann", email: "ann@app.test", image: "/ann.png", emailVerified: null },
      session: undefined,
    })
  })

  it("asks the store where there is one, and finds nobody for a removed user [SF-20]", async () => {
    const adapter = makeAdapter()
    const config = { adapter, session: { strategy: "jwt" } } as const
    const context = makeContext({ cookies: await signedIn(), config })
    expect((await jwtStrategy.peek(context))?.user).toMatchObject({ id: "u1" })
    adapter.users.clear()
    expect(await jwtStrategy.peek(context)).toBeNull()
    expect(adapter.calls).toEqual(["getUser", "getUser"])
  })

  it("passes on that the store fails", async () => {
    const adapter = makeAdapter()
    adapter.broken = "getUser"
    const context = makeContext({ cookies: await signedIn(), config: { adapter, session: { strategy: "jwt" } } })
    await expect(jwtStrategy.peek(context)).rejects.toMatchObject({ type: "AdapterError" })
  })

  it.each([{}, { [name]: "garbage" }])("finds nobody for %j", async (cookies) => {
    expect(await jwtStrategy.peek(makeContext({ cookies }))).toBeNull()
  })
})

describe("end", () => {
  it("takes away every chunk and announces the token that ended [SF-05] [SF-25] [spec states session]", async () => {
    const config = withJwt(({ token }: { token: JWT }) => ({ ...token, text: "x".repeat(9000) }))
    const context = makeContext({ cookies: await signedIn({ config }) })
    const { cookies, events, failure } = await jwtStrategy.end(context)
    expect(cookiesAfter(context, cookies)).toEqual({})
    expect(events).toEqual([{ kind: "signOut", message: { token: expect.objectContaining({ sub: "u1" }) } }])
    expect(failure).toBeUndefined()
  })

  it("announces nothing for a cookie that is no session", async () => {
    const context = makeContext({ cookies: { [name]: "garbage" } })
    const { cookies, events } = await jwtStrategy.end(context)
    expect(cookiesAfter(context, cookies)).toEqual({})
    expect(events).toEqual([])
  })

  it("is harmless without a session [SF-05]", async () => {
    expect(await jwtStrategy.end(makeContext())).toMatchObject({ cookies: [], events: [] })
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

  it("gets secret, salt and lifetime, and its text is the cookie [spec options jwt]", async () => {
    const cookies = await signedIn({ config })
    expect(cookies[name]).toMatch(/^own:\{/)
    const params = { secret: "own", maxAge: 60, salt: name }
    expect(own.encode).toHaveBeenLastCalledWith({ ...params, token: expect.objectContaining({ sub: "u1" }) })
    const { session } = await jwtStrategy.check(makeContext({ cookies, config }))
    expect(session?.user?.name).toBe("Ann")
    expect(own.decode).toHaveBeenLastCalledWith({ ...params, token: cookies[name] })
  })

  it.each(["thrower", "other"])("says that a text is no session: %s", async (text) => {
    const context = makeContext({ config, cookies: { [name]: text } })
    const { session, cookies } = await jwtStrategy.check(context)
    expect(session).toBeNull()
    expect(cookiesAfter(context, cookies)).toEqual({})
  })

  it("may say so without throwing: the sign-out then carries null", async () => {
    const { events } = await jwtStrategy.end(makeContext({ config, cookies: { [name]: "other" } }))
    expect(events).toEqual([{ kind: "signOut", message: { token: null } }])
  })

  it("may answer no text: then no cookie is set", async () => {
    const silent = { jwt: { ...own, encode: async () => "" } }
    expect(await signedIn({ config: silent })).toEqual({})
  })
})
