/** `latchkey cleanup`: removes expired sessions and links, for a schedule such as cron. */
import type { Adapter } from "@latchkey/core"
import type { ExpiredRows } from "@latchkey/core/adapters"
import { type Command, defineCommand, exitCodes, UsageError } from "../command.js"
import { fileOf, readNames, refuseUnreadable, sourceOf, unreachable } from "../database.js"
import { importFrom } from "../installed.js"
import { projectAround } from "../project.js"
import { configAround, configOptions, environsOf } from "../surroundings.js"
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
  const file = fileOf(target, cwd)
  if (file !== undefined && !files.exists(file)) throw new UsageError(`There is no file "${target}".`)
  const kit = (await importFrom(cwd, "@latchkey/sql-adapter")) as unknown as SqlPackage
  const adapter = kit.sqlAdapter(sourceOf(target, cwd), { migrate: "manual", ...names })
  return { remove: (now, options) => adapter.deleteExpired(now, options), close: () => adapter.close() }
}

async function adapterOf(path: string, wanted: Wanted, world: World): Promise<Cleaned> {
  const project = projectAround(world)
  const { env } = environsOf(wanted, project, world)
  const { adapter } = await configAround(path, wanted.export, { env, project, world })
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
    ...configOptions,
    config: {
      value: "MODULE",
      text: "use the adapter of the configuration that this module exports, with the environment of the application",
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
  readonly envFile: readonly string[]
  readonly mode: string | undefined
  readonly names: string | undefined
}

async function openFor(wanted: Wanted, world: World): Promise<Cleaned> {
  const { target, config, names } = wanted
  if (config !== undefined) return adapterOf(config, wanted, world)
  if (target === undefined) {
    throw new UsageError("Which database? Name a file or URL, set DATABASE_URL, or name a configuration with --config.")
  }
  return openDatabase(target, readNames(names, world), world)
}
