/**
 * The native cipher: the runtime's own synchronous cryptography (RFC 7518 §5.2 and §5.3), the same bytes as the portable
 * one in `jose.ts` without its many promises. Absent where the runtime has no `node:crypto` that works.
 */
import { toBase64url } from "../std/bytes.js"
import { randomBytes } from "../std/random.js"
import { builtin } from "../std/runtime.js"
import {
  type Cipher,
  type DerivedKey,
  keyLength,
  labelOf,
  shortKeyLength,
  thumbprintInput,
  withHeader,
} from "./cipher.js"
import { type Encryption, readCompact, type SealedParts } from "./compact.js"
import { portable } from "./jose.js"

/** Bytes that can write themselves as text. */
interface Bytes extends Uint8Array {
  toString(encoding?: "base64url"): string
}

interface Transform {
  update(data: Uint8Array): Bytes
  final(): Bytes
}

interface Decipher extends Transform {
  setAAD(data: Uint8Array): unknown
  setAuthTag(tag: Uint8Array): unknown
}

interface Hash {
  update(data: Uint8Array | string): Hash
  digest(): Bytes
}

/** The part of `node:crypto` that is used. */
export interface NodeCrypto {
  hkdfSync(hash: string, key: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): ArrayBuffer
  createHash(hash: string): Hash
  createHmac(hash: string, key: Uint8Array): Hash
  createCipheriv(cipher: string, key: Uint8Array, iv: Uint8Array): Transform
  createDecipheriv(cipher: string, key: Uint8Array, iv: Uint8Array, options?: { authTagLength: number }): Decipher
  timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean
}

/** The part of `node:buffer` that is used. */
export interface NodeBuffer {
  readonly Buffer: {
    from(text: string, encoding: "base64url" | "latin1" | "utf8"): Bytes
    from(bytes: ArrayBuffer): Bytes
    concat(parts: readonly Uint8Array[]): Bytes
  }
}

/** A cipher that answers at once. */
export interface Native extends Cipher {
  derive(secret: string, salt: string): DerivedKey
  encrypt(key: DerivedKey, plaintext: string): string
  decrypt(key: DerivedKey, enc: Encryption, parts: SealedParts): Uint8Array
  sha256(text: string): Uint8Array
  mac(key: Uint8Array, text: string): Uint8Array
}

interface Modules {
  readonly crypto: NodeCrypto
  readonly Buffer: NodeBuffer["Buffer"]
}

/** Length of the tag in A256CBC-HS512. */
const tagLength = 32

/** Builds the native cipher on the given modules; `undefined` when they are absent or do not work. */
export function createNative(crypto: NodeCrypto | undefined, buffer: NodeBuffer | undefined): Native | undefined {
  if (!crypto || !buffer) return undefined
  const modules: Modules = { crypto, Buffer: buffer.Buffer }
  const native: Native = {
    derive: (secret, salt) => derive(modules, secret, salt),
    encrypt: (key, plaintext) => encrypt(modules, { key, plaintext, iv: randomBytes(16) }),
    decrypt: (key, enc, parts) =>
      enc === "A256GCM" ? decryptGcm(modules, key, parts) : decryptCbc(modules, key, parts),
    sha256: (text) => crypto.createHash("sha256").update(text).digest(),
    mac: (key, text) => crypto.createHmac("sha256", key).update(text).digest(),
  }
  return works(native, modules) ? native : undefined
}

/** The runtime's own cryptography, where it has one. */
export const native: Native | undefined = createNative(
  builtin<NodeCrypto>("node:crypto"),
  builtin<NodeBuffer>("node:buffer"),
)

/** The cipher of this runtime. */
export const cipher: Cipher = native ?? portable

/** Some runtimes offer the modules with functions that only throw. */
function works(candidate: Native, { crypto, Buffer }: Modules): boolean {
  try {
    const key = candidate.derive("probe", "probe")
    // No random bytes: some runtimes refuse to draw any before the first request.
    const sealed = encrypt({ crypto, Buffer }, { key, plaintext: "probe", iv: key.bytes.subarray(0, 16) })
    crypto.createDecipheriv("aes-256-gcm", key.bytes.subarray(0, shortKeyLength), key.bytes.subarray(0, 12))
    const opened = candidate.decrypt(key, "A256CBC-HS512", readCompact(sealed))
    return crypto.timingSafeEqual(opened, Buffer.from("probe", "utf8"))
  } catch {
    return false
  }
}

function derive({ crypto, Buffer }: Modules, secret: string, salt: string): DerivedKey {
  const from = (text: string): Bytes => Buffer.from(text, "utf8")
  const bytes = Buffer.from(crypto.hkdfSync("sha256", from(secret), from(salt), from(labelOf(salt)), keyLength))
  const thumbprint = (hash: string, key: Uint8Array): string =>
    crypto
      .createHash(hash)
      .update(thumbprintInput(Buffer.concat([key]).toString("base64url")))
      .digest()
      .toString("base64url")
  return withHeader({
    bytes,
    kid512: thumbprint("sha512", bytes),
    kid256: thumbprint("sha256", bytes.subarray(0, shortKeyLength)),
  })
}

interface ToEncrypt {
  readonly key: DerivedKey
  readonly plaintext: string
  readonly iv: Uint8Array
}

function encrypt(modules: Modules, { key, plaintext, iv }: ToEncrypt): string {
  const { crypto, Buffer } = modules
  const { header } = key
  const cipher = crypto.createCipheriv("aes-256-cbc", key.contentKey, iv)
  const ciphertext = Buffer.concat([cipher.update(Buffer.from(plaintext, "utf8")), cipher.final()])
  const tag = tagOf(modules, key, { header, iv, ciphertext })
  return `${header}..${toBase64url(iv)}.${ciphertext.toString("base64url")}.${toBase64url(tag)}`
}

function decryptCbc(modules: Modules, key: DerivedKey, parts: SealedParts): Uint8Array {
  const { crypto, Buffer } = modules
  const iv = Buffer.from(parts.iv, "base64url")
  const ciphertext = Buffer.from(parts.ciphertext, "base64url")
  const expected = tagOf(modules, key, { header: parts.header, iv, ciphertext })
  // The MAC is compared before a byte is decrypted: no padding oracle.
  if (!crypto.timingSafeEqual(expected, Buffer.from(parts.tag, "base64url"))) throw new Error("token: wrong tag")
  const decipher = crypto.createDecipheriv("aes-256-cbc", key.contentKey, iv)
  return Buffer.concat([decipher.update(ciphertext), decipher.final()])
}

function decryptGcm({ crypto, Buffer }: Modules, key: DerivedKey, parts: SealedParts): Uint8Array {
  const bytes = key.bytes.subarray(0, shortKeyLength)
  const decipher = crypto.createDecipheriv("aes-256-gcm", bytes, Buffer.from(parts.iv, "base64url"), {
    authTagLength: 16,
  })
  decipher.setAAD(Buffer.from(parts.header, "latin1"))
  decipher.setAuthTag(Buffer.from(parts.tag, "base64url"))
  const plaintext = decipher.update(Buffer.from(parts.ciphertext, "base64url"))
  return Buffer.concat([plaintext, decipher.final()])
}

/** RFC 7518 §5.2.2.1: MAC over header, IV, ciphertext and the header's length in bits; its first half is the tag. */
function tagOf(
  { crypto }: Modules,
  key: DerivedKey,
  given: { header: string; iv: Uint8Array; ciphertext: Uint8Array },
): Uint8Array {
  const bits = given.header.length * 8
  // Written byte by byte: engines make a view of bytes slowly. A token's length, which is bounded, takes three of the eight.
  const headerBits = new Uint8Array(8)
  headerBits[5] = bits >>> 16
  headerBits[6] = bits >>> 8
  headerBits[7] = bits
  const mac = crypto.createHmac("sha512", key.macKey).update(given.header).update(given.iv)
  return mac.update(given.ciphertext).update(headerBits).digest().subarray(0, tagLength)
}
