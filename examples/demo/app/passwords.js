/** Passwords, hashed with scrypt. They belong to the application: the service only asks whether they are correct. */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

const derive =
  /** @type {(password: string, salt: Buffer, length: number, options: import("node:crypto").ScryptOptions) => Promise<Buffer>} */ (
    promisify(scrypt)
  )
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const longest = 1024

/** At once. Each takes 32 MB and one of the four threads that read files and look up hosts as well. */
const mostAtOnce = 2
const mostWaiting = 32
let running = 0
/** @type {(() => void)[]} */
const waiting = []

/**
 * An error, not `false`: nobody has typed a wrong password, so it does not count against the network.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function inTurn(work) {
  if (running < mostAtOnce) running++
  else if (waiting.length < mostWaiting) await new Promise((begin) => waiting.push(() => begin(undefined)))
  else throw new Error("Too many passwords are being checked at once.")
  try {
    return await work()
  } finally {
    // Whoever waits longest takes this place over.
    const begin = waiting.shift()
    if (begin) begin()
    else running--
  }
}

/**
 * Makes the text that is stored.
 *
 * @param {string} password
 */
export async function hashPassword(password) {
  const salt = randomBytes(16)
  const hash = await inTurn(() => derive(password.slice(0, longest).normalize("NFKC"), salt, 32, cost))
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
  const text = password.slice(0, longest).normalize("NFKC")
  const given = await inTurn(() => derive(text, Buffer.from(salt, "base64url"), 32, cost))
  return timingSafeEqual(given, expected) && stored !== undefined
}

const nobody = { salt: randomBytes(16).toString("base64url"), hash: randomBytes(32).toString("base64url") }
