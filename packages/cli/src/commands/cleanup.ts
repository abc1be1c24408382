/** `latchkey cleanup`: removes expired sessions and links, for a schedule such as cron. */
import { resolve } from "node:path"
import type { Adapter } from "@latchkey/core"
import type { ExpiredRows } from "@latchkey/core/adapters"
import { type Command, defineCommand, exitCodes, UsageError } from "../command.js"
import { readConfig } from "../config-module.js"
import { isUrl, readNames, refuseUnreadable, sourceOf, unreachable } from "../database.js"
import { importFrom } from "../installed.js"
import type { World } from "../world.js"

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

async function openDatabase(target: string, names: object, { cwd, files }: World): Promise<Cleaned> {
  refuseUnreadable(target)
  // Opening a file that is not there would make an empty one.
  if (!isUrl(target) && !files.exists(resolve(cwd, target))) throw new UsageError(`There is no file "${target}".`)
  const kit = (await importFrom(cwd, "@latchkey/sql-adapter")) as unknown as SqlPackage
  const adapter = kit.sqlAdapter(sourceOf(target, cwd), { migrate: "manual", ...names })
  return { remove: (now, options) => adapter.deleteExpired(now, options), close: () => adapter.close() }
}

async function adapterOf(path: string, exported: string | undefined, world: World): Promise<Cleaned> {
  const { adapter } = await readConfig(path, { exported, env: world.env }, world)
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

export const cleanup: Command = defineCommand({
  name: "cleanup",
  summary: "remove expired sessions and links",
  details: `Removes sessions and sign-in links whose time has passed, in small steps: the application may go on running.
Run it from a schedule, for example once a night. Several at once do no harm.`,
  args: [
    {
      name: "database",
      text: "a SQLite file or a database URL whose tables @latchkey/sql-adapter uses (default: the environment variable DATABASE_URL)",
    },
  ],
  options: {
    config: { value: "MODULE", text: "use the adapter of the configuration that this module exports" },
    export: {
      value: "NAME",
      text: "the export to look at (default: the first of authConfig, config, default, auth)",
    },
    names: {
      value: "FILE",
      text: 'JSON file with your own names of tables and columns, as the option "names" of sqlAdapter takes them',
    },
    quiet: { text: "print the result only" },
    json: { text: "print the result as JSON" },
  },
  exits: { fine: "done", failed: "the database refused" },
  async run({ options, words: [named] }, world) {
    const { terminal } = world
    if (named !== undefined && options.config !== undefined) {
      throw new UsageError("Name a database or --config, not both.")
    }
    const target = named ?? world.env.DATABASE_URL
    const { remove, close } = await openFor({ target, ...options }, world)
    let last = world.now().getTime()
    try {
      const removed = await remove(world.now(), {
        onProgress({ sessions, verificationTokens }) {
          const now = world.now().getTime()
          if (options.quiet || now - last < between) return
          last = now
          terminal.err(`... ${sessions} sessions, ${verificationTokens} links so far\n`)
        },
      })
      const { sessions, verificationTokens, records } = removed
      terminal.out(
        options.json
          ? `${JSON.stringify({ sessions, verificationTokens, ...(records === undefined ? {} : { records }) })}\n`
          : `Removed ${listed(removed)}.\n`,
      )
    } catch (error) {
      throw target === undefined ? error : unreachable(target, error)
    } finally {
      await close()
    }
    return exitCodes.fine
  },
})

/** What was removed, in words. A store that keeps no records says nothing of them. */
function listed({ sessions, verificationTokens, records }: ExpiredRows): string {
  const [first, second] = [`${sessions} expired sessions`, `${verificationTokens} expired links`]
  return records === undefined ? `${first} and ${second}` : `${first}, ${second} and ${records} expired records`
}

interface Wanted {
  readonly target: string | undefined
  readonly config: string | undefined
  readonly export: string | undefined
  readonly names: string | undefined
}

async function openFor({ target, config, export: exported, names }: Wanted, world: World): Promise<Cleaned> {
  if (config !== undefined) return adapterOf(config, exported, world)
  if (target === undefined) {
    throw new UsageError("Which database? Name a file or URL, set DATABASE_URL, or name a configuration with --config.")
  }
  return openDatabase(target, readNames(names, world), world)
}
