/** The provider's keys: which one is used, how long they are cached, and what happens when they change. */

import { constants, createSign, generateKeyPairSync, type KeyObject } from "node:crypto"
import { describe, expect, it } from "vitest"
import { createCaches } from "../../../src/config/caches.js"
import { oidcAt, openDesk, refusalOf, signIn } from "../../support/oauth-desk.js"
import { type FakeOp, json, makeOpKey, type OpKey, openOp, signWith, unsigned } from "../../support/op.js"
import { quickest } from "../../support/quickest.js"

const accepted = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )
const fetches = (op: FakeOp): number => op.callsOf("jwks").length
const second = await makeOpKey("second")
const nameless = await makeOpKey(null)
const withoutName = ({ kid: _, ...jwk }: OpKey["jwk"]): OpKey["jwk"] => jwk

describe("the key of an id_token", () => {
  it("is the only key of the set when the token names none", { tags: ["threat:CB-06", "threat:C1-40"] }, async () => {
    const op = await openOp()
    op.keys = [nameless]
    expect(op.document()["id_token_signing_alg_values_supported"]).toEqual(["RS256"])
    expect(await accepted(signIn(openDesk(oidcAt(op, { idToken: false })), op))).toBe(true)
    expect(op.callsOf("userinfo")).toHaveLength(1)
  })

  it("is the only key that fits when the token names none", { tags: ["threat:C1-40", "threat:C1-42"] }, async () => {
    const op = await openOp()
    const [{ jwk: of, ...rest } = nameless] = op.keys
    const curve = await makeOpKey("curve", "ES256")
    const others = [
      { ...second, jwk: { ...second.jwk, use: "enc" } },
      { ...second, jwk: { ...second.jwk, alg: "RS512" } },
    ]
    op.keys = [{ ...rest, kid: null, jwk: of }, curve, ...others]
    const desk = openDesk(oidcAt(op))
    expect(await accepted(signIn(desk, op))).toBe(true)
    for (const key of others) {
      op.sign = (claims) => signWith({ ...key, kid: null }, claims)
      expect(await accepted(signIn(desk, op))).toBe(false)
    }
  })

  it("is required when the set has several keys; without it the token is refused", {
    tags: ["threat:CB-07", "threat:C1-40"],
  }, async () => {
    const op = await openOp()
    op.keys = [nameless, { ...second, kid: null, jwk: withoutName(second.jwk) }]
    expect((await refusalOf(signIn(openDesk(oidcAt(op)), op))).type).toBe("OAuthCallbackError")
  })

  it("is exactly the one that the token names", { tags: ["threat:C1-39"] }, async () => {
    const op = await openOp()
    op.keys = [second, ...op.keys]
    const [, first] = op.keys
    op.sign = (claims) => signWith(first as OpKey, claims)
    expect(await accepted(signIn(openDesk(oidcAt(op)), op))).toBe(true)
    op.sign = (claims) => signWith(first as OpKey, claims, { kid: "second" })
    expect(await accepted(signIn(openDesk(oidcAt(op)), op))).toBe(false)
  })

  it.each([
    { what: "is for encryption [C1-39] [C1-42] [A-126]", jwk: { use: "enc" } },
    { what: "is of another algorithm [C1-39]", jwk: { alg: "RS512" } },
    { what: "is of another type [C1-39] [A-126]", jwk: { kty: "EC", crv: "P-256", x: "AA", y: "AA" } },
    { what: "may not verify", jwk: { key_ops: ["encrypt"] } },
  ])("is never one that $what", async ({ jwk }) => {
    const op = await openOp()
    const [first] = op.keys
    if (first) op.keys = [{ ...first, jwk: { ...first.jwk, ...jwk } }]
    expect(await accepted(signIn(openDesk(oidcAt(op)), op))).toBe(false)
  })
})

describe("a key that a token brings or names itself", () => {
  it.each([
    ["jwk", { jwk: second.jwk }],
    ["x5c", { x5c: ["AAAA"] }],
    ["jku", { jku: "https://evil.test/jwks" }],
    ["x5u", { x5u: "https://evil.test/certificate" }],
    ["a path as kid", { kid: "../../../../dev/null" }],
    ["SQL as kid", { kid: "x' union select 'key' --" }],
    ["an address as kid", { kid: "https://evil.test/jwks" }],
    ["a member of every object as kid", { kid: "__proto__" }],
  ])(
    "%s: is not used, and nothing is fetched but the set of the provider",
    { tags: ["threat:V9-03"] },
    async (_, header) => {
      const op = await openOp()
      const [first] = op.keys
      op.sign = (claims) => signWith({ ...second, kid: first?.kid ?? null }, claims, header)
      expect((await refusalOf(signIn(openDesk(oidcAt(op)), op))).type).toBe("OAuthCallbackError")
      expect(op.calls.filter(({ endpoint }) => endpoint === "other")).toEqual([])
      op.sign = (claims) => signWith(first as OpKey, claims)
      expect(await accepted(signIn(openDesk(oidcAt(op)), op))).toBe(true)
    },
  )
})

describe("a key that does not fit the algorithm", () => {
  const weak = generateKeyPairSync("rsa", { modulusLength: 1024 })
  const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" })
  const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

  it.each<[string, string, { publicKey: KeyObject; privateKey: KeyObject }, object]>([
    ["ES256 with a key of P-384", "ES256", p384, { dsaEncoding: "ieee-p1363" }],
    ["ES256 with a key of P-384 that calls itself P-256", "ES256", p384, { dsaEncoding: "ieee-p1363", crv: "P-256" }],
    ["RS256 with a key of 1024 bits", "RS256", weak, {}],
    ["PS256 with a key of 1024 bits", "PS256", weak, { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }],
    ["PS256 with a key of a curve", "PS256", p256, { dsaEncoding: "ieee-p1363" }],
    ["RS256 with a key of a curve", "RS256", p256, { dsaEncoding: "ieee-p1363" }],
    ["ES256K with a key of a curve", "ES256K", p256, { dsaEncoding: "ieee-p1363" }],
  ])(
    "is refused: %s",
    { tags: ["threat:A-126", "threat:A-130", "threat:C1-17"] },
    async (_, alg, pair, { crv, ...how }: { crv?: string }) => {
      const op = await openOp()
      op.metadata = { id_token_signing_alg_values_supported: [alg] }
      const jwk = { ...pair.publicKey.export({ format: "jwk" }), ...(crv && { crv }), kid: "odd", use: "sig" }
      op.faults.jwks = () => json({ keys: [jwk] })
      op.sign = async (claims) => {
        const text = `${part({ alg, kid: "odd" })}.${part(claims)}`
        return `${text}.${createSign("sha256")
          .update(text)
          .sign({ key: pair.privateKey, ...how }, "base64url")}`
      }
      expect((await refusalOf(signIn(openDesk(oidcAt(op)), op))).type).toBe("OAuthCallbackError")
    },
  )

  it.each([
    ["of 16,384 bits", 2048, "AQAB"],
    ["of 16,384 bits, with an exponent as long", 2048, undefined],
    ["of 131,072 bits", 16_384, "AQAB"],
  ])("costs little: an RSA key %s", { tags: ["threat:AL-10"] }, async (_, bytes, e) => {
    const long = Buffer.alloc(bytes, 0xff).toString("base64url")
    const op = await openOp()
    op.faults.jwks = () => json({ keys: [{ kty: "RSA", kid: "first", alg: "RS256", n: long, e: e ?? long }] })
    op.sign = async (claims) =>
      unsigned(claims, { alg: "RS256", kid: "first" }, Buffer.alloc(bytes, 0x7f).toString("base64url"))
    const time = await quickest(async () => expect(await accepted(signIn(openDesk(oidcAt(op)), op))).toBe(false))
    expect(time).toBeLessThan(1000)
  })
})

describe("the cache of key sets", () => {
  it("has the keys of each provider for its own tokens alone, however many sign in at once", {
    tags: ["threat:A-074"],
  }, async () => {
    const caches = createCaches()
    const [one, two] = [await openOp(), await openOp({ issuer: "https://op2.test" })]
    two.keys = [{ ...second, kid: "first", jwk: { ...second.jwk, kid: "first" } }]
    const [ofOne] = one.keys
    const at = (op: FakeOp): Promise<boolean> => accepted(signIn(openDesk(oidcAt(op), { caches }), op))
    expect(await Promise.all(Array.from({ length: 20 }, (_, index) => at(index % 2 ? one : two)))).not.toContain(false)
    expect([fetches(one), fetches(two)]).toEqual([1, 1])
    two.sign = (claims) => signWith(ofOne as OpKey, claims)
    expect([await at(two), await at(one)]).toEqual([false, true])
  })

  it("fetches the keys once for many sign-ins, without credentials", { tags: ["threat:M8-13"] }, async () => {
    const op = await openOp()
    const caches = createCaches()
    await Promise.all(Array.from({ length: 20 }, () => signIn(openDesk(oidcAt(op), { caches }), op)))
    expect(fetches(op)).toBe(1)
    expect(op.callsOf("jwks")[0]?.headers.get("authorization")).toBeNull()
  })

  it("keeps the keys for ten minutes", { tags: ["threat:FI-11"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op, { clockTolerance: 3600 }))
    const started = desk.now.getTime()
    for (const minutes of [0, 9]) {
      desk.now = new Date(started + minutes * 60_000)
      op.faults = minutes === 0 ? {} : { jwks: () => json({}, 503) }
      expect(await accepted(signIn(desk, op))).toBe(true)
    }
    desk.now = new Date(started + 11 * 60_000)
    expect((await refusalOf(signIn(desk, op))).type).toBe("OAuthCallbackError")
    op.faults = {}
    expect(await accepted(signIn(desk, op))).toBe(true)
    expect(fetches(op)).toBe(3)
  })

  it("follows a rotation between two sign-ins", {
    tags: ["threat:CC-05", "threat:CC-06", "threat:C1-41", "threat:FI-13"],
  }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    await signIn(desk, op)
    const [old] = op.keys
    op.keys = [second]
    expect(await accepted(signIn(desk, op))).toBe(true)
    expect(fetches(op)).toBe(2)
    op.sign = (claims) => signWith(old as OpKey, claims)
    expect(await accepted(signIn(desk, op))).toBe(false)
    expect(fetches(op)).toBe(2)
  })

  it("follows a rotation between the authorization and the token, and asks for the profile then", {
    tags: ["threat:CC-05"],
  }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op, { idToken: false }))
    await signIn(desk, op)
    const { url } = await desk.begin()
    op.faults.token = (_, honest) => {
      op.keys = [second]
      return honest()
    }
    expect(await accepted(desk.finish(op.authorize(url)))).toBe(true)
    expect([fetches(op), op.callsOf("userinfo").length]).toEqual([2, 2])
  })

  it("follows a key that changed under its name", { tags: ["threat:FI-15"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    await signIn(desk, op)
    op.keys = [{ ...second, kid: "first", jwk: { ...second.jwk, kid: "first" } }]
    expect(await accepted(signIn(desk, op))).toBe(true)
    expect(fetches(op)).toBe(2)
  })

  it("fetches once for a hundred sign-ins that meet a rotation", { tags: ["threat:FI-14"] }, async () => {
    const op = await openOp()
    const caches = createCaches()
    await signIn(openDesk(oidcAt(op), { caches }), op)
    op.keys = [second]
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => accepted(signIn(openDesk(oidcAt(op), { caches }), op))),
    )
    expect(outcomes).not.toContain(false)
    expect(fetches(op)).toBe(2)
  })

  it("fetches the keys again for an unknown key at most once a minute", {
    tags: ["threat:C1-39", "threat:FI-13"],
  }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    await signIn(desk, op)
    op.sign = (claims) => signWith(second, claims)
    for (let attempt = 0; attempt < 5; attempt++) expect(await accepted(signIn(desk, op))).toBe(false)
    expect(fetches(op)).toBe(2)
    desk.now = new Date(desk.now.getTime() + 61_000)
    op.now = () => Math.floor(desk.now.getTime() / 1000)
    expect(await accepted(signIn(desk, op))).toBe(false)
    expect(fetches(op)).toBe(3)
  })

  it("does not fetch the keys again for an algorithm that is refused anyway", async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    op.metadata = { id_token_signing_alg_values_supported: ["RS256", "none"] }
    op.sign = async (claims) => unsigned(claims)
    expect(await accepted(signIn(desk, op))).toBe(false)
    expect(fetches(op)).toBe(1)
  })

  it("keeps the keys when newer ones cannot be fetched, and recovers by itself", {
    tags: ["threat:FI-12"],
  }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op))
    await signIn(desk, op)
    const { keys } = op
    op.keys = [second]
    op.faults = { jwks: () => json({ keys: "garbage" }) }
    expect(await accepted(signIn(desk, op))).toBe(false)
    op.keys = keys
    expect(await accepted(signIn(desk, op))).toBe(true)
  })

  it("has no key after an empty answer, and recovers by itself", { tags: ["threat:FI-12"] }, async () => {
    const op = await openOp()
    const desk = openDesk(oidcAt(op, { clockTolerance: 3600 }))
    await signIn(desk, op)
    desk.now = new Date(desk.now.getTime() + 11 * 60_000)
    op.faults = { jwks: () => json({ keys: [] }) }
    expect(await accepted(signIn(desk, op))).toBe(false)
    desk.now = new Date(desk.now.getTime() + 60_000)
    op.faults = {}
    expect(await accepted(signIn(desk, op))).toBe(true)
  })
})

describe("the response of the keys endpoint", () => {
  it.each([
    ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
    ["no list", () => json({ keys: {} })],
    ["a list of texts", () => json({ keys: ["k"] })],
    ["nothing [A-125]", () => json({ keys: [] })],
    ["a redirect [FI-09]", () => new Response(null, { status: 302, headers: { location: "https://evil.test" } })],
    ["null", () => json(null)],
  ])("that is %s signs nobody in", async (_, fault) => {
    const op = await openOp()
    op.faults.jwks = fault
    expect((await refusalOf(signIn(openDesk(oidcAt(op)), op))).type).toBe("OAuthCallbackError")
  })

  it("with ten thousand keys is processed in time", { tags: ["threat:A-062"] }, async () => {
    const op = await openOp()
    const many = Array.from({ length: 10_000 }, (_, index) => ({ kty: "RSA", kid: `k${index}`, n: "AQAB", e: "AQAB" }))
    op.faults.jwks = () => json({ keys: [...many, ...op.keys.map(({ jwk }) => jwk)] })
    const time = await quickest(async () => expect(await accepted(signIn(openDesk(oidcAt(op)), op))).toBe(true))
    expect(time).toBeLessThan(1000)
  })
})
