/** A migration and the types of its tables, for `@auth/kysely-adapter`. */
import type { Dialect } from "./dialect.js"

interface Grammar {
  readonly id: string
  readonly key: string
  readonly time: string
  readonly number: string
  /** What a column holds when it is read. */
  readonly reads: string
}

const grammars: Readonly<Record<Dialect, Grammar>> = {
  postgresql: {
    id: '"uuid", (column) => column.primaryKey().defaultTo(sql`gen_random_uuid()`)',
    key: '"text"',
    time: '"timestamptz"',
    number: '"bigint"',
    reads: "Date",
  },
  mysql: {
    id: '"varchar(36)", (column) => column.primaryKey().defaultTo(sql`(uuid())`)',
    key: '"varchar(255)"',
    time: "sql`datetime(3)`",
    number: '"bigint"',
    reads: "Date",
  },
  sqlite: {
    id: '"text", (column) => column.primaryKey().defaultTo(sql`(lower(hex(randomblob(16))))`)',
    key: '"text"',
    time: '"text"',
    number: '"integer"',
    reads: "string",
  },
}

const owner = ({ id }: Grammar): string =>
  `.addColumn("userId", ${id.slice(0, id.indexOf(","))}, (column) => column.notNull().references("User.id").onDelete("cascade"))`

function up(grammar: Grammar): string {
  const { id, key, time, number } = grammar
  return `export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("User")
    .addColumn("id", ${id})
    .addColumn("name", "text")
    .addColumn("email", ${key}, (column) => column.unique())
    .addColumn("emailVerified", ${time})
    .addColumn("image", "text")
    .execute()
  await db.schema
    .createTable("Account")
    .addColumn("id", ${id})
    ${owner(grammar)}
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("provider", ${key}, (column) => column.notNull())
    .addColumn("providerAccountId", ${key}, (column) => column.notNull())
    .addColumn("refresh_token", "text")
    .addColumn("access_token", "text")
    .addColumn("expires_at", ${number})
    .addColumn("token_type", "text")
    .addColumn("scope", "text")
    .addColumn("id_token", "text")
    .addColumn("session_state", "text")
    .addUniqueConstraint("Account_provider_key", ["provider", "providerAccountId"])
    .execute()
  await db.schema
    .createTable("Session")
    .addColumn("id", ${id})
    ${owner(grammar)}
    .addColumn("sessionToken", ${key}, (column) => column.notNull().unique())
    .addColumn("expires", ${time}, (column) => column.notNull())
    .execute()
  await db.schema
    .createTable("VerificationToken")
    .addColumn("identifier", ${key}, (column) => column.notNull())
    .addColumn("token", ${key}, (column) => column.notNull().unique())
    .addColumn("expires", ${time}, (column) => column.notNull())
    .execute()
  await db.schema.createIndex("Account_userId").on("Account").column("userId").execute()
  await db.schema.createIndex("Session_userId").on("Session").column("userId").execute()
}`
}

/** The text of a module with the migration, and the types of the tables for `Kysely<Database>`. */
export function kyselySchema(dialect: Dialect): string {
  const grammar = grammars[dialect]
  const { reads } = grammar
  return `/** Tables of the sign-in, for @auth/kysely-adapter: a migration of Kysely, and the types of what it makes. */
import { type Generated, type Kysely, sql } from "kysely"

export interface Database {
  User: {
    id: Generated<string>
    name: string | null
    email: string | null
    emailVerified: ${reads} | null
    image: string | null
  }
  Account: {
    id: Generated<string>
    userId: string
    type: string
    provider: string
    providerAccountId: string
    refresh_token: string | null
    access_token: string | null
    expires_at: number | null
    token_type: string | null
    scope: string | null
    id_token: string | null
    session_state: string | null
  }
  Session: { id: Generated<string>; userId: string; sessionToken: string; expires: ${reads} }
  VerificationToken: { identifier: string; token: string; expires: ${reads} }
}

${up(grammar)}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ["VerificationToken", "Session", "Account", "User"]) await db.schema.dropTable(table).execute()
}
`
}
