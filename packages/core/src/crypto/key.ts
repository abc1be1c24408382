/** What a derived key is, and the texts that fix it: the HKDF label, the JWK behind its name, the header it seals under. */
import { toBase64url, utf8 } from "../std/bytes.js"

/** A key for one secret and one salt. Its first 32 bytes are the key for the smaller cipher. */
export interface DerivedKey {
  /** 64 bytes. */
  readonly bytes: Uint8Array
  /** Thumbprint (RFC 7638) of the 64-byte key with SHA-512: the `kid` of A256CBC-HS512 tokens. */
  readonly kid512: string
  /** Thumbprint of the first 32 bytes with SHA-256: the `kid` of A256GCM tokens. */
  readonly kid256: string
  /** The protected header, encoded, of every token this key seals. */
  readonly header: string
}

/** Length of a derived key in bytes. */
export const keyLength = 64
/** Length of the key for A256GCM in bytes. */
export const shortKeyLength = 32

/** WebCrypto allows more, the runtimes' HKDF does not (RFC 5869 names no limit). */
const longestLabel = 1024

/** The HKDF `info` of a salt: the wire format that existing tokens were made with. */
export function labelOf(salt: string): string {
  const label = `Auth.js Generated Encryption Key (${salt})`
  if (utf8(label).byteLength > longestLabel) {
    throw new RangeError(`salt: at most ${longestLabel - 36} bytes expected, received ${salt.length} characters`)
  }
  return label
}

/** Completes a key: new tokens are `dir` with A256CBC-HS512. */
export function withHeader(key: Omit<DerivedKey, "header">): DerivedKey {
  const header = { alg: "dir", enc: "A256CBC-HS512", kid: key.kid512 }
  return { ...key, header: toBase64url(utf8(JSON.stringify(header))) }
}

/** The members of an `oct` JWK that RFC 7638 §3.2 hashes, in its order; `k` is base64url. */
export function thumbprintInput(k: string): string {
  return `{"k":"${k}","kty":"oct"}`
}
