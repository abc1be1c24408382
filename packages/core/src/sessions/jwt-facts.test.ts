import { describe, expect, it, vi } from "vitest"
import { cookiesAfter, later, makeContext, startOfTests, type TestContext } from "../../test/support/context.js"
import { managedStage } from "../../test/support/managed-stage.js"
import { claimsOf, signedIn as plainSignIn } from "../../test/support/signed-in.js"
import { memoryRecords } from "../memory.js"
import { toSeconds } from "../std/time.js"
import type { AuthConfig } from "../types/config.js"
import type { JWT } from "../types/token.js"
import { endOthers } from "./control.js"
import { jwtStrategy } from "./jwt.js"

type Callback = (params: { readonly token: JWT }) => JWT | null

/** A managed session whose jwt callback the test exchanges. */
async function signedIn(callbacks: AuthConfig["callbacks"] = {}) {
  const jwt = vi.fn<Callback>(({ token }) => token)
  const config = { callbacks: { jwt: jwt as never, ...callbacks } }
  const stage = managedStage({ strategy: "jwt", config })
  const user = await stage.newUser("ada@app.test")
  return { ...stage, jwt, user, cookies: await stage.signIn(user) }
}

describe("a managed session in a token", () => {
  it("is read without a new cookie, and announced with its token", async () => {
    const { at, cookies, user } = await signedIn()
    const read = await jwtStrategy.check(at(cookies, 60))
    expect(read.session?.expires).toBe(later(30 * 86_400).toISOString())
    expect(read.cookies).toEqual([])
    expect(read.events).toEqual([
      { kind: "session", message: { token: expect.objectContaining({ sub: user.id, lk: expect.any(Object) }) } },
    ])
  })

  it("is not announced where the session callback shows none", async () => {
    const { at, cookies } = await signedIn({ session: (() => null) as never })
    expect(await jwtStrategy.check(at(cookies))).toMatchObject({ session: null, events: [] })
  })

  it("ends when its user is deleted", { tags: ["threat:SF-08"] }, async () => {
    const { at, memory, cookies, user } = await signedIn()
    await memory.deleteUser(user.id)
    const context = at(cookies)
    const { session, cookies: changes, events } = await jwtStrategy.check(context)
    expect([session, cookiesAfter(context, changes), events]).toEqual([null, {}, []])
  })

  it("ends for every copy of its cookie when the jwt callback ends it", { tags: ["threat:SF-08"] }, async () => {
    const { at, jwt, cookies, isOpen } = await signedIn()
    jwt.mockReturnValueOnce(null)
    const context = at(cookies)
    const { session, cookies: changes } = await jwtStrategy.check(context)
    expect([session, cookiesAfter(context, changes)]).toEqual([null, {}])
    expect(await isOpen(cookies)).toBe(false)
  })

  it("goes on under its new token when the jwt callback refuses the one before, and no cookie is cleared", async () => {
    const { at, jwt, cookies, rotate, isOpen } = await signedIn()
    const after = (await rotate(cookies)) ?? {}
    jwt.mockReturnValueOnce(null)
    expect(await jwtStrategy.check(at(cookies))).toMatchObject({ session: null, cookies: [] })
    expect(await isOpen(after)).toBe(true)
  })

  it("from before sessions were managed ends in its browser when the jwt callback ends it", async () => {
    const { at, jwt, newUser, signIn } = await signedIn()
    const cookies = await signIn(await newUser("grace@app.test"), {}, null)
    jwt.mockReturnValueOnce(null)
    const context = at(cookies)
    const { session, cookies: changes } = await jwtStrategy.check(context)
    expect([session, cookiesAfter(context, changes)]).toEqual([null, {}])
  })

  it("that ends while it is extended is over, and its cookie goes", { tags: ["threat:RC-11"] }, async () => {
    const { at, records, cookies, user } = await signedIn()
    vi.spyOn(records, "putRecord").mockImplementationOnce(async () => {
      await records.deleteRecords(user.id, { kind: "session" })
      return false
    })
    const context = at(cookies, 86_400)
    const { session, cookies: changes } = await jwtStrategy.check(context)
    expect([session, cookiesAfter(context, changes)]).toEqual([null, {}])
  })

  it("keeps what the jwt callback changed in a new cookie, with the end that it had", async () => {
    const { at, jwt, cookies } = await signedIn()
    jwt.mockImplementationOnce(({ token }) => ({ ...token, role: "reader" }))
    const context = at(cookies, 60)
    const { session, cookies: changes } = await jwtStrategy.check(context)
    expect(session?.expires).toBe(later(30 * 86_400).toISOString())
    expect(await claimsOf(context, cookiesAfter(context, changes))).toMatchObject({ role: "reader" })
  })
})

describe("a managed session in a token that the application opens", () => {
  /** Its tokens keep when they were first made, however often they are sealed. */
  const kept = (claims: object = {}): AuthConfig["jwt"] => ({
    encode: async ({ token }) => JSON.stringify({ iat: toSeconds(startOfTests), ...claims, ...token }),
    decode: async ({ token }) => JSON.parse(token ?? "{}") as JWT,
  })

  it.each([
    ["the end of its record", {}, 70],
    ["the end of its token where that is sooner", { exp: toSeconds(later(60 * 86_400)) }, 60],
  ])("shows %s, long after the token was first made", async (_, claims, expected) => {
    const { at, newUser, signIn } = managedStage({ strategy: "jwt", config: { jwt: kept(claims) } })
    let cookies = await signIn(await newUser("ada@app.test"))
    for (const days of [20, 40]) {
      const context = at(cookies, days * 86_400)
      cookies = cookiesAfter(context, (await jwtStrategy.check(context)).cookies)
    }
    const { session } = await jwtStrategy.check(at(cookies, 40 * 86_400 + 60))
    expect(session?.expires).toBe(later(expected * 86_400).toISOString())
  })
})

describe("a session in a token that has ended", { tags: ["threat:SF-08"] }, () => {
  const read = async (context: TestContext) => {
    const { session, cookies } = await jwtStrategy.check(context)
    return [session, cookiesAfter(context, cookies)]
  }

  it("goes from its browser with its cookie, and its record is asked for once", async () => {
    const { at, records, user, cookies } = await signedIn()
    await records.deleteRecords(user.id, { kind: "session" })
    const get = vi.spyOn(records, "getRecord")
    expect(await read(at(cookies))).toEqual([null, {}])
    expect(get).toHaveBeenCalledOnce()
  })

  it("from before sessions were managed goes as well, unless it goes on with a token that may be in the cookie already", async () => {
    const { at, newUser, signIn } = await signedIn()
    const user = await newUser("grace@app.test")
    const [cookies, others] = [await signIn(user, {}, null), await signIn(user, {}, null)]
    const context = at(cookies)
    const after = cookiesAfter(context, (await endOthers(context)).cookies)
    expect(await read(at(cookies))).toEqual([null, cookies])
    expect(await read(at(others))).toEqual([null, {}])
    expect((await jwtStrategy.check(at(after))).session).not.toBeNull()
  })

  it.each([
    ["with facts", 60],
    ["from before facts were kept", undefined],
  ])("%s goes at its overall end, where no records are kept", async (_, overallMaxAge) => {
    const session = (overall: number | undefined) => ({ session: { strategy: "jwt" as const, overallMaxAge: overall } })
    const cookies = await plainSignIn({ config: session(overallMaxAge) })
    expect(await read(makeContext({ config: session(60), cookies, now: later(59) }))).toEqual([
      expect.anything(),
      cookies,
    ])
    expect(await read(makeContext({ config: session(60), cookies, now: later(60) }))).toEqual([null, {}])
  })
})

describe.each([
  ["managed", {}],
  ["in its token alone", null],
])("a session %s, read where no cookie can be set", (_, options) => {
  it.each([
    ["a warning says that the change of the callback is lost", true, ["session-not-saved"]],
    ["nothing is lost where the callback changed nothing", false, []],
  ])("%s", async (_what, isChanged, expected) => {
    const warn = vi.fn()
    const jwt = vi.fn<Callback>(({ token }) => token)
    const config = { callbacks: { jwt: jwt as never }, logger: { error: () => {}, warn, debug: () => {} } }
    const { at, newUser, signIn } = managedStage({ strategy: "jwt", config, options })
    const cookies = await signIn(await newUser("ada@app.test"))
    const read = (fixed: boolean) => {
      if (isChanged) jwt.mockImplementationOnce(({ token }) => ({ ...token, role: "reader" }))
      return jwtStrategy.check(at(cookies, 60), fixed)
    }
    warn.mockClear()
    await read(false)
    expect(warn).not.toHaveBeenCalled()
    expect((await read(true)).cookies).toEqual([])
    expect(warn.mock.calls.map(([code]) => code)).toEqual(expected)
  })
})

describe("a token that the application cannot seal", () => {
  it.each([
    ["keeps the record of a session that has one", true],
    ["leaves none of a session from before", false],
  ])("%s", async (_, isManaged) => {
    const encode = vi.fn(async () => "sealed by nobody")
    const records = memoryRecords()
    const plain = managedStage({ strategy: "jwt", records })
    const user = await plain.newUser("ada@app.test")
    const cookies = await plain.signIn(user, {}, isManaged ? {} : null)
    const jwt = ({ token }: { readonly token: JWT }) => ({ ...token, changed: true })
    const config = { callbacks: { jwt: jwt as never }, jwt: { encode } }
    const { at } = managedStage({ strategy: "jwt", records, config, over: () => plain.memory })
    await expect(jwtStrategy.check(at(cookies, 60))).rejects.toThrow("dropped the claim `lk`")
    expect(await records.listRecords("session", user.id)).toHaveLength(isManaged ? 1 : 0)
  })
})
