/** Loading a module of the project: JavaScript as Node does, TypeScript on every supported Node. The one keeper of `jiti`. */
import { extname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { createJiti } from "jiti"
import { Failure, UsageError } from "./command.js"
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
    const jiti = createJiti(join(cwd, "package.json"), {
      fsCache: false,
      tsconfigPaths: true,
      interopDefault: false,
      jsx: true,
      ...(surroundings && { virtualModules: surroundings.modules, alias: surroundings.alias }),
    })
    return await jiti.import<Exports>(file)
  } catch (error) {
    const thrown = error instanceof Error ? error.message : String(error)
    throw new Failure(`Cannot import "${path}": ${thrown}`, { cause: error })
  }
}
