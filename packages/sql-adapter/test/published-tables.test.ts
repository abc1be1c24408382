/** Tables that the tools behind the adapters of Auth.js make in SQLite, and columns that tables of others demand. */
import { SchemaError, type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { afterAll, describe, expect, it } from "vitest"
import { onSqlite } from "./support/published/all.js"
import { keepsContract } from "./support/published/matrix.js"
import { typeormSqlite } from "./support/published/typeorm.js"
import { temporaryFiles } from "./support/temporary.js"
import { sharesRowsWithTypeorm } from "./support/typeorm-rows.js"

const file = temporaryFiles()
const open: Kysely<unknown>[] = []

afterAll(async () => {
  for (const kysely of open) await kysely.destroy()
})

async function databaseWith(...statements: readonly string[]): Promise<Kysely<unknown>> {
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename: file() }) })
  open.push(kysely)
  for (const statement of statements) await sql.raw(statement).execute(kysely)
  return kysely
}

describe.each(onSqlite.map((it) => [it.tool, it] as const))("the tables of %s in SQLite", (_, published) => {
  keepsContract(published, async () => sqlAdapter(await databaseWith(...published.tables), { names: published.names }))
})

describe("the rows of TypeORM in SQLite", () =>
  sharesRowsWithTypeorm({
    published: typeormSqlite,
    q: (name) => `"${name}"`,
    indicesOf: (table) =>
      `select (select group_concat(name) from pragma_index_info(list.name)) as parts from pragma_index_list('${table}') list`,
    async make(tables) {
      const kysely = await databaseWith(...tables)
      const rows = async (statement: string) =>
        (await sql.raw<Readonly<Record<string, unknown>>>(statement).execute(kysely)).rows
      return {
        rows,
        adapter: (names) => sqlAdapter(kysely, { names }),
        async run(...statements) {
          for (const statement of statements) await rows(statement)
        },
      }
    },
  }))

describe("columns that must be given", () => {
  const user = { id: "1", email: "ada@example.test", emailVerified: null }
  const users = `create table users (id text primary key, name text, email text, "emailVerified" text, image text`
  const adapterWith = async (...statements: readonly string[]): Promise<SqlAdapter> =>
    sqlAdapter(await databaseWith(...statements), { migrate: "auto" })

  it("hold the time of the row when they are called so, and the time of its last change", async () => {
    const adapter = await adapterWith(`${users}, created_at text not null, "updatedAt" datetime not null)`)
    const created = (await adapter.createUser(user)) as unknown as Record<string, string>
    expect(Date.parse(created.created_at as string)).toBeGreaterThan(Date.now() - 60_000)
    expect(created.updatedAt).toBe(created.created_at)
    await new Promise((resolve) => setTimeout(resolve, 5))
    const changed = (await adapter.updateUser({ id: "1", name: "Ada" })) as unknown as Record<string, string>
    expect(changed.created_at).toBe(created.created_at)
    expect(Date.parse(changed.updatedAt as string)).toBeGreaterThan(Date.parse(created.updatedAt as string))
  })

  it("of users keep what the application hands over", async () => {
    const adapter = await adapterWith(`${users}, role text not null, "updatedAt" text not null)`)
    const given: object = { role: "reader", updatedAt: "2020-01-01T00:00:00.000Z" }
    expect(await adapter.createUser({ ...user, ...given })).toMatchObject(given)
    await expect(adapter.createUser({ ...user, id: "2", email: "b@example.test" })).rejects.toThrow("users.role")
  })

  it("of sessions, which nobody can hand over, are named at once", async () => {
    const sessions = `create table sessions ("userId" text not null, expires text not null, "sessionToken" text not null,
      device text not null, "ip address" text not null, seen text not null default 'never')`
    const adapter = await adapterWith(`${users})`, sessions)
    const refused = expect(async () => adapter.listSessionsByUserId("1")).rejects
    await refused.toThrow(SchemaError)
    await refused.toThrow('"sessions" requires a value for "device"')
  })

  it("called id get a new one", async () => {
    const adapter = await adapterWith(
      `${users})`,
      "create table verification_token (id varchar not null primary key, identifier text, token text, expires text)",
    )
    const link = { identifier: "ada@example.test", token: "t", expires: new Date("2099-01-01T00:00:00Z") }
    await adapter.createVerificationToken(link)
    await adapter.createVerificationToken({ ...link, token: "u" })
    expect(await adapter.useVerificationToken(link)).toMatchObject(link)
  })
})
