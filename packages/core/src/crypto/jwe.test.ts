import fc from "fast-check"
import { CompactEncrypt, EncryptJWT, jwtDecrypt } from "jose"
import { describe, expect, it } from "vitest"
import { quickest } from "../../test/support/quickest.js"
import { toBase64url, utf8 } from "../std/bytes.js"
import type { Awaitable } from "../types/identity.js"
import { longestToken } from "./compact.js"
import { portable } from "./jose.js"
import { open, openWith, seal, sealWith } from "./jwe.js"
import { createKeyCache, createKeyring, type DerivedKey } from "./keyring.js"
import { cipher, native } from "./native.js"

const now = new Date("2026-03-01T12:00:00Z")
const seconds = now.getTime() / 1000
const cache = createKeyCache(64)
const keyring = createKeyring(["an old secret of thirty-two chars or more", "older"], cache)
const salt = "authjs.session-token"
const base = { keyring, salt, now }
const key = (await keyring.derive(0, salt)) as DerivedKey
const ways = { native: cipher, portable }

/** What the library itself makes of a token: the oracle. */
async function ask(token: string, at: Date = now): Promise<unknown> {
  const find = async ({ enc, kid }: { enc?: string; kid?: string }): Promise<Uint8Array> => {
    for (const index of [0, 1]) {
      const { bytes, kid512, kid256 } = await keyring.derive(index, salt)
      const isShort = enc === "A256GCM"
      if (kid === undefined || kid === (isShort ? kid256 : kid512)) return isShort ? bytes.subarray(0, 32) : bytes
    }
    throw new Error("no key")
  }
  const result = await jwtDecrypt(token, find, {
    clockTolerance: 15,
    currentDate: at,
    keyManagementAlgorithms: ["dir"],
    contentEncryptionAlgorithms: ["A256CBC-HS512", "A256GCM"],
  })
  return result.payload
}

const outcome = async (work: () => unknown): Promise<unknown> => {
  try {
    return { value: await work() }
  } catch (error) {
    return error instanceof Error ? "refused" : "threw something that is no error"
  }
}

const claimsOf = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 6 }).map((claims) => {
  const { iat, nbf, exp, jti, iss, sub, aud, ...rest } = claims
  return rest
})

/** Claims as JSON keeps them, in objects with the usual prototype. */
const plain = (claims: unknown): unknown => JSON.parse(JSON.stringify(claims))

describe("seal and open", () => {
  for (const [name, way] of Object.entries(ways)) {
    for (const [other, otherWay] of Object.entries(ways)) {
      it(`decrypts with the ${other} cipher what the ${name} cipher sealed`, async () => {
        await fc.assert(
          fc.asyncProperty(claimsOf, async (claims) => {
            const token = await sealWith(way, claims, { ...base, maxAge: 60 })
            const opened = await openWith(otherWay, token, base)
            const { iat, exp, jti, ...rest } = opened
            expect(plain(rest)).toEqual(plain(claims))
            expect({ iat, exp }).toEqual({ iat: seconds, exp: seconds + 60 })
            expect(jti).toMatch(/^[0-9a-f-]{36}$/)
            expect(await ask(token)).toEqual(opened)
          }),
          { numRuns: 60 },
        )
      })
    }

    it(`writes the header of the wire format with the ${name} cipher`, async () => {
      const token = await sealWith(way, {}, { ...base, maxAge: 60 })
      const [header = "", encryptedKey] = token.split(".")
      expect(atob(header.replace(/-/g, "+").replace(/_/g, "/"))).toBe(
        `{"alg":"dir","enc":"A256CBC-HS512","kid":"${key.kid512}"}`,
      )
      expect(encryptedKey).toBe("")
    })

    it(`decrypts A256GCM with the ${name} cipher`, async () => {
      const short = key.bytes.slice(0, 32)
      for (const kid of [undefined, key.kid256]) {
        const header = { alg: "dir", enc: "A256GCM", ...(kid && { kid }) }
        const token = await new EncryptJWT({ sub: "7" }).setProtectedHeader(header).encrypt(short)
        expect(await openWith(way, token, base)).toEqual({ sub: "7" })
      }
    })

    it(`decrypts a token without a key id with the listed secret that made it, with the ${name} cipher [spec options secret]`, {
      tags: ["threat:SF-19"],
    }, async () => {
      const made = await keyring.derive(0, salt)
      const tokens = [
        await new EncryptJWT({ sub: "7" }).setProtectedHeader({ alg: "dir", enc: "A256CBC-HS512" }).encrypt(made.bytes),
        await new EncryptJWT({ sub: "7" })
          .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
          .encrypt(made.bytes.slice(0, 32)),
      ]
      const rotated = (...newer: string[]): typeof base => ({
        ...base,
        keyring: createKeyring([...newer, ...keyring.secrets], createKeyCache(10)),
      })
      const without = { ...base, keyring: createKeyring(["newest", "newer"], createKeyCache(10)) }
      for (const token of tokens) {
        for (const opening of [rotated(), rotated("newer"), rotated("newest", "newer")])
          expect(await openWith(way, token, opening)).toEqual({ sub: "7" })
        expect(await outcome(() => openWith(way, token, without))).toBe("refused")
      }
    })

    it(`refuses every changed character with the ${name} cipher, as the library does`, async () => {
      const short = key.bytes.slice(0, 32)
      const samples = [
        await seal({ sub: "7" }, { ...base, maxAge: 60 }),
        await new EncryptJWT({ sub: "7" }).setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(short),
      ]
      const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      for (const sample of samples) {
        for (let place = 0; place < sample.length; place += 1) {
          const old = sample[place] ?? ""
          if (old === ".") continue
          const fresh = alphabet[(alphabet.indexOf(old) + 1) % alphabet.length]
          const changed = sample.slice(0, place) + fresh + sample.slice(place + 1)
          expect(await outcome(() => openWith(way, changed, base)), `place ${place}`).toBe("refused")
        }
      }
    })
  }

  it("agrees with the library on tokens cut, doubled and mixed", async () => {
    const one = (await seal({ sub: "1" }, { ...base, maxAge: 60 })).split(".")
    const two = (await seal({ sub: "2" }, { ...base, maxAge: 60 })).split(".")
    const part = fc.integer({ min: 0, max: 4 }).chain((place) =>
      fc.oneof(
        fc.constantFrom(one[place] ?? "", two[place] ?? "", ""),
        fc.integer({ min: 0, max: 40 }).map((end) => (one[place] ?? "").slice(0, end)),
        fc.integer({ min: 0, max: 40 }).map((start) => (two[place] ?? "").slice(start)),
        fc.string({ maxLength: 8 }),
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(part, { minLength: 3, maxLength: 7 }),
          fc
            .tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean())
            .map((from) => from.map((second, place) => (second ? two[place] : one[place]) ?? "")),
        ),
        async (parts) => {
          const token = parts.join(".")
          const expected = await outcome(() => ask(token))
          expect(await outcome(() => openWith(cipher, token, base))).toEqual(expected)
          expect(await outcome(() => openWith(portable, token, base))).toEqual(expected)
        },
      ),
      { numRuns: 400 },
    )
  })

  const headers: Record<string, Record<string, unknown>> = {
    "another algorithm": { alg: "A256KW", enc: "A256CBC-HS512" },
    "an algorithm that is costly on purpose [AL-02]": { alg: "PBES2-HS256+A128KW", enc: "A256CBC-HS512", p2c: 1e9 },
    "a key agreement [AL-05]": { alg: "ECDH-ES", enc: "A256GCM", epk: { kty: "EC" } },
    "a key that RSA wraps [AL-05]": { alg: "RSA-OAEP", enc: "A256CBC-HS512" },
    "a key that AES wraps [AL-05]": { alg: "A128KW", enc: "A256CBC-HS512" },
    "a key agreement with a point on no curve [AL-05]": {
      alg: "ECDH-ES",
      enc: "A256CBC-HS512",
      epk: {
        kty: "EC",
        crv: "P-256",
        x: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE",
        y: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE",
      },
    },
    "no algorithm": { enc: "A256CBC-HS512" },
    "another cipher [AL-05]": { alg: "dir", enc: "A128CBC-HS256" },
    "a cipher in another case": { alg: "dir", enc: "a256gcm" },
    "no cipher": { alg: "dir" },
    "a critical extension": { alg: "dir", enc: "A256CBC-HS512", crit: ["exp"], exp: 1 },
    "an empty list of critical extensions": { alg: "dir", enc: "A256CBC-HS512", crit: [] },
    "compression [AL-03]": { alg: "dir", enc: "A256CBC-HS512", zip: "DEF" },
    "a key id that is not a string": { alg: "dir", enc: "A256CBC-HS512", kid: 7 },
    "the key name of the other cipher": { alg: "dir", enc: "A256CBC-HS512", kid: key.kid256 },
  }
  it.each(Object.entries(headers))("refuses %s, however authentic", async (_, header) => {
    // Sealed with the right key under the header in question: nothing but the header is wrong.
    const odd = { ...key, header: toBase64url(utf8(JSON.stringify(header))) }
    const token = native?.encrypt(odd, "{}") ?? ""
    expect(await outcome(() => open(token, base))).toBe("refused")
    expect(await outcome(() => openWith(portable, token, base))).toBe("refused")
    expect(await outcome(() => ask(token))).toBe("refused")
  })

  it.each(Object.entries(ways))(
    "the %s cipher seals with an initialisation vector of its own each time",
    {
      tags: ["threat:VX-21"],
    },
    async (_, way) => {
      const sealed = await Promise.all(Array.from({ length: 3000 }, () => way.encrypt(key, "{}")))
      const vectors = sealed.map((token) => token.split(".")[2] ?? "")
      for (const vector of vectors) expect(vector).toMatch(/^[\w-]{22}$/)
      expect(new Set(vectors).size).toBe(3000)
      expect(JSON.parse(Buffer.from(sealed[0]?.split(".")[0] ?? "", "base64url").toString())).toMatchObject({
        alg: "dir",
        enc: "A256CBC-HS512",
      })
    },
  )

  it("opens what is sealed in that way under the right header", async () => {
    const odd = { ...key, header: toBase64url(utf8('{"enc":"A256CBC-HS512","alg":"dir"}')) }
    expect(await open(native?.encrypt(odd, "{}") ?? "", base)).toEqual({})
  })

  it("refuses an encrypted key beside an agreed one", async () => {
    const [header, , ...rest] = (await seal({}, { ...base, maxAge: 60 })).split(".")
    const token = [header, "AAAA", ...rest].join(".")
    for (const way of [cipher, portable]) expect(await outcome(() => openWith(way, token, base))).toBe("refused")
    expect(await outcome(() => ask(token))).toBe("refused")
  })

  it("refuses compression even when it is authentic", { tags: ["threat:AL-03"] }, async () => {
    const header = { alg: "dir", enc: "A256CBC-HS512", zip: "DEF" }
    const token = await new CompactEncrypt(utf8("{}")).setProtectedHeader(header).encrypt(key.bytes)
    expect(await ask(token)).toEqual({})
    expect(await outcome(() => open(token, base))).toBe("refused")
  })

  it.each(["[]", "null", "7", '"text"', "{", "", "\u0000"])("refuses the authentic payload %j", async (payload) => {
    const header = { alg: "dir", enc: "A256CBC-HS512" }
    const token = await new CompactEncrypt(utf8(payload)).setProtectedHeader(header).encrypt(key.bytes)
    for (const way of [cipher, portable]) expect(await outcome(() => openWith(way, token, base))).toBe("refused")
    expect(await outcome(() => ask(token))).toBe("refused")
  })

  it("refuses an authentic payload that is not UTF-8", async () => {
    const header = { alg: "dir", enc: "A256CBC-HS512" }
    const bytes = new Uint8Array([...utf8('{"a":"'), 0xff, ...utf8('"}')])
    const token = await new CompactEncrypt(bytes).setProtectedHeader(header).encrypt(key.bytes)
    for (const way of [cipher, portable]) expect(await outcome(() => openWith(way, token, base))).toBe("refused")
    expect(await outcome(() => ask(token))).toBe("refused")
  })

  const dates: [string, Record<string, unknown>, boolean][] = [
    ["ended 14 seconds ago", { exp: seconds - 14 }, true],
    ["ended 15 seconds ago", { exp: seconds - 15 }, false],
    ["ends in a second", { exp: seconds + 1 }, true],
    ["without an end", {}, true],
    ["whose end is text", { exp: "4950993306" }, false],
    ["valid in 15 seconds [SF-23]", { nbf: seconds + 15 }, true],
    ["valid in 16 seconds [SF-23]", { nbf: seconds + 16 }, false],
    ["whose beginning is null", { nbf: null }, false],
    ["issued in an hour [SF-23]", { iat: seconds + 3600 }, true],
    ["whose issue date is text", { iat: "now" }, false],
  ]
  it.each(dates)("accepts or refuses a token %s as the library does", async (_, claims, isGood) => {
    const header = { alg: "dir", enc: "A256CBC-HS512" }
    const text = utf8(JSON.stringify(claims))
    const token = await new CompactEncrypt(text).setProtectedHeader(header).encrypt(key.bytes)
    const expected = isGood ? { value: claims } : "refused"
    for (const way of [cipher, portable]) expect(await outcome(() => openWith(way, token, base))).toEqual(expected)
    expect(await outcome(() => ask(token))).toEqual(expected)
  })

  it("never opens for another purpose", { tags: ["threat:SF-18", "threat:A-007"] }, async () => {
    const token = await seal({ sub: "7" }, { ...base, maxAge: 60 })
    expect(await outcome(() => open(token, { ...base, salt: "authjs.state" }))).toBe("refused")
  })

  it("seals with the first secret and opens what any listed one sealed", { tags: ["threat:SF-19"] }, async () => {
    const token = await seal({ sub: "7" }, { ...base, maxAge: 60 })
    const rotated = { ...base, keyring: createKeyring(["a fresh secret", ...keyring.secrets], cache) }
    expect(await open(token, rotated)).toMatchObject({ sub: "7" })
    const fresh = await seal({ sub: "7" }, { ...rotated, maxAge: 60 })
    expect(await outcome(() => open(fresh, base))).toBe("refused")
    const removed = { ...base, keyring: createKeyring(["a fresh secret"], cache) }
    expect(await outcome(() => open(token, removed))).toBe("refused")
  })

  it("tries each of a hundred secrets once for a foreign token", {
    tags: ["threat:SF-19", "threat:AL-08"],
  }, async () => {
    let derived = 0
    const derive = (index: number, text: string): Awaitable<DerivedKey> => {
      derived += 1
      return keyring.derive(index % 2, text)
    }
    const secrets = Array.from({ length: 100 }, (_, index) => `secret ${index}`)
    const foreign = await seal({}, { ...base, keyring: createKeyring(["foreign"], cache), maxAge: 60 })
    expect(await outcome(() => open(foreign, { ...base, keyring: { ...keyring, secrets, derive } }))).toBe("refused")
    expect(derived).toBe(101)
  })

  it("keeps claims whose names are dangerous as plain data", async () => {
    const claims = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1,"then":2}') as Record<string, unknown>
    const opened = await open(await seal(claims, { ...base, maxAge: 60 }), base)
    expect(Object.getPrototypeOf(opened)).toBe(Object.prototype)
    expect(opened).not.toHaveProperty("isAdmin")
    expect(Object.entries(opened)).toEqual(
      expect.arrayContaining([
        ["__proto__", { isAdmin: true }],
        ["then", 2],
      ]),
    )
  })

  it("replaces iat, exp and jti of the claims", async () => {
    const token = await seal({ iat: 1, exp: 2, jti: "mine" }, { ...base, maxAge: 60 })
    const opened = await open(token, base)
    expect(opened).toMatchObject({ iat: seconds, exp: seconds + 60 })
    expect(opened.jti).not.toBe("mine")
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses to seal for %s seconds", async (maxAge) => {
    expect(await outcome(() => seal({}, { ...base, maxAge }))).toBe("refused")
  })

  it("refuses a text too long to be a token before it is read", {
    tags: ["threat:AL-04", "threat:AL-06"],
  }, async () => {
    const dots = ".".repeat(10_000)
    expect(() => open(dots, base)).toThrow()
    expect(() => open("a".repeat(longestToken + 1), base)).toThrow("too long")
    const time = await quickest(() => expect(() => open(`${"a.".repeat(60_000)}!`, base)).toThrow())
    expect(time).toBeLessThan(200)
  })

  it("returns no promise with the native cipher", () => {
    expect(cipher).toBe(native)
    const token = seal({ sub: "7" }, { ...base, maxAge: 60 })
    expect(typeof token).toBe("string")
    expect(open(token as string, base)).toMatchObject({ sub: "7" })
  })

  it("never repeats key name, secret or claims in an error", async () => {
    const secretText = "swordfish-in-the-claims"
    const header = { alg: "dir", enc: "A256CBC-HS512" }
    const broken = await new CompactEncrypt(utf8(`{"a":"${secretText}`)).setProtectedHeader(header).encrypt(key.bytes)
    for (const way of [cipher, portable]) {
      const error = await Promise.resolve()
        .then(() => openWith(way, broken, base))
        .catch((thrown: unknown) => thrown)
      expect(String((error as Error).stack)).not.toContain("swordfish")
    }
  })
})
