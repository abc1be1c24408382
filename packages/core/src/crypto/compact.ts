/** The grammar of a sealed token: five base64url parts (RFC 7516 §3.1), checked before any key is touched. */
import { fromBase64url } from "../std/bytes.js"
import { type Members, parseMembers } from "../std/json.js"

/** The content encryptions (`enc`) that open; new tokens use the first. */
export type Encryption = "A256CBC-HS512" | "A256GCM"

/** A token taken apart: every part base64url, the header as sent, for it is authenticated as text. */
export interface SealedParts {
  readonly header: string
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/** What a header says. */
export interface SealedHeader {
  readonly enc: Encryption
  /** Names the key; absent in tokens of other makers. Anything but text names none. */
  readonly kid: unknown
}

/** Longer texts are refused unread: no cookie can carry them. */
export const longestToken = 262_144

/** The second part, the encrypted key, is empty: the key is agreed on beforehand (RFC 7518 §4.5). */
const shape = /^([\w-]+)\.\.([\w-]+)\.([\w-]+)\.([\w-]+)$/

const strict = new TextDecoder("utf-8", { fatal: true })

/** Takes a token apart. */
export function readCompact(token: string): SealedParts {
  if (token.length > longestToken) throw new Error("token: too long")
  const parts = shape.exec(token)
  if (!parts) throw new Error("token: five base64url parts expected, the second one empty")
  const [, header = "", iv = "", ciphertext = "", tag = ""] = parts
  // One token has one spelling: unused bits are zero (RFC 4648 §3.5), so that a changed character is a changed token.
  if (!isCanonical(iv) || !isCanonical(ciphertext) || !isCanonical(tag)) throw new Error("token: loose base64url")
  return { header, iv, ciphertext, tag }
}

/** Reads the protected header. Throws for anything but `dir` with one of the two ciphers. */
export function readHeader(encoded: string): SealedHeader {
  const header = parseObject(readText(fromBase64url(encoded)), "token header")
  if (header.alg !== "dir") throw new Error("token: alg must be dir")
  const { enc, kid } = header
  if (enc !== "A256CBC-HS512" && enc !== "A256GCM") throw new Error("token: enc must be A256CBC-HS512 or A256GCM")
  // RFC 7516 §4.1.13: an extension that is not understood must be refused; none is understood. Nor is compression.
  if (header.crit !== undefined || header.zip !== undefined) throw new Error("token: crit and zip are refused")
  return { enc, kid }
}

/** Lengths in characters of IV and tag: exact, so that no shortened tag is ever compared. */
const lengths = {
  "A256CBC-HS512": { iv: 22, tag: 43 },
  A256GCM: { iv: 16, tag: 22 },
} as const

/** Throws unless IV and tag are as long as the encryption wants them. */
export function assertLengths(enc: Encryption, { iv, tag }: SealedParts): void {
  if (iv.length !== lengths[enc].iv || tag.length !== lengths[enc].tag) {
    throw new Error("token: initialisation vector or tag has a wrong length")
  }
}

/** Reads bytes as text. Throws for what is not UTF-8. */
export function readText(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    throw new Error("token: not UTF-8")
  }
}

/** Reads text as a JSON object. Throws for everything else, without what was read. */
export function parseObject(text: string, what: string): Members {
  const members = parseMembers(text)
  if (!members) throw new Error(`${what}: a JSON object expected`)
  return members
}

const lastOfTwo = /[AQgw]$/
const lastOfThree = /[AEIMQUYcgkosw048]$/

function isCanonical(text: string): boolean {
  const rest = text.length % 4
  if (rest === 0) return true
  return rest === 2 ? lastOfTwo.test(text) : rest === 3 && lastOfThree.test(text)
}
