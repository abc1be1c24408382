/** The adapter keeps the whole contract: on a file, in memory, on tables made by others, with plain tokens. */
import { contractCases, runCase } from "@latchkey/adapter-contract"
import { type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { afterAll, beforeAll, describe, it } from "vitest"
import { temporaryFiles } from "./support/temporary.js"
import { titled } from "./support/titled.js"

const file = temporaryFiles()

/** The tables of `@auth/pg-adapter`, as SQLite has them: integer ids, no keys, no authenticators. */
const foreignTables = [
  `create table users (id integer primary key autoincrement, name varchar(255), email varchar(255), "emailVerified" timestamptz, image text)`,
  `create table accounts (id integer primary key autoincrement, "userId" integer not null, type varchar(255) not null,
    provider varchar(255) not null, "providerAccountId" varchar(255) not null, refresh_token text, access_token text,
    expires_at bigint, id_token text, scope text, session_state text, token_type text)`,
  `create table sessions (id integer primary key autoincrement, "userId" integer not null, expires timestamptz not null,
    "sessionToken" varchar(255) not null)`,
  `create table verification_token (identifier text not null, expires timestamptz not null, token text not null,
    primary key (identifier, token))`,
]

/** Tables of another library: other names, times as milliseconds in integer columns. */
const renamedTables = [
  `create table "User" (id text primary key, name text, mail text, email_verified integer, image text)`,
  `create table "Session" (session_token text primary key, "userId" text not null, expires integer not null)`,
]

async function withTables(statements: readonly string[]): Promise<Kysely<unknown>> {
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename: file() }) })
  for (const statement of statements) await sql.raw(statement).execute(kysely)
  return kysely
}

const settings: readonly { on: string; make: () => SqlAdapter | Promise<SqlAdapter> }[] = [
  { on: "a file", make: () => sqlAdapter({ filename: file() }) },
  { on: "memory", make: () => sqlAdapter({ filename: ":memory:" }) },
  { on: "a file with plain session tokens", make: () => sqlAdapter({ filename: file() }, { sessionTokens: "plain" }) },
  {
    on: "a Kysely instance",
    make: async () => sqlAdapter(await withTables([]), { migrate: "auto" }),
  },
  {
    on: "existing tables with integer ids",
    make: async () => sqlAdapter(await withTables(foreignTables), { migrate: "auto" }),
  },
  {
    on: "existing tables with other names and integer times",
    make: async () =>
      sqlAdapter(await withTables(renamedTables), {
        migrate: "auto",
        names: {
          users: { table: "User", columns: { email: "mail", emailVerified: "email_verified" } },
          accounts: "Account",
          sessions: { table: "Session", columns: { sessionToken: "session_token" } },
          verificationTokens: "VerificationToken",
          authenticators: "Authenticator",
        },
      }),
  },
]

describe.each(settings)(
  "the SQL adapter on $on [RC-01] [RC-10] [RC-18] [FD-20] [FD-21] [EM-093] [EM-094] [FD-22] [FD-23] [A-009] [A-010] [A-026] [A-036] [A-044] [A-147] [A-183]",
  ({ make }) => {
    let adapter: SqlAdapter
    beforeAll(async () => {
      adapter = await make()
    })
    afterAll(async () => {
      await adapter.close()
      await adapter.kysely.destroy()
    })

    it.each(titled(contractCases))("%s", (_, contractCase) => runCase(contractCase, adapter))
  },
)

// A test for each case: in one for all of them a busy machine would use up its time.
describe("the SQL adapter on a new database", () => {
  it.each(titled(contractCases))("%s", async (_, contractCase) => {
    const adapter = sqlAdapter({ filename: ":memory:" })
    await runCase(contractCase, adapter).finally(() => adapter.close())
  })
})
