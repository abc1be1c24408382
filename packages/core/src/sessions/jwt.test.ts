import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, makeAdapter, makeContext } from "../../test/support/context.js"
import { claimsOf, cookieName, signedIn, withJwt } from "../../test/support/signed-in.js"
import type { AuthConfig } from "../types/config.js"
import type { JWT } from "../types/token.js"
import { jwtStrategy } from "./jwt.js"

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

  it("show a token that Auth.js sealed, with image", async () => {
    const context = makeContext()
    const cookies = await signedIn()
    expect(await claimsOf(context, cookies)).not.toHaveProperty("image")
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    await jwtStrategy.check(makeContext({ cookies, config: withJwt(jwt) }))
    expect(jwt.mock.calls[0]?.[0].token).toMatchObject({ image: "/ann.png" })
  })
})

describe("an unknown session is not signed out", () => {
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
  ])("throws when %s, and leaves the cookie alone", async (_, callbacks) => {
    const context = makeContext({ cookies: await signedIn(), config: { callbacks: callbacks as never } })
    for (const work of [async () => jwtStrategy.check(context), async () => jwtStrategy.update(context, {})]) {
      await expect(work()).rejects.toMatchObject({ type: "JWTSessionError", status: 500 })
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
  it("changes nothing by default, whatever was sent", { tags: ["threat:SF-15", "threat:SF-16"] }, async () => {
    const cookies = await signedIn()
    const data = { sub: "u2", id: "u2", email: "x@evil.test", exp: 9e9, iat: 1, jti: "x", role: "admin" }
    const updated = await jwtStrategy.update(makeContext({ cookies }), data)
    expect(updated.cookies).toEqual([])
    expect(updated.session?.user).toEqual({ name: "Ann", email: "ann@app.test", image: "/ann.png" })
  })

  it("hands the data to both callbacks with the trigger [spec callback jwt] [spec callback session] [spec state jwt-update]", async () => {
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    const session = vi.fn(({ session: given }: { session: unknown }) => given)
    const config = { callbacks: { jwt, session } } as unknown as Partial<AuthConfig>
    const data = { name: "Anna" }
    await jwtStrategy.update(makeContext({ cookies: await signedIn(), config }), data)
    expect(jwt.mock.calls[0]?.[0]).toMatchObject({ trigger: "update", session: data })
    expect(session.mock.calls[0]?.[0]).toMatchObject({ trigger: "update", newSession: data })
    expect(session.mock.calls[0]?.[0]).not.toHaveProperty("user")
  })

  it("keeps the changes of the callback", async () => {
    const config = withJwt(({ token, session }: { token: JWT; session?: { name: string } }) =>
      session ? { ...token, name: session.name } : token,
    )
    const context = makeContext({ cookies: await signedIn(), config })
    const { session, cookies } = await jwtStrategy.update(context, { name: "Anna" })
    expect(session?.user?.name).toBe("Anna")
    const next = makeContext({ cookies: cookiesAfter(context, cookies), config })
    expect((await jwtStrategy.check(next)).session?.user?.name).toBe("Anna")
  })

  it("answers null without a session", { tags: ["threat:SF-24"] }, async () => {
    expect((await jwtStrategy.update(makeContext({ form: { sessionToken: "x" } }), {})).session).toBeNull()
  })
})

describe("peek", () => {
  it("reads the user from the claims when there is no store", async () => {
    const current = await jwtStrategy.peek(makeContext({ cookies: await signedIn() }))
    expect(current).toEqual({
      user: { id: "u1", name: "Ann", email: "ann@app.test", image: "/ann.png", emailVerified: null },
      session: undefined,
    })
  })

  it("reads the store if there is one, and finds no session for a removed user", {
    tags: ["threat:SF-20"],
  }, async () => {
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

  it.each([{}, { [cookieName]: "garbage" }])("finds nobody for %j", async (cookies) => {
    expect(await jwtStrategy.peek(makeContext({ cookies }))).toBeNull()
  })
})

describe("end", () => {
  it("clears every chunk and emits the event with the token that ended [spec state sign-out] [spec event signOut]", {
    tags: ["threat:SF-05", "threat:SF-25"],
  }, async () => {
    const config = withJwt(({ token }: { token: JWT }) => ({ ...token, text: "x".repeat(9000) }))
    const context = makeContext({ cookies: await signedIn({ config }) })
    const { cookies, events, failure } = await jwtStrategy.end(context)
    expect(cookiesAfter(context, cookies)).toEqual({})
    expect(events).toEqual([{ kind: "signOut", message: { token: expect.objectContaining({ sub: "u1" }) } }])
    expect(failure).toBeUndefined()
  })

  it("emits no event for a cookie that is no session", async () => {
    const context = makeContext({ cookies: { [cookieName]: "garbage" } })
    const { cookies, events } = await jwtStrategy.end(context)
    expect(cookiesAfter(context, cookies)).toEqual({})
    expect(events).toEqual([])
  })

  it("is harmless without a session", { tags: ["threat:SF-05"] }, async () => {
    expect(await jwtStrategy.end(makeContext())).toMatchObject({ cookies: [], events: [] })
  })
})
