/** Signing keys of the fake provider. */
import { randomUUID } from "node:crypto"
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose"
import rsaKeys from "./rsa-keys.json" with { type: "json" }

/** A signing key of the provider. */
export interface OpKey {
  readonly kid: string | null
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly jwk: JWK
}

/** Making an RSA key takes longer than most tests: a file of tests begins with these. */
const rsaKeysLeft: JWK[] = [...rsaKeys]

/** Makes a signing key; with `null` as name neither tokens nor the key set name it. */
export async function makeOpKey(kid: string | null = randomUUID(), alg = "RS256"): Promise<OpKey> {
  const made = /^[RP]S/.test(alg) ? rsaKeysLeft.pop() : undefined
  const { privateKey, publicJwk } = made ? await fromJwk(made, alg) : await generated(alg)
  const jwk = { ...publicJwk, alg, use: "sig", ...(kid !== null && { kid }) }
  return { kid, alg, privateKey, jwk }
}

interface KeyPair {
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}

async function fromJwk(jwk: JWK, alg: string): Promise<KeyPair> {
  const { kty, n, e } = jwk as Required<JWK>
  return { privateKey: (await importJWK(jwk, alg, { extractable: true })) as CryptoKey, publicJwk: { kty, n, e } }
}

async function generated(alg: string): Promise<KeyPair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { privateKey, publicJwk: await exportJWK(publicKey) }
}
