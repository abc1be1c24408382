/** Integer keys in SQLite have 64 bits: ids beyond what a number can hold stay apart. */
import { type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { afterAll, describe, expect, it } from "vitest"
import { account, ada, expires, passkey } from "./support/people.js"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()
const closing: (() => Promise<unknown>)[] = []

afterAll(async () => {
  for (const close of closing) await close()
})

const ids = ["9007199254740995", "9007199254740996", "9007199254740997"] as const

const tables = [
  `create table users (id integer primary key autoincrement, name text, email text, "emailVerified" text, image text)`,
  `create table sessions (id integer primary key autoincrement, "userId" integer not null, expires text not null,
    "sessionToken" text not null)`,
  "insert into users (id, email) values (9007199254740994, 'first@example.test')",
  "delete from users",
]

/** The same file, opened by the adapter and by the application. */
const ways: Readonly<Record<string, (filename: string) => SqlAdapter>> = {
  "a file": (filename) => sqlAdapter({ filename }),
  "a Kysely instance": (filename) => {
    const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
    closing.push(() => kysely.destroy())
    return sqlAdapter(kysely, { migrate: "auto" })
  },
}

describe.each(Object.entries(ways))("ids beyond 2^53 in %s", { tags: ["threat:RC-10"] }, (_, open) => {
  it("are texts, and name one user each", async () => {
    const filename = file()
    const application = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
    closing.push(() => application.destroy())
    for (const statement of tables) await sql.raw(statement).execute(application)
    const adapter = open(filename)
    closing.push(() => adapter.close())
    for (const [index, id] of ids.entries()) {
      const made = await adapter.createUserWithAccount(
        { ...ada, id: "", email: `${index}@example.test` },
        { ...account, providerAccountId: id },
      )
      expect(made.id).toBe(id)
      await adapter.createSession({ sessionToken: id, userId: id, expires })
      await adapter.createAuthenticator({ ...passkey, credentialID: id, userId: id })
    }
    for (const id of ids) {
      expect((await adapter.getSessionAndUser(id))?.user.id).toBe(id)
      expect((await adapter.getUser(id))?.id).toBe(id)
      expect((await adapter.getUserByAccount({ ...account, providerAccountId: id }))?.id).toBe(id)
      expect((await adapter.listSessionsByUserId(id)).map(({ userId }) => userId)).toEqual([id])
      expect((await adapter.getAuthenticator(id))?.userId).toBe(id)
    }
    await adapter.deleteUser(ids[1])
    const left = sql<{ id: string }>`select cast(id as text) as id from users order by id`.execute(application)
    expect((await left).rows).toEqual([{ id: ids[0] }, { id: ids[2] }])
    expect((await adapter.getSessionAndUser(ids[0]))?.user.id).toBe(ids[0])
  })
})
