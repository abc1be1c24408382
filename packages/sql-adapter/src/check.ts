/** Describes the tables in words: what is missing, and what to know about the rows. */
import { sql } from "kysely"
import { holdsTruth } from "./dialects/columns.js"
import type { Row } from "./dialects/dialect.js"
import { readColumns, readExisting } from "./existing.js"
import { idsOf, reusesIds, sessionMisfits } from "./inspection.js"
import { columnsFound, misfitsOf } from "./layout.js"
import { pendingSteps } from "./migrations.js"
import type { TableKey } from "./names.js"
import { pendingRecords, problemsOfRecords } from "./records/migrations.js"
import { lacksOf } from "./requirements.js"
import type { Runner } from "./runner.js"
import type { Existing, Plan } from "./statements.js"
import { demandsOf, openTables } from "./supplies.js"

/** What the tables come to. */
export interface SqlCheck {
  /** Steps of the migrations that have not been taken. */
  readonly pending: readonly string[]
  /** What is missing or does not fit. `migrate()` brings about what is missing, and refuses what does not fit. */
  readonly problems: readonly string[]
  /** What works, but should be known. */
  readonly notes: readonly string[]
  /** The adapter takes pending steps itself, before its first use. */
  readonly isAutomatic?: true
}

/** Addresses arrive in lower case and are compared exactly. */
async function capitals({ dialect, names }: Plan, runner: Runner): Promise<string[]> {
  const [table, column] = [names.table("users"), names.column("users", "email")]
  const email = sql.ref(column)
  const query = sql<Row>`select count(*) as count from ${sql.table(table)}
    where ${dialect.exactText(email)} <> ${dialect.exactText(sql`lower(${email})`)}`
  const [row] = await runner.read(query.compile(dialect.builder))
  const count = Number(row?.count ?? 0)
  if (count === 0) return []
  return [
    `"${table}": ${count} address(es) with capitals, whose owners are not found by e-mail. Write them in lower case: update ${table} set ${column} = lower(${column})`,
  ]
}

/** The empty address counts like any other to a plain unique key. */
function emptyAddresses({ names }: Plan, { columns, indices }: Existing): string[] {
  const column = columns.get("users")?.get("email")
  const isCounted = (indices.get("users") ?? []).some(
    ({ isUnique, parts, condition }) => isUnique && condition === "" && parts.join() === column?.name,
  )
  if (!column?.required || !isCounted) return []
  return [
    `"${names.table("users")}" can hold one user without an address: "${column.name}" is unique and must not be null. Allow null if providers may come without one.`,
  ]
}

/** The date of the first sign-in by mail, in a column that says only whether there was one. */
function truthsForDates({ names }: Plan, { columns }: Existing): string[] {
  const column = columns.get("users")?.get("emailVerified")
  if (!column || !holdsTruth(column.declared)) return []
  return [
    `The column "${column.name}" of "${names.table("users")}" holds true or false, and sign-ins by e-mail store the date of the first one there: they can fail. Put a column for dates in its place, with a date where it is true and null elsewhere.`,
  ]
}

/** Sealed cookies name a user by the id alone: with the id, the next one would inherit those of a user who was deleted. */
async function reusedIds(plan: Plan, runner: Runner): Promise<string[]> {
  if (!(await reusesIds(plan, runner))) return []
  const { table, column } = idsOf(plan)
  return [
    `"${table}" gives the id of the newest user to the next one, once the first is deleted: "${column}" is "integer primary key" without "autoincrement". Users who sign up get high ids here, which no other user had. Rows that your application inserts need one as well: with sessions in cookies, one of the deleted user would be one of the next. Make the table anew with "autoincrement", and ids are counted.`,
  ]
}

/** Columns of the application whose values it has to pass. */
function handedOver({ names }: Plan, rows: ReadonlyMap<TableKey, readonly Row[]>): string[] {
  return [...openTables].flatMap((key) => {
    const planned = new Set(Object.values(names.columns(key)))
    const others = [...columnsFound(rows.get(key) ?? []).values()].filter(({ name }) => !planned.has(name))
    const { unmet } = demandsOf(others.map((column) => ({ ...column, kind: "other" as const })))
    if (unmet.length === 0) return []
    return [
      `"${names.table(key)}" requires a value for ${unmet.map((name) => `"${name}"`).join(", ")}, which your callbacks have to provide.`,
    ]
  })
}

/** Compares the tables with what must be. Reads only. */
export async function checkTables(runner: Runner, plan: Plan): Promise<SqlCheck> {
  const rows = await readColumns(plan, runner)
  const existing = await readExisting(plan, runner, rows)
  const misfits = [...(await sessionMisfits(plan, runner)), ...misfitsOf(plan.names, rows)]
  // Of a table that is missing, its keys need not be named.
  const lacks = lacksOf(plan, existing).filter(({ kind, table }) => kind === "table" || existing.tables.has(table))
  const hasUsers = existing.columns.get("users")?.has("email") ?? false
  return {
    pending: [...(await pendingSteps(runner, plan)), ...(await pendingRecords(runner, plan))],
    problems: [
      ...misfits,
      ...truthsForDates(plan, existing),
      ...lacks.map(({ lack }) => `${lack}.`),
      ...(await problemsOfRecords(runner, plan)),
    ],
    notes: [
      ...(hasUsers ? await capitals(plan, runner) : []),
      ...emptyAddresses(plan, existing),
      ...(await reusedIds(plan, runner)),
      ...handedOver(plan, rows),
    ],
  }
}
