/** Passwords belong to the application: the service only asks whether they are correct. */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"
import { CredentialsSignin } from "@latchkey/express"

const derive = promisify(scrypt)
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
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
  else if (waiting.length < mostWaiting) await new Promise((begin) => waiting.push(begin))
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

const nobody = { salt: randomBytes(16).toString("base64url"), hash: randomBytes(32).toString("base64url") }

class NotRegistered extends CredentialsSignin {
  code = "not-registered"
}

/** Opens the table of hashes beside the tables of the service. @param {import("@latchkey/sql-adapter").SqlAdapter} adapter */
export async function openPasswords({ createUser, getUserByEmail, kysely }) {
  await kysely.schema
    .createTable("passwords")
    .ifNotExists()
    .addColumn("userId", "text", (column) => column.primaryKey())
    .addColumn("salt", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .execute()

  return {
    /** The person with this address and password, else `null`. Unknown people take as long as known ones. */
    async personOf(email, password) {
      const user = await getUserByEmail(addressOf(email))
      const rows = kysely
        .selectFrom("passwords")
        .selectAll()
        .where("userId", "=", user?.id ?? "")
      const { salt, hash } = (await rows.executeTakeFirst()) ?? nobody
      const given = await hashOf(password, salt)
      return timingSafeEqual(given, Buffer.from(hash, "base64url")) ? user : null
    },
    /** Makes a person. Throws when the address is taken or the password too short. */
    async register({ email, name, password }) {
      const address = addressOf(email)
      if (!/^[^@\s]+@[^@\s]+$/.test(address) || String(password).length < 12) throw new NotRegistered()
      if (await getUserByEmail(address)) throw new NotRegistered()
      const salt = randomBytes(16).toString("base64url")
      const hash = (await hashOf(password, salt)).toString("base64url")
      const user = { id: crypto.randomUUID(), email: address, name: name || null, emailVerified: null, image: null }
      const { id } = await createUser(user)
      await kysely.insertInto("passwords").values({ userId: id, salt, hash }).execute()
    },
  }
}

const addressOf = (email) => String(email).trim().toLowerCase()
const hashOf = (password, salt) =>
  inTurn(() => derive(String(password).slice(0, 1024).normalize("NFKC"), Buffer.from(salt, "base64url"), 32, cost))
