/** Applications whose `jwt.encode` keeps the claims that it knows: such a token says nothing of an unproven address, and nobody gains by it. */
import { describe, expect, it } from "vitest"
import type { Adapter } from "../../src/adapters.js"
import { memoryAdapter } from "../../src/memory.js"
import type { JWTOptions } from "../../src/types/token.js"
import { makeWorld, type World } from "../support/world.js"

const ada = { sub: "person-1", name: "Ada", email: "ada@op.test", email_verified: true }
const eve = { sub: "person-2", name: "Eve", email: "eve@evil.test", email_verified: true }
const silentEve = { sub: "person-3", name: "Eve", email: ada.email }
const byClaim = { emailVerified: (profile: { email_verified?: boolean }) => profile.email_verified }

/** It need not be sealed here: nobody changes it. */
const knownClaims: Pick<JWTOptions, "encode" | "decode"> = {
  encode: ({ token, maxAge = 60 }) => {
    const { sub, name, email } = token ?? {}
    const iat = Math.floor(Date.now() / 1000)
    return Buffer.from(JSON.stringify({ sub, name, email, iat, exp: iat + maxAge })).toString("base64url")
  },
  decode: ({ token = "" }) => JSON.parse(Buffer.from(token, "base64url").toString()),
}

const open = (adapter: Adapter = memoryAdapter()): Promise<World> =>
  makeWorld({
    ...{ strategy: "jwt", adapter, provider: byClaim, second: { id: "silent", emailVerified: undefined } },
    config: { jwt: knownClaims },
  })

/** As most adapters of Auth.js. */
function withoutList(): Adapter {
  const { listAccountsByUserId: _, transaction: __, ...adapter } = memoryAdapter()
  return adapter
}

describe("a session whose token keeps no mark", () => {
  it.each([
    ["lists accounts", memoryAdapter],
    ["does not", withoutList],
  ])(
    "links no account that stays when the owner has come (the adapter %s)",
    { tags: ["threat:A-022"] },
    async (_, adapter) => {
      const world = await open(adapter())
      const thief = world.browser()
      world.op.person = silentEve
      await world.signInAtOp(thief, { provider: "silent" })
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
