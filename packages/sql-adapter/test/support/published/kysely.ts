/** The migration on the documentation page of `@auth/kysely-adapter`, and the tables on that of `@auth/pg-adapter`. */
import { foreignMariadb, foreignPostgresql } from "../foreign-tables.js"
import type { PublishedTables } from "./tables.js"

const owner = `"userId" uuid not null references "User" (id) on delete cascade`

export const kyselyPostgresql: Omit<PublishedTables, "impossible"> = {
  tool: "Kysely",
  names: { users: "User", accounts: "Account", sessions: "Session", verificationTokens: "VerificationToken" },
  tables: [
    `create table "User" (id uuid primary key default gen_random_uuid(), name text, email text unique not null,
      "emailVerified" timestamptz, image text)`,
    `create table "Account" (id uuid primary key default gen_random_uuid(), ${owner}, type text not null,
      provider text not null, "providerAccountId" text not null, refresh_token text, access_token text, expires_at bigint,
      token_type text, scope text, id_token text, session_state text)`,
    `create table "Session" (id uuid primary key default gen_random_uuid(), ${owner},
      "sessionToken" text not null unique, expires timestamptz not null)`,
    `create table "VerificationToken" (identifier text not null, token text not null unique, expires timestamptz not null)`,
    `create index "Account_userId_index" on "Account" ("userId")`,
    `create index "Session_userId_index" on "Session" ("userId")`,
  ],
}

export const pgPostgresql: Omit<PublishedTables, "impossible"> = {
  tool: "the adapter for pg",
  names: {},
  tables: foreignPostgresql,
}

/** The same tables with keys that the application chose. */
export const pgWithUuids: Omit<PublishedTables, "impossible"> = {
  tool: "the adapter for pg, with uuid keys",
  names: {},
  tables: foreignPostgresql.map((statement) =>
    statement.replaceAll("id serial", "id uuid default gen_random_uuid()").replaceAll("integer", "uuid"),
  ),
}

/** The like on MySQL. */
export const pgOnMysql: Omit<PublishedTables, "impossible"> = {
  tool: "the adapter for pg, written for MySQL",
  names: {},
  tables: foreignMariadb,
}
