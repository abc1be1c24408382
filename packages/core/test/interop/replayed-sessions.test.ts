/** A saved cookie opens nothing once its session has ended (OWASP ASVS 5.0 7.4.1): adapters published for Auth.js, with a store of records beside them. */
import { sqlRecords } from "@latchkey/sql-adapter"
import type { Adapter } from "../../src/types/adapter.js"
import { openPublished } from "../support/published.js"
import { replayCases } from "../support/replay.js"

/** That for unstorage fails for a user without a row of a session, once the user is removed: `removeItem(null)` at its line 229. */
function deleting(adapter: Adapter): Adapter {
  const deleteUser = async (id: string): Promise<void> => {
    await Promise.resolve(adapter.deleteUser?.(id)).catch(() => undefined)
    if (await adapter.getUser?.(id)) throw new Error("The user is still there.")
  }
  return { ...adapter, deleteUser }
}

for (const name of ["@auth/unstorage-adapter", "@auth/kysely-adapter"] as const) {
  replayCases(`${name} with sqlRecords`, async () => {
    const { adapter, close } = await openPublished[name]()
    const records = sqlRecords({ url: "file::memory:" })
    await records.migrate()
    const closeAll = async (): Promise<void> => {
      await close()
      await records.close()
    }
    return { adapter: deleting(adapter), records, hasPasskeys: name !== "@auth/kysely-adapter", close: closeAll }
  })
}
