/**
 * Signatures of tokens from outside (RFC 7515), confirmed by the runtime's own synchronous cryptography. It only ever
 * says yes: whatever is wrong or merely unusual is left to the library, so that every refusal is the library's.
 */
import { fromBase64url, utf8 } from "../std/bytes.js"
import type { Members } from "../std/json.js"
import { builtin } from "../std/runtime.js"

interface PublicKey {
  readonly asymmetricKeyDetails?: { readonly modulusLength?: number; readonly publicExponent?: bigint }
}

interface KeyWithOptions {
  readonly key: PublicKey
  readonly padding?: number
  readonly saltLength?: number
  readonly dsaEncoding?: "ieee-p1363"
}

/** The part of `node:crypto` that is used. */
export interface VerifyingCrypto {
  readonly constants: { readonly RSA_PKCS1_PADDING: number; readonly RSA_PKCS1_PSS_PADDING: number }
  createPublicKey(given: { readonly key: object; readonly format: "jwk" }): PublicKey
  verify(hash: string, data: Uint8Array, key: KeyWithOptions, signature: Uint8Array): boolean
}

/** A token as it was sent, and what its header says. */
export interface SignedToken {
  readonly token: string
  readonly header: Members
}

/** Says whether a signature is certainly one of these keys. `false` means that somebody else has to look. */
export type Confirm = (signed: SignedToken) => boolean

/** The algorithms that take no longer here than in a thread: RSA, and ECDSA with the smallest curve (RFC 7518 §3.1). */
const algorithm = /^(RS|PS)(256|384|512)$|^ES(256)$/

/** Bits of RSA keys: shorter ones the library refuses, longer ones would hold up everybody else. */
const [shortest, longest] = [2048, 4096]
const usualExponent = 65_537n

/** Confirms signatures with the public keys of a key set (RFC 7517). Each key is imported when it is first needed, and kept. */
export function createConfirm(
  keys: readonly Members[],
  crypto: VerifyingCrypto | undefined = builtin<VerifyingCrypto>("node:crypto"),
): Confirm {
  // The library reads the uses of every key it meets: of a set with odd ones it alone can say what follows.
  const isUsual = keys.every(({ key_ops }) => key_ops === undefined || Array.isArray(key_ops))
  if (!crypto || !isUsual) return () => false
  const imported = new Map<Members, PublicKey>()
  const importOnce = (jwk: Members): PublicKey => {
    const key = imported.get(jwk) ?? crypto.createPublicKey({ key: publicMembers(jwk), format: "jwk" })
    imported.set(jwk, key)
    return key
  }
  return ({ token, header }) => {
    try {
      const jwk = theOneKey(keys, header)
      return jwk !== undefined && isSigned(crypto, { token, alg: String(header["alg"]), key: importOnce(jwk) })
    } catch {
      return false
    }
  }
}

/** The key the header leads to, where it is exactly one and says nothing that only its importer would refuse. */
function theOneKey(keys: readonly Members[], header: Members): Members | undefined {
  const { alg, kid, crit, b64 } = header
  if (typeof alg !== "string" || !algorithm.test(alg) || crit !== undefined || b64 !== undefined) return undefined
  if (kid !== undefined && typeof kid !== "string") return undefined
  const fitting = keys.filter((jwk) => mayHaveSigned(jwk, header))
  const [jwk] = fitting
  return fitting.length === 1 && jwk && isPublicAlone(jwk) ? jwk : undefined
}

/** Which keys make signatures (RFC 7518 §3.1, RFC 8037 §3.1), by how the name of the algorithm begins. */
const families: Members = { RS: "RSA", PS: "RSA", ES: "EC", Ed: "OKP", ML: "AKP" }
const curves: Members = { ES256: "P-256", ES384: "P-384", ES512: "P-521", EdDSA: "Ed25519", Ed25519: "Ed25519" }

/** Is it one of the keys among which the library looks for the one that has signed? */
export function mayHaveSigned(jwk: Members, { alg, kid }: Members): boolean {
  const name = String(alg)
  return (
    jwk["kty"] === families[name.slice(0, 2)] &&
    (kid === undefined || jwk["kid"] === kid) &&
    (jwk["alg"] === undefined || jwk["alg"] === alg) &&
    (jwk["use"] === undefined || jwk["use"] === "sig") &&
    (jwk["key_ops"] as readonly unknown[] | undefined)?.includes("verify") !== false &&
    (curves[name] === undefined || jwk["crv"] === curves[name])
  )
}

const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] as const
const publicNames = ["n", "e", "crv", "x", "y"] as const

function isPublicAlone(jwk: Members): boolean {
  const isWritten = (name: string): boolean => jwk[name] === undefined || typeof jwk[name] === "string"
  return publicNames.every(isWritten) && !privateMembers.some((name) => name in jwk)
}

/** What makes the key (RFC 7518 §6.2.1, §6.3.1): nothing else is shown to the importer. */
function publicMembers({ kty, n, e, crv, x, y }: Members): object {
  for (const text of kty === "RSA" ? [n, e] : [x, y]) fromBase64url(String(text))
  return kty === "RSA" ? { kty, n, e } : { kty, crv, x, y }
}

interface ToVerify {
  readonly token: string
  readonly alg: string
  readonly key: PublicKey
}

function isSigned(crypto: VerifyingCrypto, { token, alg, key }: ToVerify): boolean {
  const end = token.lastIndexOf(".")
  const signature = fromBase64url(token.slice(end + 1))
  const data = utf8(token.slice(0, end))
  const hash = `sha${alg.slice(2)}`
  if (alg === "ES256") return crypto.verify(hash, data, { key, dsaEncoding: "ieee-p1363" }, signature)
  const { modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {}
  if (modulusLength < shortest || modulusLength > longest || publicExponent !== usualExponent) return false
  const { RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = crypto.constants
  // RFC 7518 §3.5: the salt is as long as the hash.
  const padding = alg.startsWith("PS")
    ? { padding: RSA_PKCS1_PSS_PADDING, saltLength: Number(alg.slice(2)) / 8 }
    : { padding: RSA_PKCS1_PADDING }
  return crypto.verify(hash, data, { key, ...padding }, signature)
}
