/** What the callbacks of sessions are asked and may answer, and what of a token they see and a client gets. */
import { describe, expect, it, vi } from "vitest"
import { later, makeAdapter, makeContext } from "../../test/support/context.js"
import { JWTSessionError } from "../errors.js"
import type { AuthConfig } from "../types/config.js"
import type { JWT } from "../types/token.js"
import {
  askJwt,
  askSession,
  explained,
  followPicture,
  passAccess,
  presentToken,
  sealed,
  shown,
  type Update,
} from "./callbacks.js"

const claims: JWT = { sub: "u1", name: "Ann", picture: "/a.png", image: "/a.png", iat: 1, exp: 2, jti: "x" }
const expires = later(60)
const at = (callbacks: object, config: Partial<AuthConfig> = {}) =>
  makeContext({ config: { callbacks: callbacks as never, ...config } })

/** The error that a session is refused with where a callback does this. */
async function errorOf(work: () => unknown): Promise<Error> {
  try {
    await work()
  } catch (thrown) {
    return explained(JWTSessionError, thrown)
  }
  throw new Error("nothing was thrown")
}

const outside = "Outside a sign-in it is given `token` alone, without `user`, `account` and `profile`."
const ofTokens = "With sessions in tokens it is given `token`; `user` is there with sessions in the database alone."
const ofRows = "With sessions in the database it is given `user`; `token` is there with sessions in tokens alone."

describe("a callback that throws", () => {
  const failing = { jwt: vi.fn(), session: vi.fn() }
  const rows = { adapter: makeAdapter(), session: { strategy: "database" } } as const
  const ways: readonly [string, string, () => unknown, string][] = [
    ["jwt", "of an access", () => passAccess(at(failing), claims, undefined), ` ${outside}`],
    ["jwt", "of a sign-in", () => askJwt(at(failing), { token: claims, user: {} }), ""],
    ["session", "of a token", () => askSession(at(failing), {}), ` ${ofTokens}`],
    ["session", "of a row", () => askSession(at(failing, rows), {}), ` ${ofRows}`],
  ]

  it.each(ways)(
    "is named with what it threw, and what it was given if that was not there: %s %s",
    async (callback, _, work, hint) => {
      for (const isLate of [false, true]) {
        const throwing = (err: Error) => {
          const answer = (): unknown => {
            if (isLate) return Promise.reject(err)
            throw err
          }
          failing.jwt.mockImplementation(answer)
          failing.session.mockImplementation(answer)
          return err
        }
        const err = throwing(new Error("It rains."))
        expect(await errorOf(work)).toMatchObject({
          message: `The ${callback} callback failed: It rains.`,
          cause: { err, callback },
        })
        const missing = throwing(new TypeError("There is no user.id."))
        expect(await errorOf(work)).toMatchObject({
          message: `The ${callback} callback failed: There is no user.id.${hint}`,
          cause: { err: missing, callback },
        })
      }
    },
  )

  it("is not blamed for what the engine throws", async () => {
    const err = new Error("not a callback")
    expect(explained(JWTSessionError, err)).toMatchObject({ message: "not a callback", cause: { err } })
    expect(explained(JWTSessionError, err).cause).not.toHaveProperty("callback")
  })
})

it("gives a callback the request behind it, where that names a second parameter", () => {
  const named = (_: object, details?: { request: { url: string } }) => ({ name: details?.request.url })
  const context = at({ jwt: named, session: named })
  const { url } = context.incoming
  expect([askJwt(context, {}), askSession(context, {})]).toEqual([{ name: url }, { name: url }])
})

describe("what a callback may answer", () => {
  it.each<["jwt" | "session", unknown, string]>([
    ["jwt", undefined, "the token or null, received undefined"],
    ["jwt", "token", "the token or null, received string"],
    ["jwt", [], "the token or null, received a list"],
    ["session", undefined, "a session or null, received undefined"],
    ["session", "session", "a session or null, received string"],
    ["session", [], "a session or null, received a list"],
  ])("is not, of the %s callback, %j", async (name, answer, expected) => {
    for (const answering of [() => answer, async () => answer]) {
      const context = at({ [name]: answering })
      const work = () => (name === "jwt" ? passAccess(context, claims, undefined) : askSession(context, {}))
      expect(await errorOf(work)).toMatchObject({
        message: `The ${name} callback failed: expected ${expected}.`,
        cause: { callback: name },
      })
    }
  })

  it("is null, or what there is to know, and needs no promise", () => {
    expect(passAccess(at({ jwt: () => null }), claims, undefined)).toEqual({ token: null, isChanged: true })
    expect(askSession(at({ session: () => null }), {})).toBeNull()
    const session = { user: { email: "a@app.test" }, expires: "soon" }
    expect(askSession(at({ session: () => session }), {})).toBe(session)
  })

  it("is made readable for clients: no empty address, no date", async () => {
    const answer = { user: { name: "Ann", email: "" }, expires }
    const session = askSession(at({ session: () => answer }), {})
    expect(session).toEqual({ user: { name: "Ann", email: null }, expires: expires.toISOString() })
    expect(answer.user.email).toBe("")
    expect(askSession(at({ session: () => ({ none: true }) }), {})).toEqual({ none: true })
  })
})

describe("an access", () => {
  it("leaves the token as it is where the application has no callback", () => {
    const { token, isChanged } = passAccess(at({}), claims, { data: { name: "Eve" } }) as {
      token: JWT
      isChanged: boolean
    }
    expect([token, isChanged]).toEqual([claims, false])
    expect(token).toBe(claims)
  })

  it.each<[string, object]>([
    ["beside other members", { sub: "u2", name: "Eve" }],
    ["beside a user without one", { sub: "u2", user: { name: "Eve" } }],
    ["as that of a user", { user: { sub: "u2" } }],
  ])("is refused after an update in which a client names somebody else: %s", async (_, data) => {
    const jwt = ({ token, session }: { token: JWT; session?: { user?: object } }) => ({
      ...token,
      ...session,
      ...session?.user,
    })
    const context = at({ jwt })
    const update = { data }
    expect((await errorOf(() => passAccess(context, claims, update))).message).toContain("`sub` that the client sent")
    const ofServer = { ...context, incoming: { ...context.incoming, caller: "server" as const } }
    expect(await passAccess(ofServer, claims, update)).toMatchObject({ token: { sub: "u2" }, isChanged: true })
  })

  it("goes on after an update that is no object, and that names the user whose it is", async () => {
    const jwt = ({ token, session }: { token: JWT; session?: object }) => ({ ...token, ...session, sub: "u2" })
    for (const data of [undefined, null, "u2", { name: "Eve" }, { user: "u2" }])
      expect(await passAccess(at({ jwt }), claims, { data: data as never })).toMatchObject({ token: { sub: "u2" } })
    const own = { data: { sub: "u1" } }
    const keeps = at({ jwt: ({ token }: { token: JWT }) => token })
    expect(await passAccess(keeps, claims, own)).toMatchObject({ token: { sub: "u1" } })
  })

  it("asks with a copy of the token, and with what a client sent to change it", () => {
    const jwt = vi.fn(({ token }: { token: JWT }) => token)
    const asked = (update?: Update) => {
      passAccess(at({ jwt }), claims, update)
      return jwt.mock.lastCall?.[0]
    }
    expect(asked()).toStrictEqual({ token: claims })
    expect(asked()?.token).not.toBe(claims)
    expect(asked({ data: undefined })).toStrictEqual({ token: claims, trigger: "update" })
    expect(asked({ data: { name: "Eve" } })).toStrictEqual({
      token: claims,
      trigger: "update",
      session: { name: "Eve" },
    })
  })

  it.each<[string, JWT, boolean]>([
    ["nothing", {}, false],
    ["what every sealing sets", { iat: 7, exp: 8, jti: "y" }, false],
    ["a claim", { role: "admin" }, true],
    ["the image alone", { image: "/b.png" }, true],
    ["the picture, which the image follows", { picture: "/b.png" }, true],
  ])("has to be sealed anew where the callback changed %s: %o, %j", (_, change, isChanged) => {
    const jwt = ({ token }: { token: JWT }) => ({ ...token, ...change })
    expect(passAccess(at({ jwt }), claims, undefined)).toMatchObject({ isChanged })
  })
})

describe("a picture", () => {
  it("is shown under both names, and sealed under one while they agree", () => {
    expect(shown({ picture: "/a.png" })).toEqual({ picture: "/a.png", image: "/a.png" })
    expect(shown({ picture: "/a.png", image: null })).toEqual({ picture: "/a.png", image: null })
    expect(shown({ name: "Ann" })).toStrictEqual({ name: "Ann" })
    expect(sealed({ picture: "/a.png", image: "/a.png" })).toStrictEqual({ picture: "/a.png" })
    expect(sealed({ picture: "/a.png", image: "/b.png" })).toEqual({ picture: "/a.png", image: "/b.png" })
    const bare = { name: "Ann" }
    expect(sealed(bare)).toBe(bare)
  })

  it.each<[string, JWT, JWT, JWT]>([
    ["follows", { picture: "/a", image: "/a" }, { picture: "/b", image: "/a" }, { picture: "/b", image: "/b" }],
    ["was another", { picture: "/a", image: "/i" }, { picture: "/b", image: "/i" }, { picture: "/b", image: "/i" }],
    ["was changed too", { picture: "/a", image: "/a" }, { picture: "/b", image: "/c" }, { picture: "/b", image: "/c" }],
    [
      "alone was changed",
      { picture: "/a", image: "/a" },
      { picture: "/a", image: "/c" },
      { picture: "/a", image: "/c" },
    ],
    ["is not there", {}, { picture: "/b" }, { picture: "/b" }],
  ])("that a callback changes: the image %s", (_, before, after, expected) => {
    expect(followPicture(after, before)).toStrictEqual(expected)
  })
})

describe("what a client sees of a token", () => {
  const present = (token: JWT, config: Partial<AuthConfig> = {}, update?: Update) =>
    presentToken(makeContext({ config }), { token, expires, update })

  it("is name, address and image, unless more is exposed", () => {
    expect(present({ ...claims, email: "", role: "admin" })).toEqual({
      user: { name: "Ann", email: null, image: "/a.png" },
      expires: expires.toISOString(),
    })
    expect(present({ name: "Ann", email: "ann@app.test", picture: "/p.png" })).toMatchObject({
      user: { email: "ann@app.test", image: "/p.png" },
    })
    expect(present({ picture: "/p.png", image: null })).toMatchObject({ user: { image: null } })
    const session = { expose: ["id", "role", "team", "email"] as never }
    expect(present({ ...claims, email: "ann@app.test", role: "admin" }, { session })).toStrictEqual({
      user: { id: "u1", role: "admin", name: "Ann", email: "ann@app.test", image: "/a.png" },
      expires: expires.toISOString(),
    })
  })

  it("is what the session callback makes of it, which learns what a client sent", () => {
    const session = vi.fn((_: object) => ({ user: { name: "Own" } }))
    const config = { callbacks: { session: session as never } }
    expect(present(claims, config)).toEqual({ user: { name: "Own" } })
    const basic = { user: { name: "Ann", email: undefined, image: "/a.png" }, expires: expires.toISOString() }
    expect(session.mock.lastCall?.[0]).toStrictEqual({ session: basic, token: claims })
    present(claims, config, { data: { name: "Eve" } })
    expect(session.mock.lastCall?.[0]).toStrictEqual({
      session: basic,
      token: claims,
      newSession: { name: "Eve" },
      trigger: "update",
    })
  })
})
