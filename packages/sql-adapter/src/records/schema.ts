/** The table of records: what it holds, and whether it is what it must be. */
import { type CompiledQuery, sql } from "kysely"
import type { Column, IndexFound, Row } from "../dialects/dialect.js"
import { columnsFound, SchemaError, type TableLayout } from "../layout.js"
import { type ResolvedNames, shortened } from "../names.js"
import type { ColumnPlan } from "../schema.js"
import type { Plan } from "../statements.js"

interface RecordColumn {
  readonly name: string
  readonly plan: ColumnPlan
}

const text = (length?: number): ColumnPlan => ({
  kind: "text",
  required: true,
  ...(length === undefined ? {} : { length }),
})

// biome-ignore format: a table, each row stays on one line
/** The columns by the members they hold. Instants are milliseconds since 1970: no zone of a connection can bend them. */
const columns = {
  kind:    { name: "kind",    plan: text(32) },
  key:     { name: "key",     plan: text(64) },
  userId:  { name: "user_id", plan: { kind: "text", length: 640 } },
  value:   { name: "value",   plan: text() },
  sum:     { name: "sum",     plan: { kind: "integer" } },
  version: { name: "version", plan: { kind: "integer", required: true } },
  expires: { name: "expires", plan: { kind: "integer", required: true } },
} as const satisfies Readonly<Record<string, RecordColumn>>

const primaryKey = [columns.kind.name, columns.key.name] as const
const indices: readonly (readonly string[])[] = [[columns.userId.name, columns.kind.name], [columns.expires.name]]

/** The statements that make the table, but for indices that are there. Keys are ordered by the codes of their characters. */
export function createRecords({ dialect, names }: Plan, found: readonly IndexFound[]): CompiledQuery[] {
  const { definitions, builder } = dialect
  const bare = names.bareRecords
  const start = builder.schema.createTable(names.records).ifNotExists()
  const withColumns = Object.values(columns).reduce((table, { name, plan }: RecordColumn) => {
    const isOrdered = (primaryKey as readonly string[]).includes(name)
    const type = `${definitions.typeOf(plan)}${isOrdered ? (definitions.byCode ?? "") : ""}`
    return table.addColumn(name, sql.raw(type), (column) => (plan.required ? column.notNull() : column))
  }, start)
  const table = withColumns.addPrimaryKeyConstraint(shortened(`${bare}_pk`), [...primaryKey] as never)
  const made = indices
    .filter((index) => !hasIndex(found, index))
    .map((index) => {
      const create = builder.schema.createIndex(shortened(`${bare}_${index.join("_")}_idx`))
      return (definitions.skipsExisting ? create.ifNotExists() : create)
        .on(names.records)
        .columns([...index])
        .compile()
    })
  return [(definitions.tableEnd ? table.modifyEnd(sql.raw(definitions.tableEnd)) : table).compile(), ...made]
}

const hasIndex = (found: readonly IndexFound[], wanted: readonly string[]): boolean =>
  found.some(
    ({ isValid, parts, condition }) => isValid && condition === "" && wanted.every((name, at) => parts[at] === name),
  )

/** What is missing, as sentences without their full stop. */
export function lacksOfRecords({ names }: Plan, rows: readonly Row[], found: readonly IndexFound[]): string[] {
  if (rows.length === 0) return [`there is no table "${names.records}"`]
  return indices
    .filter((index) => !hasIndex(found, index))
    .map((index) => `"${names.records}" has no index on (${index.join(", ")})`)
}

/** The table as it is: an error that names what is missing where it cannot be used. */
export function layoutOfRecords({ records: table }: ResolvedNames, rows: readonly Row[]): TableLayout | SchemaError {
  const found = columnsFound(rows)
  if (found.size === 0) return new SchemaError(`There is no table "${table}". Run the migrations.`)
  const layout = new Map<string, Column>()
  for (const [member, { name, plan }] of Object.entries(columns)) {
    const column = found.get(name)
    if (!column) {
      return new SchemaError(
        `The table "${table}" has no column "${name}": it is not the table of records. Give that one another name with \`names.records\`.`,
      )
    }
    // The sum of a counter is part of no record.
    if (member === "sum") continue
    const isTime = member === "expires"
    layout.set(member, { ...column, kind: isTime ? "time" : plan.kind, ...(isTime && { holdsMilliseconds: true }) })
  }
  return { table, columns: layout, hasAddressKey: false, supplies: [] }
}
