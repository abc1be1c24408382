/** The statement that makes a table, and what is known of tables before it runs. */
import type { CompiledQuery } from "kysely"
import { sql } from "kysely"
import type { Column, DeclaredType, IndexFound, OwnerKey, SqlDialect } from "./dialects/dialect.js"
import { type ResolvedNames, shortened, type TableKey } from "./names.js"
import { type ColumnPlan, primaryKeys, schema } from "./schema.js"

/** For which database, and under which names. */
export interface Plan {
  readonly dialect: SqlDialect
  readonly names: ResolvedNames
}

/** What is there already. */
export interface Existing {
  /** The type of the users' key, where there are users. */
  readonly userId?: DeclaredType
  /** The tables that are there. */
  readonly tables: ReadonlySet<TableKey>
  /** Their indices. */
  readonly indices: ReadonlyMap<TableKey, readonly IndexFound[]>
  /** Names of the database that a new index cannot have, beside those of `indices`. */
  readonly namesBeside?: ReadonlySet<string>
  /** There is a computed column for the unique key on addresses. */
  readonly hasAddressColumn: boolean
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
  const withKey = withColumns.addPrimaryKeyConstraint(shortened(`${names.bare(key)}_pk`), primary as never)
  const owner = Object.entries(schema[key]).find(([, plan]: [string, ColumnPlan]) => plan.ownedByUser)?.[0]
  const withOwner = owner
    ? withKey.addForeignKeyConstraint(
        shortened(`${names.bare(key)}_owner`),
        [names.column(key, owner)] as never,
        names.table("users"),
        [names.column("users", "id")] as never,
        (constraint) => constraint.onDelete("cascade"),
      )
    : withKey
  return (definitions.tableEnd ? withOwner.modifyEnd(sql.raw(definitions.tableEnd)) : withOwner).compile()
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
