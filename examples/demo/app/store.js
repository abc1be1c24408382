/** What the application keeps of people, whatever database it is in. */
import { randomUUID } from "node:crypto"
import { Mistake } from "../mistake.js"
import { hashPassword, isPassword } from "./passwords.js"

/**
 * @typedef {{
 *   adapter: import("./database.js").Rows["adapter"],
 *   demoPassword: { email: string, password: string },
 *   authorize(email: unknown, password: unknown): Promise<import("@latchkey/core/types").User | null>,
 *   belongingsOf(userId: string): Promise<Belongings>,
 *   unlink(userId: string, account: { provider: string, providerAccountId: string }): Promise<"unlinked" | "last" | "unknown">,
 *   close(): Promise<void>,
 * }} Store
 * @typedef {{
 *   accounts: readonly import("./pages/account.js").LinkedAccount[],
 *   hasPassword: boolean,
 * }} Belongings
 */

/** The one person with a password. Everybody may know it: the demo serves this machine only. */
const demoPerson = { name: "Ada Byron", email: "ada@demo.test", password: "analytical-engine-1843" }

/**
 * Opens the database, brings its tables up to date, and makes the one person with a password.
 *
 * @param {import("./database.js").Database} database
 * @returns {Promise<Store>}
 */
export async function openStore(database) {
  const rows = await openRows(database)
  const { accountsOf, adapter, hashOf } = rows
  await makeDemoPerson(rows)

  return {
    adapter,
    demoPassword: demoPerson,
    async authorize(email, password) {
      if (typeof email !== "string" || typeof password !== "string") return null
      const user = await adapter.getUserByEmail(email.trim().toLowerCase())
      return (await isPassword(password, await hashOf(user?.id ?? ""))) ? user : null
    },
    async belongingsOf(userId) {
      const accounts = await accountsOf(userId)
      return {
        hasPassword: (await hashOf(userId)) !== undefined,
        accounts: accounts.filter(isShown).map(describe),
      }
    },
    async unlink(userId, { provider, providerAccountId }) {
      const all = await accountsOf(userId)
      const isMine = all.some((row) => row.provider === provider && row.providerAccountId === providerAccountId)
      if (!isMine) return "unknown"
      if (all.length === 1 && (await hashOf(userId)) === undefined) return "last"
      await adapter.unlinkAccount({ provider, providerAccountId })
      return "unlinked"
    },
    close: rows.close,
  }
}

/** Passkeys have a list of their own. @param {import("./database.js").AccountRow} row */
const isShown = ({ type }) => type !== "webauthn"

const labels = /** @type {Record<string, string>} */ ({ "demo-op": "Demo Identity", nodemailer: "E-mail link" })

/** @param {import("./database.js").AccountRow} row */
const describe = ({ provider, providerAccountId }) => ({
  provider,
  providerAccountId,
  label: labels[provider] ?? provider,
  detail: providerAccountId,
})

/** @param {import("./database.js").Database} database */
async function openRows({ open, place, title }) {
  console.log(`Opening ${title} (${place}) ...`)
  try {
    return await open((step) => console.log(`  ${step}`))
  } catch (error) {
    throw new Mistake(`${title} (${place}) cannot be used: ${reasonsOf(error).join(" - ")}`)
  }
}

/**
 * What went wrong, and what was behind it. Neither holds a password: the drivers name no more than users and hosts.
 *
 * @param {unknown} error
 * @returns {string[]}
 */
function reasonsOf(error) {
  if (!(error instanceof Error)) return [String(error)]
  const own = error.message || String(/** @type {NodeJS.ErrnoException} */ (error).code ?? error.name)
  const behind = error.cause === undefined ? [] : reasonsOf(error.cause)
  return [own, ...behind.filter((reason) => reason !== own)]
}

/** @param {import("./database.js").Rows} rows */
async function makeDemoPerson({ adapter, hashOf, keepHash }) {
  const { email, name, password } = demoPerson
  const known = await adapter.getUserByEmail(email)
  const { id } =
    known ?? (await adapter.createUser({ id: randomUUID(), name, email, emailVerified: null, image: null }))
  if ((await hashOf(id)) === undefined) await keepHash(id, await hashPassword(password))
}
