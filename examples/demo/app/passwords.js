/** Passwords, hashed with scrypt. They belong to the application: the service only asks whether they are correct. */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

const derive =
  /** @type {(password: string, salt: Buffer, length: number, options: import("node:crypto").ScryptOptions) => Promise<Buffer>} */ (
    promisify(scrypt)
  )
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const longest = 1024

/**
 * Makes the text that is stored.
 *
 * @param {string} password
 */
export async function hashPassword(password) {
  const salt = randomBytes(16)
  const hash = await derive(password.slice(0, longest).normalize("NFKC"), salt, 32, cost)
  return `scrypt:${salt.toString("base64url")}:${hash.toString("base64url")}`
}

/**
 * Says whether a password is the stored one. An unknown person (`stored` is undefined) takes as long as a known one.
 *
 * @param {string} password
 * @param {string | undefined} stored
 */
export async function isPassword(password, stored) {
  const [, salt = "", hash = ""] = (stored ?? `scrypt:${nobody.salt}:${nobody.hash}`).split(":")
  const expected = Buffer.from(hash, "base64url")
  const given = await derive(password.slice(0, longest).normalize("NFKC"), Buffer.from(salt, "base64url"), 32, cost)
  return timingSafeEqual(given, expected) && stored !== undefined
}

const nobody = { salt: randomBytes(16).toString("base64url"), hash: randomBytes(32).toString("base64url") }
