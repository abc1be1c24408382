/** Tables of SQLite whose columns take different texts for the same: each is found by its own text alone. */
import { type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { CompiledQuery, Kysely, type LogEvent, sql } from "kysely"
import { afterAll, describe, expect, it } from "vitest"
import { account, ada, expires } from "./support/people.js"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()
const closing: (() => Promise<unknown>)[] = []

afterAll(async () => {
  for (const close of closing) await close()
})

/** Tables whose keys have this type, and whose names have the other one. */
const tables = (type: string, named: string): string[] => [
  `create table users (id text primary key, name ${named}, email ${type} unique, "emailVerified" text, image text)`,
  `create table accounts (id text primary key, "userId" text not null, type text not null, provider text not null,
    "providerAccountId" ${type} not null, refresh_token text, access_token text, expires_at integer, id_token text,
    scope text, session_state text, token_type text, unique (provider, "providerAccountId"))`,
  `create table sessions (id text primary key, "userId" text not null, expires text not null,
    "sessionToken" ${type} not null unique)`,
]

async function openOn(
  type: string,
  named = "text",
): Promise<{ adapter: SqlAdapter; kysely: Kysely<unknown>; seen: CompiledQuery[] }> {
  const seen: CompiledQuery[] = []
  const log = ({ query }: LogEvent): void => void seen.push(query)
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename: file() }), log })
  closing.push(() => kysely.destroy())
  for (const statement of tables(type, named)) await sql.raw(statement).execute(kysely)
  const adapter = sqlAdapter(kysely, { migrate: "auto" })
  await adapter.getUser("1")
  return { adapter, kysely, seen }
}

describe("a key of SQLite is found by its own text alone", { tags: ["threat:FD-21"] }, () => {
  it.each([
    ["text collate nocase", "jose", ["JOSE", "Jose"]],
    ["text collate rtrim", "jose", ["jose ", "jose  "]],
    ["varchar(40) COLLATE NOCASE", "jose", ["JOSE"]],
    ["string", "1234", ["01234", "1234.0", " 1234", "1.234e3", "+1234", "1234 "]],
    ["numeric", "9007199254740993", ["9007199254740993.0", "09007199254740993"]],
    ["integer", "9007199254740993", ["+9007199254740993", "9007199254740992"]],
    ["integer collate nocase", "1234", ["01234"]],
    ["string collate nocase", "jose", ["JOSE"]],
    ["string collate nocase", "1234", ["01234"]],
    ["real", "1234", ["1234.0", "01234", "9007199254740993"]],
  ])("%s: %j", async (type, stored, others) => {
    const { adapter } = await openOn(type)
    await adapter.createUserWithAccount(ada, { ...account, providerAccountId: stored })
    const find = (providerAccountId: string) => adapter.getUserByAccount({ ...account, providerAccountId })
    expect((await find(stored))?.id).toBe(ada.id)
    for (const other of others) {
      expect(await find(other), other).toBeNull()
      expect(await adapter.getAccount(other, account.provider), other).toBeNull()
      expect(await adapter.unlinkAccount({ ...account, providerAccountId: other }), other).toBeUndefined()
    }
    const [read] = await adapter.listAccountsByUserId(ada.id)
    expect(String(read?.providerAccountId)).toBe(stored)
  })

  it.each([
    ["string", ["01234", "1234.0", " 1234", "1.234e3", "9223372036854775808", "-0", ".5"]],
    ["integer", ["+1234", "9223372036854775808"]],
    ["real", ["9007199254740993", "1.5"]],
  ])("%s: what would be stored as another text is refused", async (type, others) => {
    const { adapter } = await openOn(type)
    for (const providerAccountId of others) {
      await expect(adapter.createUserWithAccount(ada, { ...account, providerAccountId })).rejects.toThrow(TypeError)
    }
    expect(await adapter.getUser(ada.id)).toBeNull()
    await adapter.createUserWithAccount(ada, { ...account, providerAccountId: "jose" })
    expect(await adapter.getUserByAccount({ ...account, providerAccountId: "jose" })).toMatchObject({ id: ada.id })
  })

  it.each([
    ["007", "7"],
    ["12.5", "12.5"],
    [" 42 ", "42"],
    ["9223372036854775808", "9.22337203685478e+18"],
    ["Ada", "Ada"],
  ])("while a text no row is found by is kept as the table keeps it: a person named %j", async (name, read) => {
    const { adapter } = await openOn("string", "string")
    await adapter.createUserWithAccount({ ...ada, name }, account)
    expect(await adapter.getUserByAccount(account)).toMatchObject({ id: ada.id, name: read })
    await adapter.updateUser({ id: ada.id, name: "0042" })
    expect(await adapter.getUser(ada.id)).toMatchObject({ id: ada.id, name: "42" })
  })

  it("a token and an address", async () => {
    const { adapter, kysely } = await openOn("text collate nocase")
    await adapter.createUser({ ...ada, email: "Ada@example.test" })
    const plain = sqlAdapter(kysely, { sessionTokens: "plain" })
    await plain.createSession({ sessionToken: "abc", userId: ada.id, expires })
    expect((await plain.getSessionAndUser("abc"))?.user.id).toBe(ada.id)
    expect(await plain.getSessionAndUser("ABC")).toBeNull()
    expect(await plain.deleteSession("ABC")).toBeNull()
    expect(await adapter.getUserByEmail("ada@example.test")).toBeNull()
    expect((await adapter.getUserByEmail("Ada@example.test"))?.id).toBe(ada.id)
    expect((await adapter.check()).notes).toEqual([expect.stringContaining("1 address(es) with capitals")])
  })

  it("by way of the index, and with a second comparison only where the first is loose", async () => {
    for (const type of ["text", "text collate nocase", "string"]) {
      const { adapter, kysely, seen } = await openOn(type)
      seen.length = 0
      await adapter.getUserByAccount({ ...account, providerAccountId: "1234" })
      await adapter.getSessionAndUser("s")
      expect(seen).toHaveLength(2)
      for (const query of [...seen]) {
        expect(query.sql.includes("collate binary")).toBe(type.includes("collate"))
        const plan = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])
        const { rows } = await kysely.executeQuery<{ detail: string }>(plan)
        expect(rows.filter(({ detail }) => detail.startsWith("SCAN"))).toEqual([])
      }
    }
  })
})
