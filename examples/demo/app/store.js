/** What the application keeps: the service's rows through its adapter, and one table of its own for passwords. */
import { randomUUID } from "node:crypto"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { hashPassword, isPassword } from "./passwords.js"

/**
 * @typedef {{ userId: string, provider: string, providerAccountId: string, type: string }} AccountRow
 * @typedef {{ accounts: AccountRow, demo_passwords: { user_id: string, hash: string } }} Tables
 * @typedef {import("@latchkey/sql-adapter").SqlAdapter<Tables>} Adapter
 */

/**
 * @typedef {{
 *   adapter: Adapter,
 *   demoPassword: { email: string, password: string },
 *   authorize(email: unknown, password: unknown): Promise<import("@latchkey/core/types").User | null>,
 *   belongingsOf(userId: string): Promise<Belongings>,
 *   unlink(userId: string, account: { provider: string, providerAccountId: string }): Promise<"unlinked" | "last" | "unknown">,
 *   close(): Promise<void>,
 * }} Store
 * @typedef {{
 *   accounts: readonly import("./pages.js").LinkedAccount[],
 *   passkeys: readonly import("./pages.js").KnownPasskey[],
 *   hasPassword: boolean,
 * }} Belongings
 */

/** The one person with a password. Everybody may know it: the demo serves this machine only. */
const demoPerson = { name: "Ada Byron", email: "ada@demo.test", password: "analytical-engine-1843" }

/**
 * @param {string} file
 * @returns {Promise<Store>}
 */
export async function openStore(file) {
  const adapter = /** @type {Adapter} */ (sqlAdapter({ filename: file }))
  await adapter.migrate()
  const passwords = await openPasswords(adapter)

  /** @param {string} userId */
  const accountsOf = (userId) =>
    adapter.kysely.selectFrom("accounts").selectAll().where("userId", "=", userId).orderBy("provider").execute()

  return {
    adapter,
    demoPassword: demoPerson,
    async authorize(email, password) {
      if (typeof email !== "string" || typeof password !== "string") return null
      const user = await adapter.getUserByEmail(email.trim().toLowerCase())
      return (await isPassword(password, await passwords.hashOf(user?.id ?? ""))) ? user : null
    },
    async belongingsOf(userId) {
      const accounts = await accountsOf(userId)
      const keys = await adapter.listAuthenticatorsByUserId(userId)
      return {
        hasPassword: (await passwords.hashOf(userId)) !== undefined,
        accounts: accounts.filter(isShown).map(describe),
        passkeys: keys.map(({ counter, credentialDeviceType, credentialID }) => ({
          id: credentialID,
          device: credentialDeviceType === "multiDevice" ? "synced between devices" : "on one device",
          counter,
        })),
      }
    },
    async unlink(userId, { provider, providerAccountId }) {
      const all = await accountsOf(userId)
      const isMine = all.some((row) => row.provider === provider && row.providerAccountId === providerAccountId)
      if (!isMine) return "unknown"
      if (all.length === 1 && (await passwords.hashOf(userId)) === undefined) return "last"
      await adapter.unlinkAccount({ provider, providerAccountId })
      return "unlinked"
    },
    close: () => adapter.close(),
  }
}

/** Passkeys have a list of their own. @param {AccountRow} row */
const isShown = ({ type }) => type !== "webauthn"

const labels = /** @type {Record<string, string>} */ ({ "demo-op": "Demo Identity", nodemailer: "E-mail link" })

/** @param {AccountRow} row */
const describe = ({ provider, providerAccountId }) => ({
  provider,
  providerAccountId,
  label: labels[provider] ?? provider,
  detail: providerAccountId,
})

/**
 * The table of hashes, with the one person in it who has a password.
 *
 * @param {Adapter} adapter
 */
async function openPasswords({ createUser, getUserByEmail, kysely }) {
  await kysely.schema
    .createTable("demo_passwords")
    .ifNotExists()
    .addColumn("user_id", "text", (column) => column.primaryKey())
    .addColumn("hash", "text", (column) => column.notNull())
    .execute()

  /** @param {string} userId */
  const hashOf = async (userId) =>
    (await kysely.selectFrom("demo_passwords").select("hash").where("user_id", "=", userId).executeTakeFirst())?.hash

  const { email, name, password } = demoPerson
  const known = await getUserByEmail(email)
  const { id } = known ?? (await createUser({ id: randomUUID(), name, email, emailVerified: null, image: null }))
  if ((await hashOf(id)) === undefined)
    await kysely
      .insertInto("demo_passwords")
      .values({ user_id: id, hash: await hashPassword(password) })
      .execute()
  return { hashOf }
}
