/** Random texts, digests and keyed hashes of texts. */
import { toBase64url, toHex, utf8 } from "../std/bytes.js"
import { randomBytes } from "../std/random.js"
import type { Awaitable } from "../types/identity.js"
import { chain } from "./cipher.js"
import { cipher } from "./native.js"

/** Random bytes as lower-case hex. */
export function randomHex(bytes = 32): string {
  return toHex(randomBytes(bytes))
}

/** Random bytes as base64url. */
export function randomBase64url(bytes = 32): string {
  return toBase64url(randomBytes(bytes))
}

/** A random UUID (RFC 9562 §5.4). Names things; it is no secret. */
export function randomUuid(): string {
  return globalThis.crypto.randomUUID()
}

/** SHA-256 of a string's UTF-8 bytes. */
export function sha256(text: string): Awaitable<Uint8Array> {
  return cipher.sha256(text)
}

/** SHA-256 of a string as lower-case hex. */
export function sha256Hex(text: string): Awaitable<string> {
  return chain(sha256(text), toHex)
}

/** What is stored of an e-mail token: the wire format of existing rows. */
export function hashVerificationToken(token: string, secret: string): Awaitable<string> {
  return sha256Hex(`${token}${secret}`)
}

/** A keyed hash (HMAC) to verify, of a token that a provider signs with the client's own secret. */
export interface MacToVerify {
  readonly text: string
  readonly mac: Uint8Array<ArrayBuffer>
  readonly secret: string
  readonly hash: "SHA-256" | "SHA-384" | "SHA-512"
}

/** Says whether `mac` was made of `text` with `secret`. A secret shorter than the hash proves nothing (RFC 7518 §3.2). */
export async function verifyMac({ text, mac, secret, hash }: MacToVerify): Promise<boolean> {
  const bytes = utf8(secret)
  if (bytes.byteLength * 8 < Number(hash.slice(-3))) return false
  const { subtle } = globalThis.crypto
  const key = await subtle.importKey("raw", bytes, { name: "HMAC", hash }, false, ["verify"])
  return subtle.verify("HMAC", key, mac, utf8(text))
}

/** HMAC with SHA-256 of a text, as base64url: 43 characters. Stands for what is not to be readable where it is stored. */
export function keyedHash(key: Uint8Array, text: string): Awaitable<string> {
  return chain(cipher.mac(key, text), toBase64url)
}
