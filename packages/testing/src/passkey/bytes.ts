/** Keys, signatures and numbers as the bytes of WebAuthn. */
import { type CborValue, concat } from "./cbor.js"

/** A new ES256 key pair. */
export async function newKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])
}

/** A public key as COSE (RFC 9053 §7.1.1). */
export async function coseKeyOf(key: CryptoKey): Promise<Map<number, CborValue>> {
  const raw = new Uint8Array(await crypto.subtle.exportKey("raw", key))
  return new Map<number, CborValue>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, raw.slice(1, 33)],
    [-3, raw.slice(33)],
  ])
}

/** Bytes as base64url. */
export function toBase64url(bytes: Uint8Array): string {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

/** The SHA-256 digest. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
}

/** A number as four bytes. */
export function uint32(value: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(value >>> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff)
}

/** Two numbers as DER (RFC 3279 §2.2.3). */
export function toDer(raw: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const half = raw.length / 2
  const numbers = [derInteger(raw.slice(0, half)), derInteger(raw.slice(half))]
  const body = concat(numbers)
  return concat([Uint8Array.of(0x30, body.length), body])
}

function derInteger(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const start = bytes.findIndex((byte) => byte !== 0)
  const significant = bytes.slice(start < 0 ? bytes.length - 1 : start)
  const signed = (significant[0] ?? 0) > 0x7f ? concat([Uint8Array.of(0), significant]) : significant
  return concat([Uint8Array.of(2, signed.length), signed])
}
