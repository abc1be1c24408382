/** Tokens made here open with the package of Auth.js and the other way round: an application can move here and back. */
import { decode as peerDecode, encode as peerEncode, getToken as peerGetToken } from "@auth/core/jwt"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { concreteCookies } from "../../src/http/cookies.js"
import { decode, encode, getToken } from "../../src/jwt.js"
import { makeContext } from "../support/context.js"

const secret = "a secret that both know, 32 or more"
const salt = "authjs.session-token"
const ways = {
  "from here to Auth.js": { encode, decode: peerDecode },
  "from Auth.js to here": { encode: peerEncode, decode },
}

/** What JSON keeps, in objects with the usual prototype. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe.each(Object.entries(ways))("a token on its way %s", (_, way) => {
  it("keeps its claims of any kind", async () => {
    const claims = fc
      .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 })
      .map(({ iat, nbf, exp, jti, iss, aud, sub, ...rest }) => rest)
    await fc.assert(
      fc.asyncProperty(claims, async (token) => {
        const opened = await way.decode({ token: await way.encode({ token, secret, salt }), secret, salt })
        const { iat, exp, jti, ...rest } = opened ?? {}
        expect(plain(rest)).toEqual(plain(token))
        expect(Number(exp) - Number(iat)).toBe(2_592_000)
        expect(jti).toMatch(/^[0-9a-f-]{36}$/)
      }),
      { numRuns: 30 },
    )
  })

  it.each([
    ["one secret", secret, secret],
    ["a list of one", [secret], secret],
    ["a rotated list", "older", ["newest", "newer", "older"]],
    ["a list whose first sealed", ["newest", "older"], ["newest"]],
  ])("opens with %s", async (_name, sealing, opening) => {
    const token = await way.encode({ token: { sub: "7" }, secret: sealing, salt })
    expect(await way.decode({ token, secret: opening, salt })).toMatchObject({ sub: "7" })
  })

  it.each([
    ["a secret that was removed", { secret: "another", salt }],
    ["another salt", { secret, salt: "authjs.state" }],
  ])("does not open with %s", async (_name, opening) => {
    const token = await way.encode({ token: { sub: "7" }, secret, salt })
    await expect(way.decode({ token, ...opening })).rejects.toThrow()
  })

  it.each([
    [-10, true],
    [-20, false],
  ])("with %s seconds to live is accepted: %s", async (maxAge, isAccepted) => {
    const token = await way.encode({ token: {}, secret, salt, maxAge })
    const opened = way.decode({ token, secret, salt })
    if (isAccepted) await expect(opened).resolves.toHaveProperty("exp")
    else await expect(opened).rejects.toThrow()
  })
})

describe("getToken", () => {
  const long = { sub: "8", text: "ü".repeat(6000) }

  it("reads chunked tokens that Auth.js sealed", async () => {
    const token = await peerEncode({ token: long, secret, salt })
    const chunks = token.match(/.{1,3936}/g) ?? []
    expect(chunks.length).toBeGreaterThan(2)
    const cookie = chunks.map((chunk, index) => `${salt}.${index}=${chunk}`).join("; ")
    expect(await getToken({ req: { headers: { cookie } }, secret })).toMatchObject(long)
  })

  it("seals chunked tokens that Auth.js can read", async () => {
    const context = makeContext({ origin: "http://app.test" })
    const value = await encode({ token: long, secret, salt })
    const cookies = concreteCookies([{ role: "sessionToken", value }], context)
    expect(cookies.length).toBeGreaterThan(2)
    const cookie = cookies.map(({ name, value: chunk }) => `${name}=${encodeURIComponent(chunk)}`).join("; ")
    expect(await peerGetToken({ req: { headers: { cookie } }, secret })).toMatchObject(long)
  })
})
