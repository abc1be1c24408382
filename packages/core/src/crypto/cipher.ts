/** What a cipher does, and the texts that fix a derived key: the HKDF label, the JWK behind its name, the header it seals under. */
import { toBase64url, utf8 } from "../std/bytes.js"
import { isThenable } from "../std/deadline.js"
import type { Awaitable } from "../types/identity.js"
import type { Encryption, SealedParts } from "./compact.js"

/**
 * The cryptography behind sealed tokens. There are two, `native.ts` and `jose.ts`: the same bytes, the same refusals. A
 * cipher may answer synchronously.
 */
export interface Cipher {
  /** Derives the key of a secret for a salt: HKDF with SHA-256 (RFC 5869). */
  derive(secret: string, salt: string): Awaitable<DerivedKey>
  /** Encrypts with A256CBC-HS512 under the key's header and answers the compact token. */
  encrypt(key: DerivedKey, plaintext: string): Awaitable<string>
  /** Answers the bytes of the claims; throws when anything was tampered with. */
  decrypt(key: DerivedKey, enc: Encryption, parts: SealedParts): Awaitable<Uint8Array>
  /** SHA-256 of a string's UTF-8 bytes. */
  sha256(text: string): Awaitable<Uint8Array>
  /** HMAC with SHA-256 of a string's UTF-8 bytes (RFC 2104). */
  mac(key: Uint8Array, text: string): Awaitable<Uint8Array>
}

/** Passes a value on, synchronously where it is available, so that a synchronous cipher needs no promise. */
export function chain<T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> {
  return isThenable(value) ? value.then(next) : next(value)
}

/** A key for one secret and one salt. Its first 32 bytes are the key for the smaller cipher. */
export interface DerivedKey {
  /** 64 bytes. */
  readonly bytes: Uint8Array
  /** Its halves for A256CBC-HS512 (RFC 7518 §5.2.2.1), made once because engines make views slowly. */
  readonly macKey: Uint8Array
  readonly contentKey: Uint8Array
  /** Thumbprint (RFC 7638) of the 64-byte key with SHA-512: the `kid` of A256CBC-HS512 tokens. */
  readonly kid512: string
  /** Thumbprint of the first 32 bytes with SHA-256: the `kid` of A256GCM tokens. */
  readonly kid256: string
  /** The protected header, encoded, of every token this key seals. */
  readonly header: string
}

/** Length of a derived key in bytes. */
export const keyLength = 64
/** Length in bytes of the key for A256GCM, and of the halves of the longer one. */
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
export function withHeader(key: Pick<DerivedKey, "bytes" | "kid512" | "kid256">): DerivedKey {
  const header = { alg: "dir", enc: "A256CBC-HS512", kid: key.kid512 }
  return {
    ...key,
    macKey: key.bytes.subarray(0, shortKeyLength),
    contentKey: key.bytes.subarray(shortKeyLength),
    header: toBase64url(utf8(JSON.stringify(header))),
  }
}

/** The members of an `oct` JWK that RFC 7638 §3.2 hashes, in its order; `k` is base64url. */
export function thumbprintInput(k: string): string {
  return `{"k":"${k}","kty":"oct"}`
}
