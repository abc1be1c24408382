/** `latchkey migrate`: brings the tables of a database up to date, or prints how. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { readArguments } from "../arguments.js"
import { type Command, exitCodes, UsageError, type World } from "../command.js"
import { isUrl, readNames } from "../database.js"
import { importFrom } from "../installed.js"
import { linesOf, type TableCheck } from "../tables.js"

/** What the SQL adapter offers us. */
interface SqlPackage {
  printMigrations(options: { dialect?: string; names?: unknown }): string
  sqlAdapter(
    source: { filename: string } | { url: string },
    options: { migrate: "manual"; names?: unknown; schema?: string },
  ): { migrate(): Promise<string[]>; check(): Promise<TableCheck>; close(): Promise<void> }
}

/** The dialect that the URL of a server names. */
function schemeOf(target: string | undefined): string | undefined {
  return /^(postgres|postgresql|mysql|mariadb):/i.exec(target ?? "")?.[1]?.toLowerCase()
}

interface Task {
  readonly options: object
  readonly world: World
  /** Look only. */
  readonly isLook: boolean
}

async function apply(kit: SqlPackage, target: string, { options, world, isLook }: Task): Promise<number> {
  const file = resolve(world.cwd, target)
  const isNew = !isUrl(target) && !existsSync(file)
  if (isLook && isNew) {
    world.out(`There is no file ${target} yet.\n`)
    return exitCodes.wrong
  }
  const source = isUrl(target) ? { url: target } : { filename: file }
  const adapter = kit.sqlAdapter(source, { migrate: "manual", ...options })
  try {
    if (isLook) {
      const found = await adapter.check()
      const isWell = found.pending.length === 0 && found.problems.length === 0
      world.out(`${[...linesOf(found), ...(isWell ? ["The tables are up to date."] : [])].join("\n")}\n`)
      return isWell ? exitCodes.well : exitCodes.wrong
    }
    const taken = await adapter.migrate()
    if (isNew) world.out(`Made ${target}.\n`)
    world.out(
      taken.length === 0 ? "Nothing to do: the tables are up to date.\n" : `Took the steps: ${taken.join(", ")}.\n`,
    )
    for (const note of (await adapter.check()).notes) world.out(`Note: ${note}\n`)
    return exitCodes.well
  } finally {
    await adapter.close()
  }
}

export const migrate: Command = {
  name: "migrate",
  summary: "bring the tables of a SQL database up to date",
  help: `migrate [FILE | URL] [--print | --status]

Makes the tables, keys and indices of @latchkey/sql-adapter that are missing. May be run again, and by
several processes at once. Existing rows are kept; where they stand in the way of a unique key, they are
counted and nothing is changed.

  FILE | URL     a SQLite file, or a URL: file:app.db, postgresql://user@host/database, mysql://user@host/database;
                 default: the environment variable DATABASE_URL

Options:
  --print        print the SQL instead of running it; no database is opened
  --status       say what is pending or missing, and change nothing; exit code 1 when something is
  --schema NAME  the schema of the tables; on MySQL and MariaDB, the database
  --dialect NAME the dialect to print for: sqlite, postgresql, mysql or mariadb (default: what FILE | URL is, else sqlite)
  --names FILE   JSON file with your own names of tables and columns, as the option "names" of sqlAdapter takes them
  -h, --help     show this

Exit codes: 0 done, 1 the database refused, 2 wrong call`,
  async run(args, world) {
    const { values, positionals } = readArguments(
      args,
      {
        print: { type: "boolean" },
        status: { type: "boolean" },
        dialect: { type: "string" },
        names: { type: "string" },
        schema: { type: "string" },
      },
      1,
    )
    const names = readNames(values.names, world.cwd)
    const target = positionals[0] ?? world.env.DATABASE_URL
    if (values.print !== true && target === undefined) {
      throw new UsageError("Which database? Name a file or URL, or set DATABASE_URL.")
    }
    const kit = (await importFrom(world.cwd, "@latchkey/sql-adapter")) as unknown as SqlPackage
    if (values.print === true) {
      const dialect = values.dialect ?? schemeOf(target)
      world.out(kit.printMigrations({ ...(dialect === undefined ? {} : { dialect }), ...names }))
      return exitCodes.well
    }
    const options = { ...names, ...(values.schema === undefined ? {} : { schema: values.schema }) }
    return apply(kit, target as string, { options, world, isLook: values.status === true })
  },
}
