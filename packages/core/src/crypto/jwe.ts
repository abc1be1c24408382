/**
 * Seals claims into an encrypted token (RFC 7516 compact form, `dir`, A256CBC-HS512) and opens it again: which key, which
 * claims, at which time. The cryptography is that of a cipher.
 */
import { toSeconds } from "../std/time.js"
import type { Awaitable } from "../types/identity.js"
import { type Cipher, chain, type DerivedKey } from "./cipher.js"
import { assertLengths, type Encryption, parseObject, readCompact, readHeader, readText } from "./compact.js"
import type { Keyring } from "./keyring.js"
import { cipher } from "./native.js"
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

/** The token was made by us, but is not valid now. */
export class TokenNotValidNow extends Error {
  override name = "TokenNotValidNow"
}

/** Clocks may differ by so many seconds. */
export const tolerance = 15

/** Seals claims with the first secret. `iat`, `exp` and `jti` are always set anew. */
export function seal(claims: Readonly<Record<string, unknown>>, sealing: Sealing): Awaitable<string> {
  return sealWith(cipher, claims, sealing)
}

/**
 * Opens a token with the secret that made it. Throws an Error for anything that is not whole, not ours, for another
 * purpose, not yet valid or ended (15 seconds of grace).
 */
export function open(token: string, opening: Opening): Awaitable<Record<string, unknown>> {
  return openWith(cipher, token, opening)
}

/** {@link seal} with a given cipher. */
export function sealWith(
  given: Cipher,
  claims: Readonly<Record<string, unknown>>,
  { keyring, salt, maxAge, now }: Sealing,
): Awaitable<string> {
  const iat = toSeconds(now)
  const exp = iat + maxAge
  if (!Number.isFinite(exp)) throw new RangeError("token: lifetime must be a finite number of seconds")
  // Spread as two whole objects, which engines do faster than members behind a spread. `Object.assign` would take a claim
  // named `__proto__` for the prototype.
  const text = JSON.stringify({ ...claims, ...{ iat, exp, jti: randomUuid() } })
  return chain(keyring.derive(0, salt), (key) => given.encrypt(key, text))
}

/** {@link open} with a given cipher. */
export function openWith(
  given: Cipher,
  token: string,
  { keyring, salt, now }: Opening,
): Awaitable<Record<string, unknown>> {
  const parts = readCompact(token)
  const decrypt: Decrypt = ({ key, enc }) => {
    assertLengths(enc, parts)
    return given.decrypt(key, enc, parts)
  }
  return chain(decryptWith(decrypt, parts.header, { keyring, salt }), (bytes) =>
    validNow(parseObject(readText(bytes), "token claims"), toSeconds(now)),
  )
}

interface Found {
  readonly key: DerivedKey
  readonly enc: Encryption
}

type Decrypt = (found: Found) => Awaitable<Uint8Array>
type Keys = Pick<Opening, "keyring" | "salt">

/** Decrypts with the key that the header names; where it names none, with the first that fits. */
function decryptWith(decrypt: Decrypt, header: string, { keyring, salt }: Keys): Awaitable<Uint8Array> {
  return chain(keyring.derive(0, salt), (first) => {
    // Nearly every token was made here and with the first secret: its header need not be read.
    if (header === first.header) return decrypt({ key: first, enc: "A256CBC-HS512" })
    const { enc, kid } = readHeader(header)
    if (kid === undefined) return decryptWithAny(decrypt, enc, { keyring, salt })
    const from = (index: number): Awaitable<Uint8Array> => {
      if (index >= keyring.secrets.length) throw unopened()
      return chain(keyring.derive(index, salt), (key) =>
        kid === (enc === "A256GCM" ? key.kid256 : key.kid512) ? decrypt({ key, enc }) : from(index + 1),
      )
    }
    return from(0)
  })
}

/** In the words of Auth.js, by which applications know it. */
function unopened(): Error {
  return new Error("no matching decryption secret")
}

/** Tokens of other software need not name their key: each secret is tried, newest first. */
async function decryptWithAny(decrypt: Decrypt, enc: Encryption, { keyring, salt }: Keys): Promise<Uint8Array> {
  for (let index = 0; index < keyring.secrets.length; index++) {
    const key = await keyring.derive(index, salt)
    try {
      return await decrypt({ key, enc })
    } catch {
      // Made with another secret, or with none of them.
    }
  }
  throw unopened()
}

/** RFC 7519 §4.1.4 to §4.1.6: dates must be numbers, the token must be valid now. */
function validNow(claims: Record<string, unknown>, now: number): Record<string, unknown> {
  const { iat, nbf, exp } = claims
  if (iat !== undefined && typeof iat !== "number") throw new Error("token: iat must be a number")
  if (nbf !== undefined && (typeof nbf !== "number" || nbf > now + tolerance))
    throw new TokenNotValidNow("token: not yet valid")
  if (exp !== undefined && (typeof exp !== "number" || exp <= now - tolerance))
    throw new TokenNotValidNow("token: ended")
  return claims
}
