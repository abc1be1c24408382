/** The application's rows in a SQL database: the service's tables, and one of its own for passwords. */
import { sqlAdapter } from "@latchkey/sql-adapter"

/** @typedef {{ accounts: import("./database.js").AccountRow & { userId: string }, demo_passwords: { user_id: string, hash: string } }} Tables */

/**
 * @param {{ filename: string } | { url: string }} source
 * @param {import("./database.js").Tell} tell
 * @returns {Promise<import("./database.js").Rows>}
 */
export async function openSql(source, tell) {
  /** @type {import("@latchkey/sql-adapter").SqlAdapter<Tables>} */
  const adapter = sqlAdapter(source)
  const { kysely } = adapter
  try {
    // Steps are numbered: "1 tables" would be read as a number of tables.
    for (const step of await adapter.migrate()) tell(`migrated: ${step.replace(/^\d+ /, "")}`)
    await kysely.schema
      .createTable("demo_passwords")
      .ifNotExists()
      .addColumn("user_id", "varchar(255)", (column) => column.primaryKey())
      .addColumn("hash", "varchar(255)", (column) => column.notNull())
      .execute()
  } catch (error) {
    await adapter.close()
    throw error
  }
  return {
    adapter,
    accountsOf: (userId) =>
      kysely.selectFrom("accounts").selectAll().where("userId", "=", userId).orderBy("provider").execute(),
    hashOf: async (userId) =>
      (await kysely.selectFrom("demo_passwords").select("hash").where("user_id", "=", userId).executeTakeFirst())?.hash,
    async keepHash(userId, hash) {
      await kysely.insertInto("demo_passwords").values({ user_id: userId, hash }).execute()
    },
    close: () => adapter.close(),
  }
}
