/** The statements that make tables, keys and indices. */
import type { CompiledQuery } from "kysely"
import { sql } from "kysely"
import type { Column, DeclaredType, OwnerKey, SqlDialect } from "./dialects/dialect.js"
import type { ResolvedNames, TableKey } from "./names.js"
import { type ColumnPlan, indices, primaryKeys, schema, uniqueKeys } from "./schema.js"

/** For which database, and under which names. */
export interface Plan {
  readonly dialect: SqlDialect
  readonly names: ResolvedNames
}

/** What is there already. For what is printed, nothing is. */
export interface Existing {
  /** The type of the users' key, where there are users. */
  readonly userId?: DeclaredType
  /** Names of indices, for databases that cannot pass over them. */
  readonly indices: ReadonlySet<string>
  /** Tables with a foreign key to the users. */
  readonly owned: ReadonlySet<TableKey>
  /** Columns of the tables by members, where the database says how they compare. */
  readonly columns: ReadonlyMap<TableKey, ReadonlyMap<string, Column>>
}

/** The tables whose rows belong to a user. */
export const ownedTables: readonly TableKey[] = ["accounts", "sessions", "authenticators"]

export function createTable(
  { dialect, names }: Plan,
  key: TableKey,
  { userId }: Pick<Existing, "userId">,
): CompiledQuery {
  const { definitions } = dialect
  const plans: [string, ColumnPlan][] = Object.entries(schema[key])
  const start = dialect.builder.schema.createTable(names.table(key)).ifNotExists()
  const withColumns = plans.reduce((table, [member, plan]) => {
    const type = plan.ownedByUser && userId ? userId : definitions.typeOf(plan)
    return table.addColumn(names.column(key, member), sql.raw(type), (column) =>
      plan.required ? column.notNull() : column,
    )
  }, start)
  const primary = primaryKeys[key].map((member) => names.column(key, member))
  const withKey = withColumns.addPrimaryKeyConstraint(`${names.table(key)}_pk`, primary as never)
  const owner = Object.entries(schema[key]).find(([, plan]: [string, ColumnPlan]) => plan.ownedByUser)?.[0]
  const withOwner = owner
    ? withKey.addForeignKeyConstraint(
        `${names.table(key)}_owner`,
        [names.column(key, owner)] as never,
        names.table("users"),
        [names.column("users", "id")] as never,
        (constraint) => constraint.onDelete("cascade"),
      )
    : withKey
  return (definitions.tableEnd ? withOwner.modifyEnd(sql.raw(definitions.tableEnd)) : withOwner).compile()
}

interface IndexPlan {
  readonly table: TableKey
  readonly members: readonly string[]
  readonly isUnique: boolean
}

function createIndex(plan: Plan, { table: key, members, isUnique }: IndexPlan, existing: Existing): CompiledQuery[] {
  const table = plan.names.table(key)
  const columns = members.map((member) => plan.names.column(key, member))
  const name = `${table}_${columns.join("_")}_${isUnique ? "key" : "idx"}`
  if (existing.indices.has(name)) return []
  const create = plan.dialect.builder.schema.createIndex(name)
  const start = (plan.dialect.definitions.skipsExisting ? create.ifNotExists() : create).on(table).columns(columns)
  return [(isUnique ? start.unique() : start).compile()]
}

function uniqueAddress({ dialect, names }: Plan, existing: Existing): CompiledQuery[] {
  const [table, column] = [names.table("users"), names.column("users", "email")]
  const name = `${table}_${column}_key`
  return existing.indices.has(name) ? [] : dialect.definitions.uniqueAddress(name, table, column)
}

/** The foreign key of a table to the users. */
export function ownerOf({ names }: Plan, key: TableKey): OwnerKey {
  return {
    table: names.table(key),
    column: names.column(key, "userId"),
    users: names.table("users"),
    id: names.column("users", "id"),
  }
}

/** The columns by which rows are found, made to compare exactly. */
function exactColumns({ dialect, names }: Plan, { columns }: Existing): CompiledQuery[] {
  const { makeExact } = dialect.definitions
  if (!makeExact) return []
  const keys = [...uniqueKeys, { table: "users" as const, members: ["email"] }]
  const tokens = { table: "verificationTokens" as const, members: ["identifier", "token"] }
  return [...keys, tokens].flatMap(({ table: key, members }) =>
    members.flatMap((member) => {
      const column = columns.get(key)?.get(member)
      const plan = (schema[key] as Readonly<Record<string, ColumnPlan>>)[member]
      const change = column && plan && makeExact({ table: names.table(key), column, plan })
      return change ?? []
    }),
  )
}

/** Unique keys, indices, and the foreign keys that existing tables lack. */
export function keys(plan: Plan, existing: Existing): CompiledQuery[] {
  const { addOwner } = plan.dialect.definitions
  const ownerless = addOwner ? ownedTables.filter((key) => !existing.owned.has(key)) : []
  return [
    ...exactColumns(plan, existing),
    ...uniqueAddress(plan, existing),
    ...uniqueKeys.flatMap((key) => createIndex(plan, { ...key, isUnique: true }, existing)),
    ...indices.flatMap((index) => createIndex(plan, { ...index, isUnique: false }, existing)),
    ...ownerless.map((key) => addOwner?.(ownerOf(plan, key)) as CompiledQuery),
  ]
}
