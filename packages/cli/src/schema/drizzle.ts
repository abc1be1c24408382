/** Tables for `@auth/drizzle-adapter`, as its types require them. */
import type { Dialect } from "./dialect.js"

/** How each database writes what the tables need. */
interface Grammar {
  readonly module: string
  readonly imports: string
  readonly table: string
  key(name: string): string
  text(name: string): string
  long(name: string): string
  time(name: string): string
  integer(name: string): string
  flag(name: string): string
}

const grammars: Readonly<Record<Dialect, Grammar>> = {
  postgresql: {
    module: "pg-core",
    imports: "boolean, index, integer, pgTable, primaryKey, text, timestamp",
    table: "pgTable",
    key: (name) => `text("${name}")`,
    text: (name) => `text("${name}")`,
    long: (name) => `text("${name}")`,
    time: (name) => `timestamp("${name}", { mode: "date" })`,
    integer: (name) => `integer("${name}")`,
    flag: (name) => `boolean("${name}")`,
  },
  mysql: {
    module: "mysql-core",
    imports: "boolean, index, int, mysqlTable, primaryKey, text, timestamp, varchar",
    table: "mysqlTable",
    // A key of MySQL needs a length, and two of them share 3,072 bytes.
    key: (name) => `varchar("${name}", { length: 255 })`,
    text: (name) => `varchar("${name}", { length: 255 })`,
    long: (name) => `text("${name}")`,
    time: (name) => `timestamp("${name}", { mode: "date", fsp: 3 })`,
    integer: (name) => `int("${name}")`,
    flag: (name) => `boolean("${name}")`,
  },
  sqlite: {
    module: "sqlite-core",
    imports: "index, integer, primaryKey, sqliteTable, text",
    table: "sqliteTable",
    key: (name) => `text("${name}")`,
    text: (name) => `text("${name}")`,
    long: (name) => `text("${name}")`,
    time: (name) => `integer("${name}", { mode: "timestamp_ms" })`,
    integer: (name) => `integer("${name}")`,
    flag: (name) => `integer("${name}", { mode: "boolean" })`,
  },
}

function accounts({ table, key, text, long, integer }: Grammar, owner: string): string {
  return `export const accounts = ${table}(
  "account",
  {
    ${owner}
    type: ${text("type")}.$type<AdapterAccountType>().notNull(),
    provider: ${key("provider")}.notNull(),
    providerAccountId: ${key("providerAccountId")}.notNull(),
    refresh_token: ${long("refresh_token")},
    access_token: ${long("access_token")},
    expires_at: ${integer("expires_at")},
    token_type: ${text("token_type")},
    scope: ${text("scope")},
    id_token: ${long("id_token")},
    session_state: ${text("session_state")},
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.providerAccountId] }),
    index("account_user").on(table.userId),
  ],
)`
}

function authenticators({ table, key, text, integer, flag }: Grammar, owner: string): string {
  return `export const authenticators = ${table}(
  "authenticator",
  {
    credentialID: ${key("credentialID")}.notNull().unique(),
    ${owner}
    providerAccountId: ${text("providerAccountId")}.notNull(),
    credentialPublicKey: ${text("credentialPublicKey")}.notNull(),
    counter: ${integer("counter")}.notNull(),
    credentialDeviceType: ${text("credentialDeviceType")}.notNull(),
    credentialBackedUp: ${flag("credentialBackedUp")}.notNull(),
    transports: ${text("transports")},
  },
  (table) => [primaryKey({ columns: [table.userId, table.credentialID] })],
)`
}

/** The text of a module. */
export function drizzleSchema(dialect: Dialect): string {
  const grammar = grammars[dialect]
  const { imports, module, table, key, text, time } = grammar
  const owner = `userId: ${key("userId")}.notNull().references(() => users.id, { onDelete: "cascade" }),`
  return `/** Tables of the sign-in, for @auth/drizzle-adapter. drizzle-kit makes the migrations. */
import type { AdapterAccountType } from "@latchkey/core/adapters"
import { ${imports} } from "drizzle-orm/${module}"

export const users = ${table}("user", {
  id: ${key("id")}.primaryKey().$defaultFn(() => crypto.randomUUID()),
  name: ${text("name")},
  email: ${key("email")}.unique(),
  emailVerified: ${time("emailVerified")},
  image: ${text("image")},
})

${accounts(grammar, owner)}

export const sessions = ${table}(
  "session",
  {
    sessionToken: ${key("sessionToken")}.primaryKey(),
    ${owner}
    expires: ${time("expires")}.notNull(),
  },
  (table) => [index("session_user").on(table.userId)],
)

export const verificationTokens = ${table}(
  "verificationToken",
  {
    identifier: ${key("identifier")}.notNull(),
    token: ${key("token")}.notNull(),
    expires: ${time("expires")}.notNull(),
  },
  (table) => [primaryKey({ columns: [table.identifier, table.token] })],
)

${authenticators(grammar, owner)}

/** What the adapter takes: DrizzleAdapter(db, authTables). */
export const authTables = {
  usersTable: users,
  accountsTable: accounts,
  sessionsTable: sessions,
  verificationTokensTable: verificationTokens,
  authenticatorsTable: authenticators,
}
`
}
