/** How the tables came to be: numbered steps that may be run again, by several processes at once, or printed. */
import type { CompiledQuery } from "kysely"
import { sql } from "kysely"
import { dialectNamed } from "./dialects/select.js"
import { nothing, readExisting, refuseObstacles } from "./existing.js"
import { type Names, resolveNames, type TableKey } from "./names.js"
import type { Runner } from "./runner.js"
import { schema } from "./schema.js"
import { createTable, type Existing, keys, type Plan } from "./statements.js"

/** Where the steps that were taken are written down. */
const log = "latchkey_migrations"

/** One step. */
interface Migration {
  readonly version: number
  readonly name: string
  /** What must hold before: throws an error that says what to mend. */
  readonly check?: (plan: Plan, runner: Runner, existing: Existing) => Promise<void>
  readonly statements: (plan: Plan, existing: Existing) => CompiledQuery[]
}

const migrations: readonly Migration[] = [
  {
    version: 1,
    name: "tables",
    statements: (plan, existing) => (Object.keys(schema) as TableKey[]).map((key) => createTable(plan, key, existing)),
  },
  { version: 2, name: "keys", check: refuseObstacles, statements: keys },
]

/** The log names the table of users too, so that two sets of tables can live in one database. */
function createLog({ dialect }: Plan): CompiledQuery {
  const text = sql.raw(dialect.definitions.typeOf({ kind: "text", length: 64 }))
  const { tableEnd } = dialect.definitions
  const table = dialect.builder.schema
    .createTable(log)
    .ifNotExists()
    .addColumn("tables", text, (column) => column.notNull())
    .addColumn("version", sql.raw("integer"), (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addPrimaryKeyConstraint(`${log}_pk`, ["tables", "version"])
  return (tableEnd ? table.modifyEnd(sql.raw(tableEnd)) : table).compile()
}

function writeLog({ dialect, names }: Plan, { version, name }: Migration): CompiledQuery {
  const columns = sql.join(["tables", "version", "name"].map((column) => sql.id(column)))
  const values = sql.join([sql.lit(names.table("users")), sql.lit(version), sql.lit(name)])
  return sql`insert into ${sql.table(log)} (${columns}) values (${values})`.compile(dialect.builder)
}

async function stepsTaken(runner: Runner, { dialect, names }: Plan): Promise<Set<number>> {
  const query = sql`select ${sql.id("version")} from ${sql.table(log)} where ${sql.id("tables")} = ${names.table("users")}`
  return new Set((await runner.read(query.compile(dialect.builder))).map((row) => Number(row.version)))
}

async function take(runner: Runner, plan: Plan, migration: Migration): Promise<void> {
  const existing = await readExisting(plan, runner)
  await migration.check?.(plan, runner, existing)
  for (const statement of migration.statements(plan, existing)) await runner.write(statement)
  await runner.write(writeLog(plan, migration))
}

/**
 * Takes the steps that have not been taken and names them. Of several processes one works, the others wait and find the
 * work done. All or nothing, where the database can do that with tables; else every step can be taken up where it ended.
 */
export function migrate(runner: Runner, plan: Plan): Promise<string[]> {
  return runner.locked(
    log,
    async (within) => {
      await within.write(createLog(plan))
      const done = await stepsTaken(within, plan)
      const pending = migrations.filter(({ version }) => !done.has(version))
      for (const migration of pending) await take(within, plan, migration)
      return pending.map(({ version, name }) => `${version} ${name}`)
    },
    { isSlow: true },
  )
}

/** Are there steps that have not been taken? Reads only. */
export async function isPending(runner: Runner, plan: Plan): Promise<boolean> {
  if ((await runner.read(plan.dialect.columnsOf(log))).length === 0) return true
  const done = await stepsTaken(runner, plan)
  return migrations.some(({ version }) => !done.has(version))
}

/** What to print. */
export interface PrintOptions {
  /** `sqlite`, `postgresql` or `mysql` (MariaDB, too). @default "sqlite" */
  readonly dialect?: string
  readonly names?: Names
}

/** All steps as SQL, for those who run their own migrations. For new tables: what exists is known to `migrate` alone. */
export function printMigrations({ dialect = "sqlite", names = {} }: PrintOptions = {}): string {
  const plan: Plan = { dialect: dialectNamed(dialect), names: resolveNames(names) }
  const steps = migrations.map((migration) => [
    `-- ${migration.version} ${migration.name}`,
    ...[...migration.statements(plan, nothing), writeLog(plan, migration)].map((query) => `${query.sql};`),
  ])
  return [[`${createLog(plan).sql};`], ...steps]
    .map((lines) => lines.join("\n"))
    .join("\n\n")
    .concat("\n")
}
