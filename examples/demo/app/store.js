/** What the application keeps: the service's rows through its adapter, and one table of its own for passwords. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import Database from "libsql"
import { hashPassword, isPassword } from "./passwords.js"

/**
 * @typedef {{
 *   adapter: Required<Pick<import("@latchkey/core").Adapter, "createUser" | "getUser" | "getUserByEmail" | "listAuthenticatorsByUserId" | "unlinkAccount">> & import("@latchkey/core").Adapter,
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
  const adapter = /** @type {Store["adapter"]} */ (sqlAdapter({ filename: file }))
  const database = new Database(file)
  database.exec("create table if not exists demo_passwords (user_id text primary key, hash text not null)")
  const hashOf = database.prepare("select hash from demo_passwords where user_id = ?")
  const accountsOf = database.prepare(`select provider, "providerAccountId", type from accounts where "userId" = ?`)

  /** @param {string} userId @returns {string | undefined} */
  const storedHash = (userId) => hashOf.get(userId)?.hash
  await seed(adapter, database)

  return {
    adapter,
    demoPassword: demoPerson,
    async authorize(email, password) {
      if (typeof email !== "string" || typeof password !== "string") return null
      const user = await adapter.getUserByEmail(email.trim().toLowerCase())
      return (await isPassword(password, user ? storedHash(user.id) : undefined)) ? user : null
    },
    async belongingsOf(userId) {
      const keys = await adapter.listAuthenticatorsByUserId(userId)
      return {
        hasPassword: storedHash(userId) !== undefined,
        accounts: accountsOf.all(userId).filter(isShown).map(describe),
        passkeys: keys.map(({ counter, credentialDeviceType, credentialID }) => ({
          id: credentialID,
          device: credentialDeviceType === "multiDevice" ? "synced between devices" : "on one device",
          counter,
        })),
      }
    },
    async unlink(userId, { provider, providerAccountId }) {
      const all = /** @type {AccountRow[]} */ (accountsOf.all(userId))
      const isMine = all.some((row) => row.provider === provider && row.providerAccountId === providerAccountId)
      if (!isMine) return "unknown"
      if (all.length === 1 && storedHash(userId) === undefined) return "last"
      await adapter.unlinkAccount({ provider, providerAccountId })
      return "unlinked"
    },
    async close() {
      database.close()
    },
  }
}

/** @typedef {{ provider: string, providerAccountId: string, type: string }} AccountRow */

/** Passkeys have a list of their own. @param {AccountRow} row */
const isShown = ({ type }) => type !== "webauthn"

const labels = /** @type {Record<string, string>} */ ({ "demo-op": "Demo Identity", nodemailer: "E-mail link" })

/** @param {AccountRow} row */
const describe = ({ provider, providerAccountId, type }) => ({
  provider,
  providerAccountId,
  type,
  label: labels[provider] ?? provider,
  detail: providerAccountId,
})

/**
 * @param {Store["adapter"]} adapter
 * @param {import("libsql").Database} database
 */
async function seed(adapter, database) {
  const { email, name, password } = demoPerson
  const known = await adapter.getUserByEmail(email)
  const { id } = known ?? (await adapter.createUser({ id: crypto.randomUUID(), name, email, emailVerified: null, image: null }))
  const keep = database.prepare("insert into demo_passwords (user_id, hash) values (?, ?) on conflict do nothing")
  const isThere = database.prepare("select 1 from demo_passwords where user_id = ?").get(id)
  if (!isThere) keep.run(id, await hashPassword(password))
}
