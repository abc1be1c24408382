/** Integers of SQLite have 64 bits: ids beyond what a number can hold stay apart. */
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

/** Tables of another tool, with keys of this type. */
const tablesOf = (type: string): string[] => [
  `create table users (id ${type} primary key, name text, email text, "emailVerified" text, image text)`,
  `create table accounts ("userId" ${type} not null, type text not null, provider text not null,
    "providerAccountId" text not null, refresh_token text, access_token text, expires_at integer, id_token text,
    scope text, session_state text, token_type text)`,
  `create table sessions ("userId" ${type} not null, expires text not null, "sessionToken" text not null)`,
]

async function openOn(type: string): Promise<SqlAdapter> {
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename: file() }) })
  closing.push(() => kysely.destroy())
  for (const statement of tablesOf(type)) await sql.raw(statement).execute(kysely)
  for (const id of [7, ...ids])
    await sql.raw(`insert into users (id, email) values (${id}, '${id}@example.test')`).execute(kysely)
  return sqlAdapter(kysely, { migrate: "auto" })
}

const types = ["decimal(20,0)", "numeric", "numeric(20)", "string", "number", "bigint"]

describe.each(types)("ids of users in a column of the type %s", { tags: ["threat:RC-10"] }, (type) => {
  it("name one user each, and are numbers as long as these are exact", async () => {
    const adapter = await openOn(type)
    expect(await adapter.getUserByEmail("7@example.test")).toMatchObject({ id: 7 })
    for (const id of ids) {
      expect((await adapter.getUserByEmail(`${id}@example.test`))?.id).toBe(id)
      await adapter.linkAccount({ ...account, userId: id, providerAccountId: id })
      await adapter.createSession({ sessionToken: id, userId: id, expires })
    }
    for (const id of ids) {
      expect((await adapter.getUser(id))?.id).toBe(id)
      expect((await adapter.getUserByAccount({ ...account, providerAccountId: id }))?.id).toBe(id)
      expect((await adapter.getSessionAndUser(id))?.user.id).toBe(id)
      expect((await adapter.listAccountsByUserId(id)).map(({ userId }) => userId)).toEqual([id])
    }
    await adapter.deleteUser(ids[1])
    expect((await adapter.getUser(ids[0]))?.id).toBe(ids[0])
    expect((await adapter.getUser(ids[2]))?.id).toBe(ids[2])
  })

  it("are refused where the database would round them", async () => {
    const adapter = await openOn(type)
    for (const id of ["9223372036854775808", "18446744073709551615", "100000000000000000000"]) {
      await expect(adapter.linkAccount({ ...account, userId: id })).rejects.toThrow(TypeError)
      await expect(adapter.createSession({ sessionToken: id, userId: id, expires })).rejects.toThrow(TypeError)
      expect(await adapter.getUser(id)).toBeNull()
    }
  })
})

it("an id in a column without a type comes exactly", { tags: ["threat:RC-10"] }, async () => {
  const adapter = await openOn("")
  for (const id of ids) expect((await adapter.getUserByEmail(`${id}@example.test`))?.id).toBe(id)
})
