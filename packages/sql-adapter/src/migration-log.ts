/** The log of the migration steps that ran. The tables themselves show what is missing; the log records what was done. */
import { hash } from "node:crypto"
import type { CompiledQuery } from "kysely"
import { sql } from "kysely"
import { defaultTables, type TableKey } from "./names.js"
import type { Runner } from "./runner.js"
import type { Plan } from "./statements.js"

/** The table of the log, and the name of the lock that whoever works on the tables holds. */
export const log = "latchkey_migrations"

/** A step, as the log knows it. */
export interface Step {
  readonly version: number
  readonly name: string
}

/** Two sets of tables can live in one database, and may even share their users. */
function setOf({ names }: Plan): string {
  const others = (Object.keys(defaultTables) as TableKey[]).filter((key) => key !== "users")
  const users = names.bare("users")
  if (others.every((key) => names.bare(key) === defaultTables[key])) return users
  const all = others.map((key) => names.bare(key)).join()
  return `${users.slice(0, 50)} ${hash("sha256", all, "hex").slice(0, 12)}`
}

export function createLog({ dialect, names }: Plan): CompiledQuery {
  const text = sql.raw(dialect.definitions.typeOf({ kind: "text", length: 64 }))
  const { tableEnd } = dialect.definitions
  const table = dialect.builder.schema
    .createTable(names.inSchema(log))
    .ifNotExists()
    .addColumn("tables", text, (column) => column.notNull())
    .addColumn("version", sql.raw("integer"), (column) => column.notNull())
    .addColumn("name", text, (column) => column.notNull())
    .addPrimaryKeyConstraint(`${log}_pk`, ["tables", "version"])
  return (tableEnd ? table.modifyEnd(sql.raw(tableEnd)) : table).compile()
}

/** Notes a step of a series: of the tables of the plan, or of another one. */
export function writeLog(plan: Plan, { version, name }: Step, series: string = setOf(plan)): CompiledQuery {
  const columns = sql.join(["tables", "version", "name"].map((column) => sql.id(column)))
  const values = sql.join([sql.lit(series), sql.lit(version), sql.lit(name)])
  return sql`insert into ${sql.table(plan.names.inSchema(log))} (${columns}) values (${values})`.compile(
    plan.dialect.builder,
  )
}

export async function stepsTaken(runner: Runner, plan: Plan, series: string = setOf(plan)): Promise<Set<number>> {
  const query = sql`select ${sql.id("version")} from ${sql.table(plan.names.inSchema(log))} where ${sql.id("tables")} = ${series}`
  return new Set((await runner.read(query.compile(plan.dialect.builder))).map((row) => Number(row.version)))
}
