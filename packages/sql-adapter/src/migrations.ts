/** How the tables came to be: numbered steps that may be run again, by several processes at once, or printed. */
import type { CompiledQuery } from "kysely"
import { sql } from "kysely"
import type { Row, SqlDialect } from "./dialects/dialect.js"
import { dialectNamed } from "./dialects/select.js"
import { SchemaError } from "./layout.js"
import { type Names, type ResolvedNames, resolveNames, type TableKey } from "./names.js"
import type { Runner } from "./runner.js"
import { type ColumnPlan, indices, primaryKeys, schema, uniqueKeys } from "./schema.js"

/** Where the steps that were taken are written down. */
const log = "latchkey_migrations"

interface Plan {
  readonly dialect: SqlDialect
  readonly names: ResolvedNames
}

/** One step. */
interface Migration {
  readonly version: number
  readonly name: string
  /** What must hold before: throws an error that says what to mend. */
  readonly check?: (plan: Plan, runner: Runner) => Promise<void>
  readonly statements: (plan: Plan) => CompiledQuery[]
}

function createTable({ dialect, names }: Plan, key: TableKey): CompiledQuery {
  const plans: [string, ColumnPlan][] = Object.entries(schema[key])
  const start = dialect.builder.schema.createTable(names.table(key)).ifNotExists()
  const withColumns = plans.reduce(
    (table, [member, { kind, required, ownedByUser }]) =>
      table.addColumn(names.column(key, member), sql.raw(dialect.types[kind]), (column) => {
        const owned = ownedByUser
          ? column.references(`${names.table("users")}.${names.column("users", "id")}`).onDelete("cascade")
          : column
        return required ? owned.notNull() : owned
      }),
    start,
  )
  const primary = primaryKeys[key].map((member) => names.column(key, member))
  return withColumns.addPrimaryKeyConstraint(`${names.table(key)}_pk`, primary as never).compile()
}

function createIndex(
  plan: Plan,
  index: { table: TableKey; members: readonly string[] },
  unique: boolean,
): CompiledQuery {
  const table = plan.names.table(index.table)
  const columns = index.members.map((member) => plan.names.column(index.table, member))
  const name = `${table}_${columns.join("_")}_${unique ? "key" : "idx"}`
  const start = plan.dialect.builder.schema.createIndex(name).ifNotExists().on(table).columns(columns)
  return (unique ? start.unique() : start).compile()
}

function uniqueAddress({ dialect, names }: Plan): CompiledQuery {
  const [table, column] = [names.table("users"), names.column("users", "email")]
  return dialect.uniqueAddress(`${table}_${column}_key`, table, column)
}

/** Existing rows that share what must be unique. Values are counted, never shown. */
async function refuseDuplicates({ dialect, names }: Plan, runner: Runner): Promise<void> {
  const keys = uniqueKeys.map(({ table, members }) => ({
    table: names.table(table),
    columns: members.map((member) => sql.ref(names.column(table, member))),
    shown: members.map((member) => names.column(table, member)).join(", "),
    where: sql`true`,
  }))
  const email = sql.ref(names.column("users", "email"))
  const address = { columns: [sql`lower(${email})`], shown: `lower(${names.column("users", "email")})` }
  keys.push({ table: names.table("users"), ...address, where: sql`${email} <> ''` } as never)
  const problems: string[] = []
  for (const { table, columns, shown, where } of keys) {
    const list = sql.join(columns)
    const query = sql<Row>`select count(*) as count from (
      select 1 from ${sql.table(table)} where ${where} group by ${list} having count(*) > 1) as duplicates`
    const [row] = await runner.read(query.compile(dialect.builder))
    const count = Number(row?.count ?? 0)
    if (count > 0) problems.push(`"${table}": ${count} value(s) of (${shown}) stand in more than one row`)
  }
  if (problems.length > 0) throw new SchemaError(`Unique keys cannot be added. ${problems.join("; ")}.`)
}

const migrations: readonly Migration[] = [
  {
    version: 1,
    name: "tables",
    statements: (plan) => (Object.keys(schema) as TableKey[]).map((key) => createTable(plan, key)),
  },
  {
    version: 2,
    name: "keys",
    check: refuseDuplicates,
    statements: (plan) => [
      uniqueAddress(plan),
      ...uniqueKeys.map((key) => createIndex(plan, key, true)),
      ...indices.map((index) => createIndex(plan, index, false)),
    ],
  },
]

/** The log names the table of users too, so that two sets of tables can live in one database. */
function createLog({ dialect }: Plan): CompiledQuery {
  const type = sql.raw(dialect.types.text)
  return dialect.builder.schema
    .createTable(log)
    .ifNotExists()
    .addColumn("tables", type, (column) => column.notNull())
    .addColumn("version", sql.raw(dialect.types.integer), (column) => column.notNull())
    .addColumn("name", type, (column) => column.notNull())
    .addPrimaryKeyConstraint(`${log}_pk`, ["tables", "version"])
    .compile()
}

function writeLog({ dialect, names }: Plan, { version, name }: Migration): CompiledQuery {
  const values = sql.join([sql.lit(names.table("users")), sql.lit(version), sql.lit(name)])
  return sql`insert into ${sql.table(log)} (tables, version, name) values (${values})`.compile(dialect.builder)
}

/** Takes the steps that have not been taken, all or none, and names them. */
export function migrate(runner: Runner, plan: Plan): Promise<string[]> {
  // The transaction holds the write lock: of several processes one works, the others find the work done.
  return runner.atomically(async (within) => {
    await within.write(createLog(plan))
    const query = sql`select version from ${sql.table(log)} where tables = ${plan.names.table("users")}`
    const done = new Set((await within.read(query.compile(plan.dialect.builder))).map((row) => Number(row.version)))
    const pending = migrations.filter(({ version }) => !done.has(version))
    for (const migration of pending) {
      await migration.check?.(plan, within)
      for (const statement of migration.statements(plan)) await within.write(statement)
      await within.write(writeLog(plan, migration))
    }
    return pending.map(({ version, name }) => `${version} ${name}`)
  })
}

/** Are there steps that have not been taken? Reads only. */
export async function isPending(runner: Runner, plan: Plan): Promise<boolean> {
  if ((await runner.read(plan.dialect.columnsOf(log))).length === 0) return true
  const query = sql`select version from ${sql.table(log)} where tables = ${plan.names.table("users")}`
  const done = new Set((await runner.read(query.compile(plan.dialect.builder))).map((row) => Number(row.version)))
  return migrations.some(({ version }) => !done.has(version))
}

/** What to print. */
export interface PrintOptions {
  /** @default "sqlite" */
  readonly dialect?: string
  readonly names?: Names
}

/** All steps as SQL, for those who run their own migrations. */
export function printMigrations({ dialect = "sqlite", names = {} }: PrintOptions = {}): string {
  const plan: Plan = { dialect: dialectNamed(dialect), names: resolveNames(names) }
  const steps = migrations.map((migration) => [
    `-- ${migration.version} ${migration.name}`,
    ...[...migration.statements(plan), writeLog(plan, migration)].map((query) => `${query.sql};`),
  ])
  return [[`${createLog(plan).sql};`], ...steps]
    .map((lines) => lines.join("\n"))
    .join("\n\n")
    .concat("\n")
}
