/** The statements that tables which are there still need: printed, and run by somebody else. */
import { type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { afterEach, describe, expect, it } from "vitest"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()
const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const { close } of open.splice(0)) await close()
})

function adapterOn(filename: string): SqlAdapter {
  const adapter = sqlAdapter({ filename }, { migrate: "manual" })
  open.push(adapter)
  return adapter
}

async function run(filename: string, script: string): Promise<void> {
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
  for (const statement of script.split(";\n")) if (statement.trim() !== "") await sql.raw(statement).execute(kysely)
  await kysely.destroy()
}

const users = `create table users (id integer primary key, name text, email text, emailVerified text, image text);
insert into users (id, name, email) values (1, 'Ada', 'ada@app.test');\n`
const accounts = `create table accounts (id integer primary key, userId integer not null, type text, provider text not null,
  providerAccountId text not null, refresh_token text, access_token text, expires_at integer, id_token text, scope text,
  session_state text, token_type text);\n`

describe("what is printed for tables that are there", () => {
  it.each([
    ["nothing yet", ""],
    ["users alone", users],
    ["users and accounts without keys", `${users}${accounts}`],
  ])("brings them up to date when it is run: %s", async (_name, before) => {
    const filename = file()
    await run(filename, before)
    const adapter = adapterOn(filename)
    const printed = await adapter.print()
    expect((await adapter.check()).pending).not.toEqual([])
    await run(filename, printed)
    expect(await adapter.check()).toMatchObject({ pending: [], problems: [] })
    expect(await adapter.print()).toBe("")
    expect(await adapter.migrate()).toEqual([])
    if (before !== "") expect(await adapter.getUserByEmail("ada@app.test")).toMatchObject({ name: "Ada" })
  })

  it("names one index alone where one has gone", async () => {
    const filename = file()
    const adapter = adapterOn(filename)
    await adapter.migrate()
    const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
    const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'index' and
      tbl_name = 'sessions' and sql is not null`.execute(kysely)
    await sql`drop index ${sql.id(rows[0]?.name ?? "")}`.execute(kysely)
    await kysely.destroy()
    const printed = await adapter.print()
    expect(printed.trim().split(";\n")).toHaveLength(1)
    expect(printed).toMatch(/^create (unique )?index [^;]*"sessions"[^;]*;\n$/)
  })

  it("is refused where rows stand in the way, as the migration is", async () => {
    const filename = file()
    await run(filename, `${users}insert into users (id, email) values (2, 'ADA@app.test');\n`)
    await expect(adapterOn(filename).print()).rejects.toThrow(
      '"users": 1 value(s) of (lower(email)) occur in more than',
    )
  })
})
