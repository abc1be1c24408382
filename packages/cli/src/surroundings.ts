/** What is around a configuration that a command loads: the project, the environment, and where the module is. */
import { join } from "node:path"
import { UsageError } from "./command.js"
import { type FoundConfig, readConfig } from "./config-module.js"
import { type EnvFiles, readEnvFiles } from "./env-files.js"
import { type Project, readerOf, usualPlaces } from "./project.js"
import type { World } from "./world.js"

/** The options of every command that loads the configuration as the application would. */
export const configOptions = {
  config: { value: "MODULE", text: "module with the configuration (default: auth.ts, src/auth.ts and the like)" },
  export: { value: "NAME", text: "the export to look at (default: the first of authConfig, config, default, auth)" },
  envFile: {
    value: "FILE",
    isList: true,
    text: "read variables from FILE alone; may be repeated, a later one counts less",
  },
  mode: { value: "NAME", text: "development, production or another (default: NODE_ENV, else development)" },
} as const

/**
 * The module with the configuration: the one that is named, or where it usually is.
 *
 * @throws UsageError where none is named and none is found
 */
export function moduleIn(named: string | undefined, project: Project | undefined, world: World): string {
  const places = usualPlaces(project?.frameworks ?? [])
  const path = named ?? places.find((place) => world.files.exists(join(world.cwd, place)))
  if (path !== undefined) return path
  throw new UsageError("Which configuration? Name the module that exports it, such as src/auth.ts.")
}

/** The environment of the application. */
export interface Environs {
  readonly mode: string
  readonly envFiles: EnvFiles
  /** With the mode, as the application would have it. */
  readonly env: EnvFiles["env"]
}

/** What the application would have in its environment. */
export function environsOf(
  given: { mode: string | undefined; envFile: readonly string[] },
  project: Project | undefined,
  world: World,
): Environs {
  const mode = given.mode ?? world.env.NODE_ENV ?? "development"
  const envFiles = readEnvFiles({ named: given.envFile, mode, framework: readerOf(project) }, world)
  return { mode, envFiles, env: { ...envFiles.env, NODE_ENV: mode } }
}

/** The configuration, loaded with the environment. */
export async function configAround(
  path: string,
  exported: string | undefined,
  { env, project, world }: { env: EnvFiles["env"]; project: Project | undefined; world: World },
): Promise<FoundConfig> {
  world.fillEnvironment(env)
  return readConfig(path, { exported, env, project }, world)
}
