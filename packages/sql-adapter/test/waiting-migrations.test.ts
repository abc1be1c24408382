/** A migration of a SQLite file waits for the migration of another process, however long that takes. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import Database from "libsql"
import { expect, it } from "vitest"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()

it("a migration waits for another one, and finds its work done", async () => {
  const filename = file()
  // What another process does: SQLite knows connections only.
  const other = new Database(filename)
  other.exec("pragma journal_mode = wal")
  other.exec("begin immediate")
  const adapter = sqlAdapter({ filename }, { busyTimeout: 100 })
  const migrating = adapter.migrate()
  const early = await Promise.race([
    migrating.then(
      () => "migrated",
      () => "failed",
    ),
    new Promise((resolve) => setTimeout(resolve, 1500, "waiting")),
  ])
  expect(early).toBe("waiting")
  other.exec("create table elsewhere (one integer)")
  other.exec("commit")
  other.close()
  expect(await migrating).toContain("1 tables")
  expect(await adapter.migrate()).toEqual([])
  await adapter.close()
})
