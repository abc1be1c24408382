import { generateKeyPairSync, sign } from "node:crypto"
import { describe, expect, it, vi } from "vitest"
import type { Members } from "../std/json.js"
import { createConfirm, type VerifyingCrypto } from "./signature.js"

const rsa: Members = { kty: "RSA", n: "AQAB", e: "AQAB", kid: "a" }
const ec: Members = { kty: "EC", crv: "P-256", x: "AQAB", y: "AQAB", kid: "a" }
const details = { modulusLength: 2048, publicExponent: 65_537n }

/** A runtime that takes every signature for right, and writes down what it was asked. */
function believing(of: { modulusLength?: number; publicExponent?: bigint } | undefined = details) {
  const key = of === undefined ? {} : { asymmetricKeyDetails: of }
  const createPublicKey = vi.fn((_given: { readonly key: object }) => key)
  const verify = vi.fn((..._given: unknown[]) => true)
  const constants = { RSA_PKCS1_PADDING: 1, RSA_PKCS1_PSS_PADDING: 6 }
  const crypto: VerifyingCrypto = { constants, createPublicKey, verify }
  return { crypto, createPublicKey, verify, key }
}

const confirms = (
  keys: readonly Members[],
  header: Members,
  { crypto = believing().crypto, token = "head.body.AQAB" } = {},
): boolean => createConfirm(keys, crypto)({ token, header })

describe("a signature is confirmed", () => {
  it("by the runtime itself, unless another cryptography is handed in", () => {
    const { publicKey, privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const signature = sign("sha256", Buffer.from("head.body"), { key, dsaEncoding: "ieee-p1363" })
    const confirm = createConfirm([publicKey.export({ format: "jwk" }) as Members])
    const header = { alg: "ES256" }
    expect(confirm({ token: `head.body.${signature.toString("base64url")}`, header })).toBe(true)
    expect(confirm({ token: `head.else.${signature.toString("base64url")}`, header })).toBe(false)
  })

  it.each([
    ["RS256", rsa, "sha256", { padding: 1 }],
    ["RS384", rsa, "sha384", { padding: 1 }],
    ["RS512", rsa, "sha512", { padding: 1 }],
    ["PS256", rsa, "sha256", { padding: 6, saltLength: 32 }],
    ["PS384", rsa, "sha384", { padding: 6, saltLength: 48 }],
    ["PS512", rsa, "sha512", { padding: 6, saltLength: 64 }],
    ["ES256", ec, "sha256", { dsaEncoding: "ieee-p1363" }],
  ])("as %s says: over header and payload, with its hash and padding", (alg, jwk, hash, how) => {
    const { crypto, verify, key } = believing()
    expect(confirms([jwk], { alg, kid: "a" }, { crypto })).toBe(true)
    const [data, signature] = [new TextEncoder().encode("head.body"), Uint8Array.of(1, 0, 1)]
    expect(verify.mock.calls).toEqual([[hash, data, { key, ...how }, signature]])
  })

  it.each([
    [rsa, { kty: "RSA", n: "AQAB", e: "AQAB" }],
    [ec, { kty: "EC", crv: "P-256", x: "AQAB", y: "AQAB" }],
  ])("with nothing but what makes the key: %j", (jwk, key) => {
    const { crypto, createPublicKey } = believing()
    const alg = jwk === rsa ? "RS256" : "ES256"
    expect(confirms([{ ...jwk, ext: true, x5c: ["AAAA"] }], { alg, kid: "a" }, { crypto })).toBe(true)
    expect(createPublicKey.mock.calls).toEqual([[{ key, format: "jwk" }]])
  })

  it.each<[string, Members[], Members]>([
    ["the header names no key and one fits", [rsa, ec], { alg: "RS256" }],
    ["the header names one of several", [rsa, { ...rsa, kid: "b" }], { alg: "RS256", kid: "b" }],
    ["the key is for this algorithm", [{ ...rsa, alg: "RS256" }], { alg: "RS256", kid: "a" }],
    ["another key is for another algorithm", [rsa, { ...rsa, alg: "RS512" }], { alg: "RS256", kid: "a" }],
    ["the key is for signatures", [{ ...rsa, use: "sig" }], { alg: "RS256", kid: "a" }],
    ["the key may verify", [{ ...rsa, key_ops: ["wrapKey", "verify"] }], { alg: "RS256", kid: "a" }],
  ])("where %s", (_, keys, header) => {
    expect(confirms(keys, header)).toBe(true)
  })

  it.each([
    [2048, 65_537n, true],
    [4096, 65_537n, true],
    [2047, 65_537n, false],
    [4097, 65_537n, false],
    [2048, 3n, false],
    [undefined, 65_537n, false],
    [2048, undefined, false],
  ])("with an RSA key of %s bits and the exponent %s: %s", (modulusLength, publicExponent, expected) => {
    const { crypto } = believing({ ...(modulusLength && { modulusLength }), ...(publicExponent && { publicExponent }) })
    for (const alg of ["RS256", "PS256"]) expect(confirms([rsa], { alg, kid: "a" }, { crypto })).toBe(expected)
  })

  it("with an RSA key only where the runtime says how long it is", () => {
    const { crypto } = believing()
    expect(confirms([rsa], { alg: "RS256" }, { crypto: { ...crypto, createPublicKey: () => ({}) } })).toBe(false)
    expect(confirms([ec], { alg: "ES256" }, { crypto: { ...crypto, createPublicKey: () => ({}) } })).toBe(true)
  })
})

describe("somebody else has to look", () => {
  it.each<[string, Members]>([
    ["no algorithm", {}],
    ["no text", { alg: ["RS256"] }],
    ["no signature", { alg: "none" }],
    ["a shared secret", { alg: "HS256" }],
    ["another curve", { alg: "ES384" }],
    ["something before it", { alg: "xRS256" }],
    ["something before the curve", { alg: "xES256" }],
    ["something behind it", { alg: "RS2567" }],
    ["something behind the curve", { alg: "ES2567" }],
    ["critical extensions", { alg: "RS256", crit: [] }],
    ["an unencoded payload", { alg: "RS256", b64: true }],
    ["a number as name of the key", { alg: "RS256", kid: 7 }],
    ["null as name of the key", { alg: "RS256", kid: null }],
    ["the name of no key", { alg: "RS256", kid: "b" }],
  ])("where the header says %s", (_, header) => {
    const key = { ...rsa, kid: header["kid"] === "b" ? "a" : header["kid"] }
    expect(confirms([header["alg"] === "ES2567" ? ec : key], header)).toBe(false)
  })

  it.each<[string, Members[]]>([
    ["none is there", []],
    ["several fit", [rsa, rsa]],
    ["it is of another kind", [{ ...rsa, kty: "EC" }]],
    ["it is for another algorithm", [{ ...rsa, alg: "RS512" }]],
    ["it is for encryption", [{ ...rsa, use: "enc" }]],
    ["it may not verify", [{ ...rsa, key_ops: ["sign"] }]],
    ["another one has odd uses", [rsa, { ...rsa, kid: "b", key_ops: "verify" }]],
    ["another one has null as uses", [rsa, { ...rsa, kid: "b", key_ops: null }]],
    ...["d", "p", "q", "dp", "dq", "qi", "oth", "k"].map((name): [string, Members[]] => [
      `it says ${name}`,
      [{ ...rsa, [name]: undefined }],
    ]),
    ...["n", "e", "crv", "x", "y"].map((name): [string, Members[]] => [
      `its ${name} is a number`,
      [{ ...rsa, [name]: 7 }],
    ]),
    ["its modulus is not base64url", [{ ...rsa, n: "A=B" }]],
    ["its exponent is not base64url", [{ ...rsa, e: "A=B" }]],
  ])("where of the keys of RSA %s", (_, keys) => {
    expect(confirms(keys, { alg: "RS256", kid: "a" })).toBe(false)
  })

  it.each<[string, Members]>([
    ["another curve", { crv: "P-384" }],
    ["no curve", { crv: undefined }],
    ["another kind", { kty: "RSA" }],
    ["an x that is not base64url", { x: "A=B" }],
    ["a y that is not base64url", { y: "A=B" }],
  ])("where a key of ECDSA has %s", (_, members) => {
    expect(confirms([{ ...ec, ...members }], { alg: "ES256", kid: "a" })).toBe(false)
  })

  it("where the signature is not base64url, or the runtime says no", () => {
    const { crypto } = believing()
    expect(confirms([rsa], { alg: "RS256" }, { token: "head.body.A=B" })).toBe(false)
    expect(confirms([rsa], { alg: "RS256" }, { crypto: { ...crypto, verify: () => false } })).toBe(false)
    expect(confirms([ec], { alg: "ES256" }, { crypto: { ...crypto, verify: () => false } })).toBe(false)
  })
})
