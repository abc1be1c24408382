/** The tables as they are when the database is opened. */
import type { NumberKey } from "./dialects/dialect.js"
import { readColumns, readExisting } from "./existing.js"
import { type Layout, layoutOf, SchemaError, type TableLayout } from "./layout.js"
import { migrate, pendingSteps } from "./migrations.js"
import { migrateRecords, recordsLayout } from "./records/migrations.js"
import { lacksOf } from "./requirements.js"
import type { Runner } from "./runner.js"
import type { Plan } from "./statements.js"

/** What operations have to know of the tables. */
export interface Inspection {
  readonly layout: Layout
  /** The database itself refuses a second row, in every table that is there. */
  readonly hasKeys: boolean
  /** The table of records, or an error that says why there is none. Everything else works without it. */
  readonly records: TableLayout | SchemaError
}

/** The key of the users. */
export function idsOf({ names }: Plan): NumberKey {
  return { table: names.table("users"), column: names.column("users", "id") }
}

/** Does the database give the id of a user who was deleted to a later one? */
export async function reusesIds(plan: Plan, runner: Runner): Promise<boolean> {
  const { numbers } = plan.dialect.definitions
  const [row] = numbers ? await runner.read(numbers.definitionOf(idsOf(plan))) : []
  return row !== undefined && numbers?.areGivenAgain(String(row.definition)) === true
}

/** Where the database would give ids again, users get one from the adapter. */
async function withUnusedIds(plan: Plan, runner: Runner, layout: Layout): Promise<Layout> {
  const value = plan.dialect.definitions.numbers?.unused(idsOf(plan))
  if (!value || !(await reusesIds(plan, runner))) return layout
  return (key) => {
    const described = layout(key)
    const column = key === "users" && described.columns.get("id")
    return column ? { ...described, supplies: [...described.supplies, { column, value, renewed: false }] } : described
  }
}

async function look(runner: Runner, plan: Plan): Promise<Omit<Inspection, "records"> & { readonly isWhole: boolean }> {
  const rows = await readColumns(plan, runner)
  const existing = await readExisting(plan, runner, rows)
  const lacks = lacksOf(plan, existing)
  return {
    layout: await withUnusedIds(plan, runner, layoutOf(plan.names, rows)),
    hasKeys: !lacks.some(({ kind, table }) => kind === "unique" && existing.tables.has(table)),
    isWhole: lacks.length === 0,
  }
}

/** What is wrong with how connections are set up. */
export async function sessionMisfits({ dialect: { session } }: Plan, runner: Runner): Promise<string[]> {
  const [row] = session ? await runner.read(session.query) : []
  const misfit = row && session?.misfit(row)
  return misfit ? [misfit] : []
}

async function inspectTables(runner: Runner, plan: Plan, isAutomatic: boolean): Promise<Omit<Inspection, "records">> {
  const found = await look(runner, plan)
  if (!isAutomatic || (found.isWhole && (await pendingSteps(runner, plan)).length === 0)) return found
  await migrate(runner, plan)
  return look(runner, plan)
}

/** The table of records, made first where that is wanted. Where it cannot be made, only operations on records fail. */
export async function inspectRecords(
  runner: Runner,
  plan: Plan,
  isAutomatic: boolean,
): Promise<TableLayout | SchemaError> {
  const found = await recordsLayout(runner, plan)
  if (!isAutomatic || !(found instanceof SchemaError)) return found
  try {
    await migrateRecords(runner, plan)
  } catch (cause) {
    if (cause instanceof SchemaError) return cause
    return new SchemaError(`The table "${plan.names.records}" could not be made.`, { cause })
  }
  return recordsLayout(runner, plan)
}

/** Looks at the tables, and brings them up to date first where that is wanted. */
export async function inspect(runner: Runner, plan: Plan, isAutomatic: boolean): Promise<Inspection> {
  const misfits = await sessionMisfits(plan, runner)
  if (misfits.length > 0) throw new SchemaError(misfits.join(" "))
  const tables = await inspectTables(runner, plan, isAutomatic)
  return { ...tables, records: await inspectRecords(runner, plan, isAutomatic) }
}
