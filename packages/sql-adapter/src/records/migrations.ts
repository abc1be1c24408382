/** The migrations of the table of records: a series of its own, so that the other tables do not depend on it. */
import type { CompiledQuery } from "kysely"
import { indexOf } from "../indices-found.js"
import { SchemaError, type TableLayout } from "../layout.js"
import { underLock } from "../migration-lock.js"
import { createLog, log, type Step, stepsTaken, writeLog } from "../migration-log.js"
import type { Runner } from "../runner.js"
import type { Plan } from "../statements.js"
import { createRecords, lacksOfRecords, layoutOfRecords } from "./schema.js"

const steps: readonly Step[] = [{ version: 1, name: "records" }]

const named = ({ version, name }: Step): string => `${version} ${name}`

/** What is there, and what is missing. */
interface Found {
  readonly layout: TableLayout | SchemaError
  readonly isThere: boolean
  readonly lacks: readonly string[]
  readonly statements: ReturnType<typeof createRecords>
}

async function look(runner: Runner, plan: Plan): Promise<Found> {
  const { dialect, names } = plan
  const rows = await runner.read(dialect.columnsOf(names.records))
  const isThere = rows.length > 0
  const indices = isThere ? (await runner.read(dialect.definitions.indicesOf(names.records))).map(indexOf) : []
  return {
    layout: layoutOfRecords(names, rows),
    isThere,
    lacks: lacksOfRecords(plan, rows, indices),
    statements: createRecords(plan, indices),
  }
}

/** The table of records, or an error that says why there is none. */
export async function recordsLayout(runner: Runner, { dialect, names }: Plan): Promise<TableLayout | SchemaError> {
  return layoutOfRecords(names, await runner.read(dialect.columnsOf(names.records)))
}

/** The steps that have not been taken. Reads only. */
export async function pendingRecords(runner: Runner, plan: Plan): Promise<string[]> {
  const hasLog = (await runner.read(plan.dialect.columnsOf(plan.names.inSchema(log)))).length > 0
  const done = hasLog ? await stepsTaken(runner, plan, plan.names.bareRecords) : new Set()
  return steps.filter(({ version }) => !done.has(version)).map(named)
}

/** What is missing or does not fit although the steps were taken, as sentences. */
export async function problemsOfRecords(runner: Runner, plan: Plan): Promise<string[]> {
  const { layout, isThere, lacks } = await look(runner, plan)
  if (isThere && layout instanceof SchemaError) return [layout.message]
  return (await pendingRecords(runner, plan)).length > 0 ? [] : lacks.map((lack) => `${lack}.`)
}

/** Makes the table of records, or what of it is missing, and names the steps. May be called again, and by several at once. */
export function migrateRecords(runner: Runner, plan: Plan): Promise<string[]> {
  return underLock(runner, plan, async (within) => {
    const { layout, isThere, lacks, statements } = await look(within, plan)
    if (isThere && layout instanceof SchemaError) throw layout
    if (lacks.length > 0) for (const statement of statements) await within.write(statement)
    await within.write(createLog(plan))
    const done = await stepsTaken(within, plan, plan.names.bareRecords)
    const pending = steps.filter(({ version }) => !done.has(version))
    for (const step of pending) await within.write(writeLog(plan, step, plan.names.bareRecords))
    return pending.length > 0 ? pending.map(named) : lacks.map((lack) => `repaired: ${lack}`)
  })
}

/** What {@link migrateRecords} would run. Reads only. */
export async function printPendingRecords(runner: Runner, plan: Plan): Promise<readonly CompiledQuery[]> {
  const { layout, isThere, lacks, statements } = await look(runner, plan)
  if (isThere && layout instanceof SchemaError) throw layout
  const pending = new Set(await pendingRecords(runner, plan))
  const logged = steps.filter((step) => pending.has(named(step)))
  return [
    ...(lacks.length > 0 ? statements : []),
    ...(logged.length > 0 ? [createLog(plan)] : []),
    ...logged.map((step) => writeLog(plan, step, plan.names.bareRecords)),
  ]
}

/** The steps as SQL, for a new table. */
export function printRecords(plan: Plan): string {
  const made = createRecords(plan, []).map(({ sql }) => `${sql};`)
  return [
    ...steps.map((step) => `-- ${named(step)}`),
    ...made,
    ...steps.map((step) => `${writeLog(plan, step, plan.names.bareRecords).sql};`),
  ].join("\n")
}
