/** The names of tables and columns. Names go into SQL as they are, so each is checked first. */
import { hash } from "node:crypto"

/** The members of each table, under the names the service uses. */
// biome-ignore format: a table, each row stays on one line
export const members = {
  users:              ["id", "name", "email", "emailVerified", "image"],
  accounts:           ["id", "userId", "type", "provider", "providerAccountId", "refresh_token", "access_token", "expires_at", "id_token", "scope", "session_state", "token_type"],
  sessions:           ["id", "userId", "expires", "sessionToken"],
  verificationTokens: ["identifier", "token", "expires"],
  authenticators:     ["credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter", "credentialDeviceType", "credentialBackedUp", "transports"],
} as const

/** The five tables. */
export type TableKey = keyof typeof members

/** The members of one table. */
export type Member<T extends TableKey> = (typeof members)[T][number]

/** Your own names, where they differ from the defaults: of the table alone, or of columns too. */
export type Names = {
  readonly [T in TableKey]?:
    | string
    | { readonly table?: string; readonly columns?: { readonly [M in Member<T>]?: string } }
} & {
  /** The table of records. @default "latchkey_records" */
  readonly records?: string
}

/** Every name, resolved. */
export interface ResolvedNames {
  table(key: TableKey): string
  /** The name of another table of ours, in the same schema. */
  inSchema(name: string): string
  /** The table's own name, for the names of its keys. */
  bare(key: TableKey): string
  /** The table of records, and its own name. */
  readonly records: string
  readonly bareRecords: string
  column(key: TableKey, member: string): string
  /** The names of all columns of a table, by member. */
  columns(key: TableKey): Readonly<Record<string, string>>
}

/** The default table names are those of the PostgreSQL adapter many applications come from. */
export const defaultTables: Readonly<Record<TableKey, string>> = {
  users: "users",
  accounts: "accounts",
  sessions: "sessions",
  verificationTokens: "verification_token",
  authenticators: "authenticators",
}

/** The table of records. */
const defaultRecords = "latchkey_records"

const plainName = /^[A-Za-z_][A-Za-z0-9_$]{0,62}$/

/** Says whether a name may stand in SQL without being able to mean anything else. */
export function isPlainName(name: string): boolean {
  return plainName.test(name)
}

function checkedName(name: unknown, what: string): string {
  if (typeof name === "string" && isPlainName(name)) return name
  throw new TypeError(
    `The name of ${what} must be 1 to 63 letters, digits, "_" or "$", not beginning with a digit; got ${JSON.stringify(name)}.`,
  )
}

function known(key: string, allowed: readonly string[], what: string): void {
  if (!allowed.includes(key)) throw new TypeError(`There is no ${what} "${key}"; there are ${allowed.join(", ")}.`)
}

/** The name of a key: PostgreSQL has room for 63 characters, MySQL for 64. */
export function shortened(name: string): string {
  return name.length <= 63 ? name : `${name.slice(0, 54)}_${hash("sha256", name, "hex").slice(0, 8)}`
}

/** Fills the defaults in and refuses what is no name. */
export function resolveNames(names: Names = {}, schema?: string): ResolvedNames {
  const tables = new Map<string, string>()
  const columns = new Map<string, string>()
  for (const key of Object.keys(names)) known(key, [...Object.keys(members), "records"], "table")
  const bareRecords = checkedName(names.records ?? defaultRecords, 'the table "records"')
  for (const key of Object.keys(members) as TableKey[]) {
    const given = names[key]
    const own = typeof given === "object" ? given : { table: given }
    tables.set(key, checkedName(own.table ?? defaultTables[key], `the table "${key}"`))
    for (const [member, column] of Object.entries(("columns" in own ? own.columns : undefined) ?? {})) {
      known(member, members[key], `column of "${key}"`)
      columns.set(`${key}.${member}`, checkedName(column, `the column "${member}" of "${key}"`))
    }
  }
  const double = [...tables.values(), bareRecords].find((table, index, all) => all.indexOf(table) !== index)
  if (double !== undefined) throw new TypeError(`Two tables have the name "${double}".`)
  const place = schema === undefined ? "" : `${checkedName(schema, "the schema")}.`
  const inSchema = (name: string): string => place + name
  const columnOf = (key: TableKey, member: string): string => columns.get(`${key}.${member}`) ?? member
  return {
    inSchema,
    records: inSchema(bareRecords),
    bareRecords,
    table: (key) => inSchema(tables.get(key) ?? defaultTables[key]),
    bare: (key) => tables.get(key) ?? defaultTables[key],
    column: columnOf,
    columns: (key) => Object.fromEntries(members[key].map((member) => [member, columnOf(key, member)])),
  }
}
