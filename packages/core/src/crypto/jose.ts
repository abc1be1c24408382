/** The portable cipher: `jose` and Web Cryptography, on every runtime. The only keeper of `jose`. */
import { toBase64url, utf8 } from "../std/bytes.js"
import {
  type Cipher,
  type DerivedKey,
  keyLength,
  labelOf,
  shortKeyLength,
  thumbprintInput,
  withHeader,
} from "./cipher.js"
import type { Encryption, SealedParts } from "./compact.js"

/** The cipher of runtimes without cryptography of their own. */
export const portable: Cipher = { derive, encrypt, decrypt, sha256, mac }

async function derive(secret: string, salt: string): Promise<DerivedKey> {
  const { subtle } = globalThis.crypto
  const material = await subtle.importKey("raw", utf8(secret), "HKDF", false, ["deriveBits"])
  const how = { name: "HKDF", hash: "SHA-256", salt: utf8(salt), info: utf8(labelOf(salt)) }
  const bytes = new Uint8Array(await subtle.deriveBits(how, material, keyLength * 8))
  const thumbprint = async (hash: string, key: Uint8Array): Promise<string> =>
    toBase64url(new Uint8Array(await subtle.digest(hash, utf8(thumbprintInput(toBase64url(key))))))
  return withHeader({
    bytes,
    kid512: await thumbprint("SHA-512", bytes),
    kid256: await thumbprint("SHA-256", bytes.subarray(0, shortKeyLength)),
  })
}

// The library is loaded where it is needed only: runtimes with cryptography of their own start without it.
async function encrypt(key: DerivedKey, plaintext: string): Promise<string> {
  const { CompactEncrypt } = await import("jose/jwe/compact/encrypt")
  const header = { alg: "dir", enc: "A256CBC-HS512", kid: key.kid512 }
  return new CompactEncrypt(utf8(plaintext)).setProtectedHeader(header).encrypt(key.bytes)
}

async function decrypt(key: DerivedKey, enc: Encryption, parts: SealedParts): Promise<Uint8Array> {
  const { compactDecrypt } = await import("jose/jwe/compact/decrypt")
  const { header, iv, ciphertext, tag } = parts
  const bytes = enc === "A256GCM" ? key.bytes.subarray(0, shortKeyLength) : key.bytes
  const { plaintext } = await compactDecrypt(`${header}..${iv}.${ciphertext}.${tag}`, bytes, {
    keyManagementAlgorithms: ["dir"],
    contentEncryptionAlgorithms: [enc],
  })
  return plaintext
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", utf8(text)))
}

async function mac(key: Uint8Array, text: string): Promise<Uint8Array> {
  const { subtle } = globalThis.crypto
  const imported = await subtle.importKey("raw", new Uint8Array(key), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ])
  return new Uint8Array(await subtle.sign("HMAC", imported, utf8(text)))
}
