/** The `.env` files of a project, read in the order and with the rules of its framework. */
import { resolve } from "node:path"
import { parse } from "dotenv"
import { expand } from "dotenv-expand"
import { UsageError } from "./command.js"
import type { Environment, World } from "./world.js"

/** What decides which files count. */
export interface EnvChoice {
  /** Files that were named: they alone are read, and a later one counts less. */
  readonly named?: readonly string[]
  /** `development`, `production`, or any other. */
  readonly mode: string
  /** Vite lets `.env.<mode>` count more than `.env.local`; others do not. Both replace `$NAME` in values. */
  readonly framework?: "vite" | "next" | undefined
}

/** What was read. */
export interface EnvFiles {
  /** Names of the files that were found, the one that counts most first. */
  readonly files: readonly string[]
  /** The environment of the process over what the files say. */
  readonly env: Environment
  /** Where a variable comes from: a file, or `undefined` where the process has it. */
  readonly sourceOf: (name: string) => string | undefined
}

/** File names, the one that counts most first. */
export function envFileNames({ named = [], mode, framework }: EnvChoice): readonly string[] {
  if (named.length > 0) return named
  const local = mode === "test" ? [] : [".env.local"]
  return framework === "vite"
    ? [`.env.${mode}.local`, `.env.${mode}`, ".env.local", ".env"]
    : [`.env.${mode}.local`, ...local, `.env.${mode}`, ".env"]
}

/**
 * Reads the files that are there. What the process has already counts more than any file.
 *
 * @throws UsageError for a named file that does not exist
 */
export function readEnvFiles(choice: EnvChoice, { cwd, env, files }: Pick<World, "cwd" | "env" | "files">): EnvFiles {
  const read: { readonly file: string; readonly values: Readonly<Record<string, string>> }[] = []
  for (const file of envFileNames(choice)) {
    const content = files.read(resolve(cwd, file))
    if (content !== undefined) read.push({ file, values: parse(content) })
    else if (choice.named?.includes(file)) throw new UsageError(`There is no file "${file}".`)
  }
  const own = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  const joined = Object.assign({}, ...read.map(({ values }) => values).toReversed()) as Record<string, string>
  const values =
    choice.framework === undefined ? joined : (expand({ parsed: joined, processEnv: { ...own } }).parsed ?? joined)
  return {
    files: read.map(({ file }) => file),
    env: { ...values, ...own },
    sourceOf: (name) => (name in own ? undefined : read.find((entry) => name in entry.values)?.file),
  }
}
