/**
 * Seals claims into an encrypted token (RFC 7516 compact form, `dir`, A256CBC-HS512) and opens it again. By the runtime's
 * own cryptography where there is one, else by `jose`; both make the same bytes and refuse the same tokens.
 */
import { utf8 } from "../std/bytes.js"
import { toSeconds } from "../std/time.js"
import type { Awaitable } from "../types/identity.js"
import { assertLengths, type Cipher, parseObject, readCompact, readHeader, readText } from "./compact.js"
import { type DerivedKey, shortKeyLength } from "./key.js"
import type { Keyring } from "./keyring.js"
import { type Native, native } from "./native.js"
import { chain } from "./pending.js"
import { randomUuid } from "./token.js"

/** What sealing needs. */
export interface Sealing {
  readonly keyring: Keyring
  /** Separates purposes: what was sealed with one salt never opens with another. */
  readonly salt: string
  /** Lifetime in seconds. */
  readonly maxAge: number
  readonly now: Date
}

/** What opening needs. */
export type Opening = Omit<Sealing, "maxAge">

/** The token is whole and ours, but not valid now. */
export class OutOfTime extends Error {
  override name = "OutOfTime"
}

/** Clocks may differ by so many seconds. */
const tolerance = 15
const sealingCipher: Cipher = "A256CBC-HS512"

/** Seals claims with the first secret. `iat`, `exp` and `jti` are always set anew. */
export function seal(claims: Readonly<Record<string, unknown>>, sealing: Sealing): Awaitable<string> {
  return sealWith(native, claims, sealing)
}

/**
 * Opens a token with the secret that made it. Throws an Error for anything that is not whole, not ours, for another
 * purpose, not yet valid or ended (15 seconds of grace).
 */
export function open(token: string, opening: Opening): Awaitable<Record<string, unknown>> {
  return openWith(native, token, opening)
}

/** {@link seal} with a given native way, or with none. */
export function sealWith(
  way: Native | undefined,
  claims: Readonly<Record<string, unknown>>,
  { keyring, salt, maxAge, now }: Sealing,
): Awaitable<string> {
  const iat = toSeconds(now)
  const exp = iat + maxAge
  if (!Number.isFinite(exp)) throw new RangeError("token: lifetime must be a finite number of seconds")
  // Assigned, because engines spread claims of many shapes slowly; without a prototype, so that none can be set by a name.
  const text = JSON.stringify(Object.assign(Object.create(null), claims, { iat, exp, jti: randomUuid() }))
  return chain(keyring.derive(0, salt), (key) => (way ? way.encrypt(key, text) : encryptPortably(key, text)))
}

/** {@link open} with a given native way, or with none. */
export function openWith(
  way: Native | undefined,
  token: string,
  { keyring, salt, now }: Opening,
): Awaitable<Record<string, unknown>> {
  const parts = readCompact(token)
  const decrypt: Decrypt = ({ key, cipher }) => {
    assertLengths(cipher, parts)
    return way ? way.decrypt(key, cipher, parts) : decryptPortably(key, cipher, token)
  }
  return chain(decryptWith(decrypt, parts.header, { keyring, salt }), (bytes) =>
    judge(parseObject(readText(bytes), "token claims"), toSeconds(now)),
  )
}

interface Found {
  readonly key: DerivedKey
  readonly cipher: Cipher
}

type Decrypt = (found: Found) => Awaitable<Uint8Array>
type Keys = Pick<Opening, "keyring" | "salt">

/** Decrypts with the key that the header names; where it names none, with the first that fits. */
function decryptWith(decrypt: Decrypt, header: string, { keyring, salt }: Keys): Awaitable<Uint8Array> {
  return chain(keyring.derive(0, salt), (first) => {
    // Nearly every token was made here and with the first secret: its header need not be read.
    if (header === first.header) return decrypt({ key: first, cipher: sealingCipher })
    const { cipher, kid } = readHeader(header)
    if (kid === undefined) return decryptWithAny(decrypt, cipher, { keyring, salt })
    const from = (index: number): Awaitable<Uint8Array> => {
      if (index >= keyring.secrets.length) throw new Error("token: made with none of the secrets")
      return chain(keyring.derive(index, salt), (key) =>
        kid === (cipher === "A256GCM" ? key.kid256 : key.kid512) ? decrypt({ key, cipher }) : from(index + 1),
      )
    }
    return from(0)
  })
}

/** Tokens of other software need not name their key: each secret is tried, newest first. */
async function decryptWithAny(decrypt: Decrypt, cipher: Cipher, { keyring, salt }: Keys): Promise<Uint8Array> {
  for (let index = 0; index < keyring.secrets.length; index++) {
    const key = await keyring.derive(index, salt)
    try {
      return await decrypt({ key, cipher })
    } catch {
      // Made with another secret, or with none of them.
    }
  }
  throw new Error("token: made with none of the secrets")
}

/** RFC 7519 §4.1.4 to §4.1.6: dates must be numbers, the token must be valid now. */
function judge(claims: Record<string, unknown>, now: number): Record<string, unknown> {
  const { iat, nbf, exp } = claims
  if (iat !== undefined && typeof iat !== "number") throw new Error("token: iat must be a number")
  if (nbf !== undefined && (typeof nbf !== "number" || nbf > now + tolerance))
    throw new OutOfTime("token: not yet valid")
  if (exp !== undefined && (typeof exp !== "number" || exp <= now - tolerance)) throw new OutOfTime("token: ended")
  return claims
}

// The library is loaded where it is needed only: runtimes with cryptography of their own start without it.
async function encryptPortably(key: DerivedKey, text: string): Promise<string> {
  const { CompactEncrypt } = await import("jose/jwe/compact/encrypt")
  const header = { alg: "dir", enc: sealingCipher, kid: key.kid512 }
  return new CompactEncrypt(utf8(text)).setProtectedHeader(header).encrypt(key.bytes)
}

async function decryptPortably(key: DerivedKey, cipher: Cipher, token: string): Promise<Uint8Array> {
  const { compactDecrypt } = await import("jose/jwe/compact/decrypt")
  const bytes = cipher === "A256GCM" ? key.bytes.subarray(0, shortKeyLength) : key.bytes
  const { plaintext } = await compactDecrypt(token, bytes, {
    keyManagementAlgorithms: ["dir"],
    contentEncryptionAlgorithms: [cipher],
  })
  return plaintext
}
