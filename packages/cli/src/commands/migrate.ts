/** `latchkey migrate`: brings the tables of a database up to date, or prints how. */
import { type Command, defineCommand, exitCodes, UsageError } from "../command.js"
import { fileOf, isUrl, readNames, refuseUnreadable, sourceOf, unreachable } from "../database.js"
import { linesOf, nameOfStep, type TableCheck } from "../doctor/tables.js"
import { importFrom } from "../installed.js"
import type { World } from "../world.js"

/** What the SQL adapter offers us. */
interface SqlPackage {
  printMigrations(options: { dialect?: string; names?: unknown }): string
  sqlAdapter(
    source: { filename: string } | { url: string },
    options: { migrate: "manual"; names?: unknown; schema?: string },
  ): {
    migrate(): Promise<string[]>
    print(): Promise<string>
    check(): Promise<TableCheck>
    close(): Promise<void>
  }
}

/** The dialect that the URL of a server names. */
function schemeOf(target: string | undefined): string | undefined {
  return /^(postgres|postgresql|mysql|mariadb):/i.exec(target ?? "")?.[1]?.toLowerCase()
}

interface Task {
  readonly options: object
  readonly world: World
  readonly what: "migrate" | "status" | "dry-run" | "print"
}

/** What was found or done; `--json` prints it as it is. */
interface Outcome {
  readonly code: number
  readonly data: Readonly<Record<string, unknown>>
  readonly text: string
}

type Opened = ReturnType<SqlPackage["sqlAdapter"]>

const lines = (list: readonly string[]): string => list.map((line) => `${line}\n`).join("")

async function trial(adapter: Opened): Promise<Outcome> {
  const { pending, problems } = await adapter.check()
  const steps = pending.length > 0 ? pending : problems
  const text = steps.length === 0 ? "Nothing to do.\n" : lines(steps.map((step) => `Would do: ${nameOfStep(step)}`))
  return { code: exitCodes.fine, data: { steps }, text }
}

async function look(adapter: Opened): Promise<Outcome> {
  const found = await adapter.check()
  const isWell = found.pending.length === 0 && found.problems.length === 0
  const text = lines([...linesOf(found), ...(isWell ? ["The tables are up to date."] : [])])
  return { code: isWell ? exitCodes.fine : exitCodes.failed, data: { ...found }, text }
}

async function print(adapter: Opened): Promise<Outcome> {
  const sql = await adapter.print()
  return {
    code: exitCodes.fine,
    data: { sql },
    text: sql === "" ? "-- Nothing to do: the tables are up to date.\n" : sql,
  }
}

async function change(adapter: Opened, made: string | undefined): Promise<Outcome> {
  const steps = await adapter.migrate()
  const { notes } = await adapter.check()
  const text = lines([
    ...(made === undefined ? [] : [`Made ${made}.`]),
    steps.length === 0
      ? "Nothing to do: the tables are up to date."
      : `Took the steps: ${steps.map(nameOfStep).join(", ")}.`,
    ...notes.map((note) => `Note: ${note}`),
  ])
  return { code: exitCodes.fine, data: { steps, notes }, text }
}

async function apply(kit: SqlPackage, target: string, { options, world, what }: Task): Promise<Outcome> {
  const file = fileOf(target, world.cwd)
  // Opening a file that is not there would make an empty one.
  const isNew = file !== undefined && !world.files.exists(file)
  if (isNew && what === "dry-run") {
    return { code: exitCodes.fine, data: { isNew, steps: [] }, text: `Would make ${target}, with all tables.\n` }
  }
  if (isNew && what !== "migrate") {
    return { code: exitCodes.failed, data: { isNew }, text: `There is no file ${target} yet.\n` }
  }
  const adapter = kit.sqlAdapter(sourceOf(target, world.cwd), { migrate: "manual", ...options })
  try {
    if (what === "dry-run") return await trial(adapter)
    if (what === "print") return await print(adapter)
    return what === "status" ? await look(adapter) : await change(adapter, isNew ? target : undefined)
  } catch (error) {
    throw unreachable(target, error)
  } finally {
    await adapter.close()
  }
}

function whatOf({ print, dryRun, status }: { print: boolean; dryRun: boolean; status: boolean }): Task["what"] {
  if (print) return "print"
  return dryRun ? "dry-run" : status ? "status" : "migrate"
}

export const migrate: Command = defineCommand({
  name: "migrate",
  summary: "bring the tables of a SQL database up to date",
  details: `Makes the tables, keys and indices of @latchkey/sql-adapter that are missing. May be run again, and by
several processes at once. Existing rows are kept; where they stand in the way of a unique key, they are
counted and nothing is changed.`,
  args: [
    {
      name: "database",
      text: "a SQLite file, or a URL: file:app.db, postgresql://user@host/database, mysql://user@host/database (default: the environment variable DATABASE_URL)",
    },
  ],
  options: {
    print: { text: "print the SQL for new tables instead of running it; no database is opened" },
    existing: {
      text: "with --print: look at the database, and print what its tables still need; changes nothing",
    },
    dryRun: { text: "say what would be done, and change nothing; exit code 0" },
    status: { text: "say what is pending or missing, and change nothing; exit code 1 when something is" },
    schema: { value: "NAME", text: "the schema of the tables; on MySQL and MariaDB, the database" },
    dialect: {
      value: "NAME",
      choices: ["sqlite", "postgresql", "mysql", "mariadb"],
      text: "the dialect to print for (default: what the database is, else sqlite)",
    },
    names: {
      value: "FILE",
      text: 'JSON file with your own names of tables and columns, as the option "names" of sqlAdapter takes them',
    },
    json: { text: "print what was found or done as JSON; with --print, the SQL as a text" },
  },
  exits: { fine: "done", failed: "the database refused, or --status found something" },
  async run({ options, words: [named] }, world) {
    const names = readNames(options.names, world)
    const target = named ?? world.env.DATABASE_URL
    const kit = async (): Promise<SqlPackage> =>
      (await importFrom(world.cwd, "@latchkey/sql-adapter")) as unknown as SqlPackage
    if (options.existing && !options.print) throw new UsageError("--existing belongs to --print.")
    if (options.print && !options.existing) {
      if (options.dialect === undefined && target !== undefined) refuseUnreadable(target)
      const dialect = options.dialect ?? schemeOf(target)
      const sql = (await kit()).printMigrations({ ...(dialect === undefined ? {} : { dialect }), ...names })
      world.terminal.out(options.json ? `${JSON.stringify({ sql })}\n` : sql)
      return exitCodes.fine
    }
    if (target === undefined) throw new UsageError("Which database? Name a file or URL, or set DATABASE_URL.")
    refuseUnreadable(target)
    if (isUrl(target) && !isKnown(target)) {
      throw new UsageError(`The scheme of the URL is not known. Expected file:, postgresql:, mysql: or mariadb:.`)
    }
    const given = { ...names, ...(options.schema === undefined ? {} : { schema: options.schema }) }
    const what = whatOf(options)
    const { code, data, text } = await apply(await kit(), target, { options: given, world, what })
    world.terminal.out(options.json ? `${JSON.stringify(data)}\n` : text)
    return code
  },
})

function isKnown(url: string): boolean {
  return schemeOf(url) !== undefined || /^file:/i.test(url)
}
