/** `latchkey cleanup`: removes expired sessions and links, for a schedule such as cron. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import type { Adapter } from "@latchkey/core"
import { readArguments } from "../arguments.js"
import { type Command, exitCodes, UsageError, type World } from "../command.js"
import { readConfig } from "../config-module.js"
import { isUrl, readNames } from "../database.js"
import { importFrom } from "../installed.js"

/** A store that removes what has expired. */
interface Cleaned {
  readonly remove: NonNullable<Adapter["deleteExpired"]>
  readonly close: () => Promise<void>
}

interface SqlPackage {
  sqlAdapter(
    source: { filename: string } | { url: string },
    options: { migrate: "manual"; names?: unknown },
  ): Required<Pick<Adapter, "deleteExpired">> & { close(): Promise<void> }
}

async function openDatabase(target: string, names: object, { cwd }: World): Promise<Cleaned> {
  const filename = resolve(cwd, target)
  // Opening a file that is not there would make an empty one.
  if (!isUrl(target) && !existsSync(filename)) throw new UsageError(`There is no file "${target}".`)
  const kit = (await importFrom(cwd, "@latchkey/sql-adapter")) as unknown as SqlPackage
  const adapter = kit.sqlAdapter(isUrl(target) ? { url: target } : { filename }, { migrate: "manual", ...names })
  return { remove: (now, options) => adapter.deleteExpired(now, options), close: () => adapter.close() }
}

async function adapterOf(path: string, exported: string | undefined, { cwd }: World): Promise<Cleaned> {
  const { adapter } = await readConfig(path, { cwd, exported })
  if (!adapter?.deleteExpired) {
    const lacks = adapter ? 'an adapter without the operation "deleteExpired"' : "no adapter"
    throw new UsageError(`The configuration has ${lacks}: there is nothing that could remove expired rows.`)
  }
  return {
    remove: (now, options) => adapter.deleteExpired?.(now, options) ?? { sessions: 0, verificationTokens: 0 },
    close: async () => {},
  }
}

/** Milliseconds between two lines of progress. */
const between = 2000

export const cleanup: Command = {
  name: "cleanup",
  summary: "remove expired sessions and links",
  help: `cleanup [FILE | URL]
       latchkey cleanup --config MODULE [--export NAME]

Removes sessions and sign-in links whose time has passed, in small steps: the application may go on running.
Run it from a schedule, for example once a night. Several at once do no harm.

  FILE | URL       a SQLite file or a database URL whose tables @latchkey/sql-adapter uses;
                   default: the environment variable DATABASE_URL

Options:
  --config MODULE  use the adapter of the configuration that this module exports
  --export NAME    the export to look at (default: the first of authConfig, config, default, auth)
  --names FILE     JSON file with your own names of tables and columns, as the option "names" of sqlAdapter takes them
  --quiet          print the result only
  -h, --help       show this

Exit codes: 0 done, 1 the database refused, 2 wrong call`,
  async run(args, world) {
    const { values, positionals } = readArguments(
      args,
      {
        config: { type: "string" },
        export: { type: "string" },
        names: { type: "string" },
        quiet: { type: "boolean" },
      },
      1,
    )
    const [named] = positionals
    if (named !== undefined && values.config !== undefined) {
      throw new UsageError("Name a database or --config, not both.")
    }
    const target = named ?? world.env.DATABASE_URL
    if (values.config === undefined && target === undefined) {
      throw new UsageError(
        "Which database? Name a file or URL, set DATABASE_URL, or name a configuration with --config.",
      )
    }
    const { remove, close } =
      values.config === undefined
        ? await openDatabase(target as string, readNames(values.names, world.cwd), world)
        : await adapterOf(values.config, values.export, world)
    let last = Date.now()
    try {
      const { sessions, verificationTokens } = await remove(new Date(), {
        onProgress(removed) {
          if (values.quiet === true || Date.now() - last < between) return
          last = Date.now()
          world.err(`... ${removed.sessions} sessions, ${removed.verificationTokens} links so far\n`)
        },
      })
      world.out(`Removed ${sessions} expired sessions and ${verificationTokens} expired links.\n`)
    } finally {
      await close()
    }
    return exitCodes.well
  },
}
