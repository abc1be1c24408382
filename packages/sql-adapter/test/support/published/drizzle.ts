/** What drizzle-kit makes of the tables that `@auth/drizzle-adapter` defines. */
import type { Names } from "@latchkey/sql-adapter"
import type { PublishedTables } from "./tables.js"

const names: Names = {
  users: "user",
  accounts: "account",
  sessions: "session",
  verificationTokens: "verificationToken",
  authenticators: "authenticator",
}

interface Types {
  readonly key: string
  readonly text: string
  readonly long: string
  readonly time: string
  readonly seconds: string
  readonly integer: string
  readonly boolean: string
  readonly q: (name: string) => string
}

const postgresql: Types = {
  key: "text",
  text: "text",
  long: "text",
  time: "timestamp",
  seconds: "timestamp",
  integer: "integer",
  boolean: "boolean",
  q: (name) => `"${name}"`,
}
const mysql: Types = {
  key: "varchar(255)",
  text: "varchar(255)",
  long: "varchar(2048)",
  time: "timestamp(3) null",
  seconds: "timestamp",
  integer: "int",
  boolean: "boolean",
  q: (name) => `\`${name}\``,
}
const sqlite: Types = { ...postgresql, time: "integer", seconds: "integer", boolean: "integer" }

function tables({ key, text, long, time, seconds, integer, boolean, q }: Types): readonly string[] {
  const owner = `foreign key (${q("userId")}) references ${q("user")} (id) on update no action on delete cascade`
  return [
    `create table ${q("user")} (id ${key} primary key not null, name ${text}, email ${key}, ${q("emailVerified")} ${time},
      image ${text}, constraint user_email_unique unique (email))`,
    `create table ${q("account")} (${q("userId")} ${key} not null, ${q("type")} ${text} not null, provider ${key} not null,
      ${q("providerAccountId")} ${key} not null, refresh_token ${text}, access_token ${text}, expires_at ${integer},
      token_type ${text}, scope ${text}, id_token ${long}, session_state ${text},
      constraint account_pk primary key (provider, ${q("providerAccountId")}), ${owner})`,
    `create table ${q("session")} (${q("sessionToken")} ${key} primary key not null, ${q("userId")} ${key} not null,
      expires ${seconds} not null, ${owner})`,
    `create table ${q("verificationToken")} (identifier ${key} not null, token ${key} not null, expires ${seconds} not null,
      constraint token_pk primary key (identifier, token))`,
    `create table ${q("authenticator")} (${q("credentialID")} ${key} not null, ${q("userId")} ${key} not null,
      ${q("providerAccountId")} ${text} not null, ${q("credentialPublicKey")} ${text} not null, counter ${integer} not null,
      ${q("credentialDeviceType")} ${text} not null, ${q("credentialBackedUp")} ${boolean} not null, transports ${text},
      constraint authenticator_pk primary key (${q("userId")}, ${q("credentialID")}),
      constraint ${q("authenticator_credentialID_unique")} unique (${q("credentialID")}), ${owner})`,
  ]
}

const drizzle = (types: Types): Omit<PublishedTables, "impossible"> => ({
  tool: "Drizzle",
  names,
  tables: tables(types),
})

export const drizzlePostgresql = drizzle(postgresql)
export const drizzleMysql = drizzle(mysql)
export const drizzleSqlite = drizzle(sqlite)
