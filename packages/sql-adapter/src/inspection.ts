/** The tables as they are when the database is opened. */
import { readColumns, readExisting } from "./existing.js"
import { type Layout, layoutOf, SchemaError } from "./layout.js"
import { migrate, pendingSteps } from "./migrations.js"
import { lacksOf } from "./requirements.js"
import type { Runner } from "./runner.js"
import type { Plan } from "./statements.js"

/** What operations have to know of the tables. */
export interface Inspection {
  readonly layout: Layout
  /** The database itself refuses a second row, in every table that is there. */
  readonly hasKeys: boolean
}

async function look(runner: Runner, plan: Plan): Promise<Inspection & { readonly isWhole: boolean }> {
  const rows = await readColumns(plan, runner)
  const existing = await readExisting(plan, runner, rows)
  const lacks = lacksOf(plan, existing)
  return {
    layout: layoutOf(plan.names, rows),
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

/** Looks at the tables, and brings them up to date first where that is wanted. */
export async function inspect(runner: Runner, plan: Plan, isAutomatic: boolean): Promise<Inspection> {
  const misfits = await sessionMisfits(plan, runner)
  if (misfits.length > 0) throw new SchemaError(misfits.join(" "))
  const found = await look(runner, plan)
  if (!isAutomatic || (found.isWhole && (await pendingSteps(runner, plan)).length === 0)) return found
  await migrate(runner, plan)
  return look(runner, plan)
}
