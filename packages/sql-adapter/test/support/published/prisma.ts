/** What Prisma Migrate makes of the documented schemas: of next-auth 4 (Prisma 2.26 to 4) and of Auth.js 5 (Prisma 5 to 7). */
import type { Names } from "@latchkey/sql-adapter"
import {
  type Impossible,
  narrow,
  narrowCredentials,
  oneEmpty,
  type PublishedTables,
  shortCounters,
  shortTimes,
  shortWhole,
} from "./tables.js"

const names: Names = {
  users: "User",
  accounts: "Account",
  sessions: "Session",
  verificationTokens: "VerificationToken",
  authenticators: "Authenticator",
}

/** How a server writes what both schemas say. */
interface Types {
  readonly text: string
  readonly long: string
  readonly time: string
  readonly integer: string
  readonly boolean: string
  /** The primary key of one column or of several. */
  readonly end: string
  readonly q: (name: string) => string
}

const postgresql: Types = {
  text: "text",
  long: "text",
  time: "timestamp(3)",
  integer: "integer",
  boolean: "boolean",
  end: "",
  q: (name) => `"${name}"`,
}
const mysql: Types = {
  text: "varchar(191)",
  long: "text",
  time: "datetime(3)",
  integer: "integer",
  boolean: "boolean",
  end: " default character set utf8mb4 collate utf8mb4_unicode_ci",
  q: (name) => `\`${name}\``,
}
const sqlite: Types = { ...postgresql, time: "datetime" }

const stamps = ({ time, q }: Types): string => {
  const now = time === "datetime" ? "current_timestamp" : `current_timestamp${time.includes("datetime") ? "(3)" : ""}`
  return `${q("createdAt")} ${time} not null default ${now}, ${q("updatedAt")} ${time} not null`
}

/** Prisma makes foreign keys with the tables on SQLite, and afterwards elsewhere: the same to us. */
const owner = ({ q }: Types, table: string): string =>
  `constraint ${q(`${table}_userId_fkey`)} foreign key (${q("userId")}) references ${q("User")} (${q("id")})
    on delete cascade on update cascade`

const index = ({ q }: Types, table: string, ...columns: readonly string[]): string =>
  `create unique index ${q(`${table}_${columns.join("_")}_key`)} on ${q(table)} (${columns.map(q).join(", ")})`

const tokens = ({ text, long, integer, q }: Types): string =>
  `${q("type")} ${text} not null, ${q("provider")} ${text} not null, ${q("providerAccountId")} ${text} not null,
    ${q("refresh_token")} ${long}, ${q("access_token")} ${long}, ${q("expires_at")} ${integer}, ${q("token_type")} ${text},
    ${q("scope")} ${text}, ${q("id_token")} ${long}, ${q("session_state")} ${text}`

function five(types: Types): readonly string[] {
  const { text, time, integer, boolean, end, q } = types
  return [
    `create table ${q("User")} (${q("id")} ${text} not null, ${q("name")} ${text}, ${q("email")} ${text} not null,
      ${q("emailVerified")} ${time}, ${q("image")} ${text}, ${stamps(types)}, primary key (${q("id")}))${end}`,
    `create table ${q("Account")} (${q("userId")} ${text} not null, ${tokens(types)}, ${stamps(types)},
      primary key (${q("provider")}, ${q("providerAccountId")}), ${owner(types, "Account")})${end}`,
    `create table ${q("Session")} (${q("sessionToken")} ${text} not null, ${q("userId")} ${text} not null,
      ${q("expires")} ${time} not null, ${stamps(types)}, ${owner(types, "Session")})${end}`,
    `create table ${q("VerificationToken")} (${q("identifier")} ${text} not null, ${q("token")} ${text} not null,
      ${q("expires")} ${time} not null, primary key (${q("identifier")}, ${q("token")}))${end}`,
    `create table ${q("Authenticator")} (${q("credentialID")} ${text} not null, ${q("userId")} ${text} not null,
      ${q("providerAccountId")} ${text} not null, ${q("credentialPublicKey")} ${text} not null, ${q("counter")} ${integer} not null,
      ${q("credentialDeviceType")} ${text} not null, ${q("credentialBackedUp")} ${boolean} not null, ${q("transports")} ${text},
      primary key (${q("userId")}, ${q("credentialID")}), ${owner(types, "Authenticator")})${end}`,
    index(types, "User", "email"),
    index(types, "Session", "sessionToken"),
    index(types, "Authenticator", "credentialID"),
  ]
}

function four(types: Types): readonly string[] {
  const { text, time, end, q } = types
  const id = `${q("id")} ${text} not null primary key`
  return [
    `create table ${q("User")} (${id}, ${q("name")} ${text}, ${q("email")} ${text}, ${q("emailVerified")} ${time},
      ${q("image")} ${text})${end}`,
    `create table ${q("Account")} (${id}, ${q("userId")} ${text} not null, ${tokens(types)}, ${owner(types, "Account")})${end}`,
    `create table ${q("Session")} (${id}, ${q("sessionToken")} ${text} not null, ${q("userId")} ${text} not null,
      ${q("expires")} ${time} not null, ${owner(types, "Session")})${end}`,
    `create table ${q("VerificationToken")} (${q("identifier")} ${text} not null, ${q("token")} ${text} not null,
      ${q("expires")} ${time} not null)${end}`,
    index(types, "User", "email"),
    index(types, "Account", "provider", "providerAccountId"),
    index(types, "Session", "sessionToken"),
    index(types, "VerificationToken", "token"),
    index(types, "VerificationToken", "identifier", "token"),
  ]
}

const withFive = (types: Types, impossible: Impossible): PublishedTables => ({
  tool: "Prisma, the schema of Auth.js 5",
  names,
  tables: five(types),
  impossible,
})

const withFour = (types: Types, impossible: Impossible): PublishedTables => ({
  tool: "Prisma, the schema of next-auth 4",
  names,
  tables: four(types),
  impossible,
})

const short = { ...shortTimes, ...shortWhole }

export const prismaPostgresql: readonly [PublishedTables, ...PublishedTables[]] = [
  withFive(postgresql, { ...short, ...shortCounters, ...oneEmpty }),
  withFour(postgresql, short),
]
export const prismaMysql: readonly [PublishedTables, ...PublishedTables[]] = [
  withFive(mysql, { ...shortTimes, ...shortCounters, ...narrow, ...narrowCredentials, ...oneEmpty }),
  withFour(mysql, { ...shortTimes, ...narrow }),
]
export const prismaSqlite: readonly [PublishedTables, ...PublishedTables[]] = [
  withFive(sqlite, oneEmpty),
  withFour(sqlite, {}),
]
