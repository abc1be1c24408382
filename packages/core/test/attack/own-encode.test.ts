/** Applications whose `jwt.encode` keeps the claims that it knows: such a token says nothing of an unproven address, and nobody gains by it. */
import { describe, expect, it } from "vitest"
import type { Adapter } from "../../src/adapters.js"
import { managedSessions } from "../../src/engine/managed-sessions.js"
import { memoryAdapter } from "../../src/memory.js"
import type { JWTOptions } from "../../src/types/token.js"
import type { TestBrowser } from "../support/browser.js"
import { sessionCookie } from "../support/journeys.js"
import { makeWorld, type World } from "../support/world.js"

const ada = { sub: "person-1", name: "Ada", email: "ada@op.test", email_verified: true }
const eve = { sub: "person-2", name: "Eve", email: "eve@evil.test", email_verified: true }
const silentEve = { sub: "person-3", name: "Eve", email: ada.email }
const byClaim = { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified }

/** It need not be sealed here: nobody changes it. */
const sealed = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString("base64url")

const knownClaims: Pick<JWTOptions, "encode" | "decode"> = {
  encode: ({ token, maxAge = 60 }) => {
    const { sub, name, email } = token ?? {}
    const iat = Math.floor(Date.now() / 1000)
    return sealed({ sub, name, email, iat, exp: iat + maxAge })
  },
  decode: ({ token = "" }) => {
    const { sub, name, email, iat, exp } = JSON.parse(Buffer.from(token, "base64url").toString())
    return { sub, name, email, iat, exp }
  },
}

const given = {
  ...{ strategy: "jwt" as const, provider: byClaim, second: { id: "silent", emailVerified: undefined } },
  config: { jwt: knownClaims },
}
const open = (adapter: Adapter = memoryAdapter()): Promise<World> => makeWorld({ ...given, adapter })

/** The session of a thief who signed in at the address of somebody else. */
async function thiefIn(world: World): Promise<TestBrowser> {
  const thief = world.browser()
  world.op.person = silentEve
  await world.signInAtOp(thief, { provider: "silent" })
  return thief
}

/** As most adapters of Auth.js. */
function withoutList(): Adapter {
  const { listAccountsByUserId: _, transaction: __, ...adapter } = memoryAdapter()
  return adapter
}

const dropped = /`jwt.encode` dropped the claim `lk`, which says that the session began at an address that nobody/

describe("a session at an unproven address whose token would keep no mark", () => {
  it("does not begin, and the log says why", { tags: ["threat:A-022"] }, async () => {
    const world = await open()
    const thief = await thiefIn(world)
    expect([await thief.session(), thief.cookie(sessionCookie)]).toEqual([null, undefined])
    expect(world.errors.map(({ name, message }) => `${name}: ${message}`)).toEqual([expect.stringMatching(dropped)])
    world.op.person = ada
    const owner = world.browser()
    await world.signInByMail(owner, ada.email)
    expect(await owner.session()).toMatchObject({ user: { email: ada.email } })
  })

  it.each<[string, Partial<JWTOptions>]>([
    ["decode fails", { decode: () => Promise.reject(new Error("no")) }],
    ["decode answers nothing", { decode: () => null }],
    ["decode keeps the claims alone that it knows", { encode: (params) => sealed({ ...params.token }) }],
  ])("does not begin where %s", { tags: ["threat:A-022"] }, async (_, jwt) => {
    const world = await makeWorld({ ...given, config: { jwt: { ...knownClaims, ...jwt } } })
    expect((await thiefIn(world)).cookie(sessionCookie)).toBeUndefined()
    expect(world.errors.map(({ message }) => message)).toEqual([expect.stringMatching(dropped)])
  })

  it("begins where nobody comes as the owner of an address; a warning says once what that means later", async () => {
    const world = await makeWorld({ ...given, mail: false })
    for (const _ of [1, 2]) {
      const browser = await thiefIn(world)
      expect(await browser.session()).toMatchObject({ user: { email: ada.email } })
    }
    expect(world.warnings.filter((code) => code === "claim-dropped")).toHaveLength(1)
  })

  it("begins where the token keeps all claims, and ends when the owner comes", async () => {
    const decode: JWTOptions["decode"] = ({ token = "" }) => JSON.parse(Buffer.from(token, "base64url").toString())
    const world = await makeWorld({
      ...given,
      config: { jwt: { encode: (params) => sealed({ ...params.token }), decode } },
    })
    const thief = await thiefIn(world)
    expect(await thief.session()).toMatchObject({ user: { email: ada.email } })
    await world.signInByMail(world.browser(), ada.email)
    expect(await thief.session()).toBeNull()
  })
})

it("no managed session begins whose token would not say which it is: ended, it would go on", async () => {
  const sessions = managedSessions()
  const world = await makeWorld({ ...given, config: { jwt: knownClaims, features: [sessions] } })
  const browser = world.browser()
  await world.signInByMail(browser, ada.email)
  const source = {
    url: "https://app.test/",
    headers: { cookie: `${sessionCookie}=${browser.cookie(sessionCookie) ?? ""}` },
  }
  for (const { id } of await sessions.list(world.auth, source)) await sessions.end(world.auth, source, id)
  expect(await browser.session()).toBeNull()
  expect(world.errors.map(({ message }) => message).join()).toMatch(/`lk`, which says which session it is/)
})

it("a session that gets no token leaves no record, at each further request and at a sign-in", async () => {
  const adapter = memoryAdapter()
  const before = await open(adapter)
  const browser = before.browser()
  await before.signInByMail(browser, ada.email)
  const config = {
    jwt: knownClaims,
    features: [managedSessions()],
    session: { strategy: "jwt" as const, updateAge: 0 },
  }
  const world = await makeWorld({ ...given, adapter, config })
  const copy = world.browser()
  copy.setCookie(sessionCookie, browser.cookie(sessionCookie) ?? "")
  for (const _ of [1, 2]) expect((await copy.get("/auth/session")).status).toBe(500)
  const user = await adapter.getUserByEmail?.(ada.email)
  await world.signInByMail(world.browser(), ada.email)
  expect(await adapter.listRecords?.("session", user?.id ?? "")).toEqual([])
})

describe("a session from before, whose token keeps no mark", () => {
  it.each([
    ["lists accounts", memoryAdapter],
    ["does not", withoutList],
  ])(
    "links no account that stays when the owner has come (the adapter %s)",
    { tags: ["threat:A-022"] },
    async (_, adapter) => {
      const kept = adapter()
      const before = await thiefIn(await makeWorld({ ...given, adapter: kept, mail: false }))
      const world = await open(kept)
      const thief = world.browser()
      thief.setCookie(sessionCookie, before.cookie(sessionCookie) ?? "")
      expect(await thief.session()).toMatchObject({ user: { email: ada.email } })
      world.op.person = eve
      expect((await world.signInAtOp(thief)).location).toContain("error=OAuthAccountNotLinked")
      await world.signInByMail(world.browser(), ada.email)
      const later = world.browser()
      await world.signInAtOp(later)
      expect(await later.session()).toMatchObject({ user: { email: eve.email } })
    },
  )

  it("links further accounts where each account of the user proves the address, or it is proven", async () => {
    const world = await open()
    const owner = world.browser()
    world.op.person = ada
    await world.signInAtOp(owner)
    world.op.person = { ...silentEve, email: "other@op.test" }
    expect((await world.signInAtOp(owner, { provider: "silent" })).location).toBe("https://app.test/")
    const second = await open(withoutList())
    const mailed = second.browser()
    await second.signInByMail(mailed, ada.email)
    second.op.person = eve
    expect((await second.signInAtOp(mailed)).location).toBe("https://app.test/")
  })
})
