/** SQLite gives the number of the newest row to the next one once it is gone, unless the table says otherwise. */
import { type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { expect, it } from "vitest"
import { ada } from "./support/people.js"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()

async function adapterOn(id: string): Promise<SqlAdapter> {
  const filename = file()
  const application = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
  const columns = `${id}, name text, email text, "emailVerified" text, image text`
  await sql.raw(`create table Users (${columns})`).execute(application)
  await application.destroy()
  return sqlAdapter({ filename })
}

const bob = { ...ada, email: "bob@example.test" }

it.each([
  ["id integer primary key", true],
  ["id INTEGER NOT NULL PRIMARY KEY", true],
  ["id integer primary key autoincrement", false],
  ["id text primary key", false],
])(
  "a user with the id of one who was deleted is possible with %s: %s, and check() says so",
  { tags: ["threat:SF-20"] },
  async (id, isPossible) => {
    const adapter = await adapterOn(id)
    const { id: given } = id.includes("text") ? { id: crypto.randomUUID() } : { id: "" }
    const first = await adapter.createUser({ ...ada, id: given })
    await adapter.deleteUser(String(first.id))
    const second = await adapter.createUser({ ...bob, id: given && crypto.randomUUID() })
    expect(String(second.id) === String(first.id)).toBe(isPossible)
    const { notes, problems } = await adapter.check()
    expect(problems).toEqual([])
    expect(notes).toEqual(isPossible ? [expect.stringContaining('without "autoincrement"')] : [])
    await adapter.close()
  },
)
