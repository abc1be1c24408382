/** What a command is about to change: the environment it runs in, and the databases that the environment names. */
import { exitCodes } from "./command.js"
import { placeOf } from "./database.js"
import type { Environs } from "./surroundings.js"
import type { Environment, World } from "./world.js"

/** The option of commands that ask before they change what the environment names. */
export const agreeOptions = { yes: { text: "go on without asking" } } as const

const databaseScheme = /^(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|libsql|sqlserver):/i

/** Files, and databases that are reached over HTTP, are known by the names of their variables alone. */
const databaseName = /DATABASE|POSTGRES|MYSQL|MONGO|REDIS|TURSO|SQL|(?:^|_)(?:DB|KV)_/

/** A sentence for each variable that names a database; of the URL only where that is. */
export function databasesOf(env: Environment): readonly string[] {
  const named = Object.entries(env).flatMap(([name, value = ""]) => {
    const text = value.trim()
    const isDatabase = databaseScheme.test(text) || (databaseName.test(name) && /^(?:https?:\/\/|file:)/i.test(text))
    return isDatabase ? [`${name} names ${placeOf(text)}`] : []
  })
  const { PGHOST: host, PGDATABASE: database } = env
  const ofParts = host ? [`PGHOST names ${host}${database ? `, PGDATABASE ${database}` : ""}`] : []
  return [...named, ...ofParts].toSorted()
}

interface Intent {
  readonly environs: Environs
  /** Nothing is asked, because nothing is changed, or because the answer was given. */
  readonly isAgreed: boolean
}

/**
 * Says which environment a command works in, and asks where somebody can be asked. Scripts go on.
 * @returns an exit code where the answer was no
 */
export async function agreeOn({ environs, isAgreed }: Intent, { terminal }: World): Promise<number | undefined> {
  const { mode, envFiles, env } = environs
  const databases = databasesOf(env)
  const files = envFiles.files.length === 0 ? "no .env file" : envFiles.files.join(", ")
  terminal.err(`Environment: ${mode} (${files}).\n`)
  terminal.err(`Database: ${databases.length === 0 ? "the environment names none" : databases.join("; ")}.\n`)
  if (isAgreed || !terminal.ask) return undefined
  if (/^y/i.test((await terminal.ask("Go on? (y/N) ")).trim())) return undefined
  terminal.err("Nothing was changed.\n")
  return exitCodes.failed
}
