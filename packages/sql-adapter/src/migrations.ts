/** The migrations: numbered steps that may be run again, by several processes at once, or printed. */
import type { CompiledQuery } from "kysely"
import { dialectNamed } from "./dialects/select.js"
import { afterTables, readColumns, readExisting, refuseObstacles } from "./existing.js"
import { misfitsOf, SchemaError } from "./layout.js"
import { underLock } from "./migration-lock.js"
import { createLog, log, stepsTaken, writeLog } from "./migration-log.js"
import { type Names, resolveNames, type TableKey } from "./names.js"
import { printPendingRecords, printRecords } from "./records/migrations.js"
import { lacksOf, type Requirement, requirementsOf } from "./requirements.js"
import type { Runner } from "./runner.js"
import { type Existing, ownedTables, type Plan } from "./statements.js"

/** One step. */
interface Migration {
  readonly version: number
  readonly name: string
  /** What it changes. */
  readonly covers: (requirement: Requirement) => boolean
  /** The same is in the printed steps before it. */
  readonly isPrinted?: false
}

const isTable = ({ kind }: Requirement): boolean => kind === "table"
const isKey = (requirement: Requirement): boolean => !isTable(requirement)

const migrations: readonly Migration[] = [
  { version: 1, name: "tables", covers: isTable },
  { version: 2, name: "keys", covers: isKey },
  // Until here, an index counted as there when its name was: whatever it was on.
  { version: 3, name: "definitions", covers: isKey, isPrinted: false },
]

const statementsOf = (requirements: readonly Requirement[]): CompiledQuery[] =>
  requirements.flatMap(({ statements }) => statements())

/** The tables, and the names that new indices cannot have: "if not exists" would pass over one of such a name. */
async function readWithNames(runner: Runner, plan: Plan): Promise<Existing> {
  const existing = await readExisting(plan, runner)
  const query = plan.dialect.definitions.namesBeside?.(plan.names.table("users"))
  const names = query ? await runner.read(query) : []
  return { ...existing, namesBeside: new Set(names.map(({ name }) => String(name))) }
}

/** Brings about what is missing, and names it. Of two points that one statement meets, the second has become true. */
async function bringAbout(runner: Runner, plan: Plan, covers: Migration["covers"]): Promise<string[]> {
  const existing = await readWithNames(runner, plan)
  const lacks = lacksOf(plan, existing).filter(covers)
  if (lacks.some(isKey)) await refuseObstacles(plan, runner, existing)
  for (const statement of statementsOf(lacks)) await runner.write(statement)
  return lacks.map(({ lack }) => lack)
}

async function steps(runner: Runner, plan: Plan): Promise<string[]> {
  const misfits = misfitsOf(plan.names, await readColumns(plan, runner))
  if (misfits.length > 0) throw new SchemaError(misfits.join(" "))
  const done = await stepsTaken(runner, plan)
  const pending = migrations.filter(({ version }) => !done.has(version))
  for (const migration of pending) {
    await bringAbout(runner, plan, migration.covers)
    await runner.write(writeLog(plan, migration))
  }
  const again = [...(await bringAbout(runner, plan, isTable)), ...(await bringAbout(runner, plan, isKey))]
  const left = lacksOf(plan, await readExisting(plan, runner))
  // A statement can succeed without a change.
  if (left.length > 0) {
    const lacks = left.map(({ lack }) => lack).join("; ")
    throw new SchemaError(
      `The database ran every statement of the migrations without an error, but afterwards ${lacks}. Check whether the driver or a proxy skips statements, or whether something else in the database has the name of the index.`,
    )
  }
  return [...pending.map(({ version, name }) => `${version} ${name}`), ...again.map((lack) => `repaired: ${lack}`)]
}

/**
 * Takes the steps that have not been taken and names them, and brings back what has gone since. Where the database cannot
 * do that as a whole, every step can be taken up where it ended.
 */
export function migrate(runner: Runner, plan: Plan): Promise<string[]> {
  return underLock(runner, plan, async (within) => {
    await within.write(createLog(plan))
    return steps(within, plan)
  })
}

/** The steps that have not been taken. Reads only. */
export async function pendingSteps(runner: Runner, plan: Plan): Promise<string[]> {
  const hasLog = (await runner.read(plan.dialect.columnsOf(plan.names.inSchema(log)))).length > 0
  const done = hasLog ? await stepsTaken(runner, plan) : new Set()
  return migrations.filter(({ version }) => !done.has(version)).map(({ version, name }) => `${version} ${name}`)
}

/** What to print. */
export interface PrintOptions {
  /** `sqlite`, `postgresql` or `mysql` (MariaDB, too). @default "sqlite" */
  readonly dialect?: string
  /** Names of tables and columns, where they differ from the defaults. */
  readonly names?: Names
}

const nothing: Existing = {
  tables: new Set(),
  columns: new Map(),
  indices: new Map(),
  hasAddressColumn: false,
  owned: new Set(),
}

/** All steps as SQL, for those who run their own migrations. For new tables: what exists is known to `migrate` alone. */
export function printMigrations({ dialect = "sqlite", names = {} }: PrintOptions = {}): string {
  const plan: Plan = { dialect: dialectNamed(dialect), names: resolveNames(names) }
  const made = [...requirementsOf(plan, nothing).filter(isTable), ...lacksOf(plan, afterTables(plan))]
  const printed = migrations.map((migration) => [
    `-- ${migration.version} ${migration.name}`,
    ...(migration.isPrinted === false ? [] : statementsOf(made.filter(migration.covers))).map(({ sql }) => `${sql};`),
    `${writeLog(plan, migration).sql};`,
  ])
  return [[`${createLog(plan).sql};`], ...printed, [printRecords(plan)]]
    .map((lines) => lines.join("\n"))
    .join("\n\n")
    .concat("\n")
}

/** What is there once the missing tables have been made; those that are there keep what was read of them. */
function withTables(plan: Plan, existing: Existing): Existing {
  const { tables, indices } = afterTables(plan)
  const isMade = (key: TableKey): boolean => !existing.tables.has(key)
  return {
    ...existing,
    tables,
    indices: new Map([...indices].map(([key, made]) => [key, existing.indices.get(key) ?? made])),
    owned: new Set([...existing.owned, ...ownedTables.filter(isMade)]),
  }
}

/**
 * What {@link migrate} would run on these tables, as SQL; empty where nothing is missing. Reads only.
 * @throws SchemaError for what {@link migrate} refuses: columns that are missing, rows that stand in the way of a key
 */
export async function printPending(runner: Runner, plan: Plan): Promise<string> {
  const misfits = misfitsOf(plan.names, await readColumns(plan, runner))
  if (misfits.length > 0) throw new SchemaError(misfits.join(" "))
  const existing = await readWithNames(runner, plan)
  const tables = lacksOf(plan, existing).filter(isTable)
  const after = withTables(plan, existing)
  const keys = lacksOf(plan, after)
  if (keys.length > 0) await refuseObstacles(plan, runner, existing)
  const pending = new Set(await pendingSteps(runner, plan))
  const notes = migrations.filter(({ version, name }) => pending.has(`${version} ${name}`))
  const made = statementsOf([...tables, ...keys])
  const logged = notes.map((migration) => writeLog(plan, migration))
  const own = [...made, ...(logged.length > 0 ? [createLog(plan), ...logged] : [])]
  const records = await printPendingRecords(runner, plan)
  return [...own, ...records].map(({ sql }) => `${sql};\n`).join("")
}
