/** Loading a module of the project: JavaScript as Node does, TypeScript on every supported Node. The one keeper of `jiti`. */
import { extname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { createJiti } from "jiti"
import { Failure, UsageError } from "./command.js"
import { messageOf } from "./thrown.js"
import type { World } from "./world.js"

const typeScript: readonly string[] = [".ts", ".mts", ".cts", ".tsx"]

/** What a module exports. */
export type Exports = Readonly<Record<string, unknown>>

/** Modules that a framework makes up while it builds, by name, and what their names begin with on the disk. */
export interface Surroundings {
  readonly modules: Readonly<Record<string, Exports>>
  readonly alias: Readonly<Record<string, string>>
}

/**
 * Imports a module of the project.
 *
 * @throws UsageError where there is no such file
 * @throws Failure with what the module threw
 */
export async function loadModule(
  path: string,
  { cwd, files }: Pick<World, "cwd" | "files">,
  surroundings?: Surroundings,
): Promise<Exports> {
  const file = resolve(cwd, path)
  if (!files.exists(file)) throw new UsageError(`There is no file "${path}".`)
  try {
    if (surroundings === undefined && !typeScript.includes(extname(file))) {
      return (await import(pathToFileURL(file).href)) as Exports
    }
    return await importWith(file, cwd, surroundings)
  } catch (error) {
    throw new Failure(`Cannot import "${path}": ${messageOf(error)}`, { cause: error })
  }
}

/** Path aliases of `tsconfig.json` are followed, unless a file that it extends has not been generated yet. */
async function importWith(file: string, cwd: string, surroundings: Surroundings | undefined): Promise<Exports> {
  const load = (tsconfigPaths: boolean): Promise<Exports> =>
    createJiti(join(cwd, "package.json"), {
      fsCache: false,
      tsconfigPaths,
      interopDefault: false,
      jsx: true,
      ...(surroundings && { virtualModules: surroundings.modules, alias: surroundings.alias }),
    }).import<Exports>(file)
  try {
    return await load(true)
  } catch (error) {
    if (error instanceof Error && /tsconfig\.json' not found/.test(error.message)) return load(false)
    throw error
  }
}
