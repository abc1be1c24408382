/** Verifying a keyed hash (HMAC), for tokens that a provider signs with the client's own secret. */
import { utf8 } from "../std/bytes.js"

/** What is verified. */
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
