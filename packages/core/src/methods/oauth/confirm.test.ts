/** What the runtime confirms of a signature is compared with what the libraries say: it never confirms what one of them refuses. */
import * as node from "node:crypto"
import fc from "fast-check"
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from "jose"
import {
  customFetch,
  jwksCache,
  processAuthorizationCodeResponse,
  validateApplicationLevelSignature,
} from "oauth4webapi"
import { describe, expect, it } from "vitest"
import { createConfirm, type VerifyingCrypto } from "../../crypto/signature.js"
import type { Members } from "../../std/json.js"

const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"] as const
type Algorithm = (typeof algorithms)[number]

const rsa = (modulusLength: number, publicExponent = 65_537) =>
  node.generateKeyPairSync("rsa", { modulusLength, publicExponent })
const ec = (namedCurve: string) => node.generateKeyPairSync("ec", { namedCurve })
const pairs = {
  "RSA, 2048 bits": rsa(2048),
  "RSA, other": rsa(2048),
  "RSA, 1024 bits": rsa(1024),
  "RSA, exponent 3": rsa(2048, 3),
  "P-256": ec("P-256"),
  "P-256, other": ec("P-256"),
  "P-384": ec("P-384"),
  secp256k1: ec("secp256k1"),
  Ed25519: node.generateKeyPairSync("ed25519"),
} as const
type PairName = keyof typeof pairs
const names = Object.keys(pairs) as PairName[]

const encoded = (text: string | Uint8Array): string => Buffer.from(text as string).toString("base64url")

/** Signs with whatever the key can do, so that an algorithm may stand beside a key of another kind. */
function signatureOf(given: Token, text: string): Buffer {
  const { alg, hasSalt } = given
  const name = signerOf(given)
  const { privateKey: key } = pairs[name]
  const hash = alg === "EdDSA" ? "sha256" : `sha${alg.slice(2)}`
  if (key.asymmetricKeyType === "ed25519") return node.sign(null, Buffer.from(text), key)
  if (key.asymmetricKeyType === "ec") return node.sign(hash, Buffer.from(text), { key, dsaEncoding: "ieee-p1363" })
  const { RSA_PKCS1_PSS_PADDING: padding } = node.constants
  const pss = { padding, saltLength: hasSalt ? Number(hash.slice(3)) / 8 : 0 }
  // 1024 bits are too few for a hash and a salt of 64 bytes each.
  const isPss = alg.startsWith("PS") && !(name === "RSA, 1024 bits" && hash === "sha512")
  return node.sign(hash, Buffer.from(text), isPss ? { key, ...pss } : { key })
}

const spellings: Readonly<Record<string, (signature: Buffer) => string>> = {
  "as it is": encoded,
  "with a bit turned": (signature) => encoded(signature.map((byte, index) => (index === 9 ? byte ^ 1 : byte))),
  "one byte shorter": (signature) => encoded(signature.subarray(0, -1)),
  "behind a zero": (signature) => encoded(Buffer.concat([Buffer.from([0]), signature])),
  "before a zero": (signature) => encoded(Buffer.concat([signature, Buffer.from([0])])),
  "twice, as halves": (signature) => encoded(Buffer.concat([signature, signature])),
  "as zeros": (signature) => encoded(Buffer.alloc(signature.length)),
  "in DER": (signature) => {
    const half = signature.length / 2
    const integers = [signature.subarray(0, half), signature.subarray(half)].map((bytes) =>
      Buffer.concat([Buffer.from([2, half + 1, 0]), bytes]),
    )
    return encoded(Buffer.concat([Buffer.from([0x30, 2 * (half + 3)]), ...integers]))
  },
  padded: (signature) => signature.toString("base64").replaceAll("+", "-").replaceAll("/", "_"),
  "in base64": (signature) => signature.toString("base64").replaceAll("=", ""),
  "with loose bits at its end": (signature) => {
    const text = encoded(signature)
    return `${text.slice(0, -1)}${{ A: "B", Q: "R", g: "h", w: "x" }[text.slice(-1)] ?? text.slice(-1)}`
  },
  "left out": () => "",
}

const oddMembers: readonly Members[] = [
  { d: "AQAB" },
  { oth: 5 },
  { n: 5 },
  { e: "AQAB=" },
  { x: null },
  { crv: { toString: 1, valueOf: 1 } },
  { crv: "P-384" },
  { kty: "EC" },
  { x5c: ["AAAA"], issuer: "https://op.test", ext: false },
]

/** The first value mostly, so that few things are odd at a time. */
const mostly = <T>(usual: T, ...odd: T[]) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...odd) })
const keyOf = fc.record({
  pair: mostly<PairName>("RSA, 2048 bits", ...names),
  kid: mostly<unknown>("a", undefined, "b", null),
  alg: mostly<unknown>(undefined, "same", "RS512", null),
  use: mostly<unknown>("sig", undefined, "enc", null),
  key_ops: mostly<unknown>(undefined, ["verify"], ["sign"], [], "verify", {}, null),
  odd: mostly<Members>({}, ...oddMembers),
})
const tokens = fc.record({
  alg: fc.constantFrom(...algorithms),
  signer: mostly<PairName | "fitting">("fitting", ...names),
  kid: mostly<unknown>("a", undefined, "b", null, ["a"]),
  more: mostly<Members>({}, { typ: "JWT" }, { crit: ["b64"], b64: true }, { b64: false }, { crit: [] }),
  hasSalt: mostly(true, false),
  spelling: mostly("as it is", ...Object.keys(spellings)),
})
const fittingPair = (alg: Algorithm): PairName =>
  alg === "ES256" ? "P-256" : alg === "ES384" ? "P-384" : alg === "EdDSA" ? "Ed25519" : "RSA, 2048 bits"
type Token = typeof tokens extends fc.Arbitrary<infer T> ? T : never
type Key = typeof keyOf extends fc.Arbitrary<infer T> ? T : never

const defined = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

const jwkOf = ({ pair, odd, alg, ...rest }: Key, wanted: Algorithm): Members => ({
  ...(pairs[pair].publicKey.export({ format: "jwk" }) as Members),
  ...defined({ ...rest, alg: alg === "same" ? wanted : alg }),
  ...odd,
})

const issuer = "https://op.test"
const claims = { iss: issuer, aud: "client", sub: "1", iat: 1, exp: 4_000_000_000 }

const signerOf = ({ alg, signer }: Token): PairName => (signer === "fitting" ? fittingPair(alg) : signer)

function tokenOf(given: Token) {
  const { alg, kid, more, spelling } = given
  const header = defined({ alg, kid, ...more })
  const text = `${encoded(JSON.stringify(header))}.${encoded(JSON.stringify(claims))}`
  const spelled = spellings[spelling]?.(signatureOf(given, text)) ?? ""
  return { header, token: `${text}.${spelled}` }
}

const isAccepted = (verified: Promise<unknown>): Promise<boolean> =>
  verified.then(
    () => true,
    () => false,
  )

/** What the engine asks where nothing was confirmed. */
async function askLibrary(token: string, alg: string, keys: readonly Members[]): Promise<void> {
  const server = { issuer, jwks_uri: `${issuer}/jwks`, id_token_signing_alg_values_supported: [alg] }
  const response = Response.json({ access_token: "access", token_type: "bearer", id_token: token })
  await processAuthorizationCodeResponse(server, { client_id: "client" }, response)
  await validateApplicationLevelSignature(server, response, {
    [jwksCache]: { jwks: { keys: [...keys] as never }, uat: Number.POSITIVE_INFINITY },
    [customFetch]: () => Promise.reject(new Error("nothing is fetched")),
  })
}

async function askJose(token: string, keys: readonly Members[]): Promise<void> {
  await compactVerify(token, createLocalJWKSet({ keys: [...keys] } as unknown as JSONWebKeySet))
}

const plainKey = (pair: PairName): Key => ({ pair, kid: "a", alg: undefined, use: "sig", key_ops: undefined, odd: {} })
const plainToken = (alg: Algorithm): Token => ({
  alg,
  signer: "fitting",
  kid: "a",
  more: {},
  hasSalt: true,
  spelling: "as it is",
})

describe("a signature that the runtime confirms", () => {
  it("is one that both libraries accept", { tags: ["threat:C1-16"] }, async () => {
    let confirmed = 0
    await fc.assert(
      fc.asyncProperty(tokens, fc.array(keyOf, { maxLength: 2 }), keyOf, async (given, others, first) => {
        const { header, token } = tokenOf(given)
        // The key of the signer mostly, or nothing would ever fit.
        const own = first.pair === "RSA, 2048 bits" ? { ...first, pair: signerOf(given) } : first
        const keys = [own, ...others].map((key) => jwkOf(key, given.alg))
        if (!createConfirm(keys)({ token, header })) return
        confirmed += 1
        expect(await isAccepted(askLibrary(token, given.alg, keys)), "by the library of the protocol").toBe(true)
        expect(await isAccepted(askJose(token, keys)), "by jose").toBe(true)
      }),
      { numRuns: 3000 },
    )
    expect(confirmed, "enough cases to say something").toBeGreaterThan(100)
  })

  it.each([
    ...(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"] as const).map((alg) => [alg, "RSA, 2048 bits"] as const),
    ["ES256", "P-256"] as const,
  ])("is any usual one with %s", (alg, pair) => {
    const keys = [jwkOf(plainKey(pair), alg), jwkOf({ ...plainKey("Ed25519"), kid: "b" }, alg)]
    expect(createConfirm(keys)(tokenOf(plainToken(alg)))).toBe(true)
  })

  it.each([
    ["ES384", "P-384"],
    ["EdDSA", "Ed25519"],
    ["RS256", "RSA, exponent 3"],
  ] as const)("is none with %s and a key of kind %s, which the library verifies", async (alg, pair) => {
    const keys = [jwkOf(plainKey(pair), alg)]
    const { token, header } = tokenOf({ ...plainToken(alg), signer: pair })
    expect(createConfirm(keys)({ token, header })).toBe(false)
    expect(await isAccepted(askLibrary(token, alg, keys))).toBe(true)
  })

  it("needs each key imported once for all tokens", () => {
    let imports = 0
    const counting: VerifyingCrypto = {
      constants: node.constants,
      verify: (hash, data, key, signature) => node.verify(hash, data, key as never, signature),
      createPublicKey(given) {
        imports += 1
        return node.createPublicKey(given as never)
      },
    }
    const confirm = createConfirm([jwkOf(plainKey("P-256"), "ES256")], counting)
    for (let turn = 0; turn < 3; turn += 1) expect(confirm(tokenOf(plainToken("ES256")))).toBe(true)
    expect(imports).toBe(1)
  })

  it("is none where the cryptography of the runtime only throws", () => {
    const keys = [jwkOf(plainKey("P-256"), "ES256")]
    const given = tokenOf(plainToken("ES256"))
    const throwing = new Proxy({} as VerifyingCrypto, {
      get: () => () => {
        throw new Error("not implemented")
      },
    })
    expect(createConfirm(keys, throwing)(given)).toBe(false)
  })
})
