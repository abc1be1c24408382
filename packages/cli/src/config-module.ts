/** Finding the configuration in a module of the project. */
import { type Adapter, type AuthConfig, type AuthInspection, createAuth, inspectAuth } from "@latchkey/core"
import { UsageError } from "./command.js"
import { loadModule } from "./load-module.js"
import type { Environment, World } from "./world.js"

/** Exports that are looked at, in this order, when none is named. */
const usualExports = ["authConfig", "config", "default", "auth"] as const

/** What a module exports: a configuration, or the service made with one. */
export interface FoundConfig {
  readonly adapter: Adapter | undefined
  /** What it came to; a configuration is resolved with this environment, a service has its own. */
  inspect(env: Environment): AuthInspection
}

function isConfig(value: unknown): value is AuthConfig {
  return typeof value === "object" && value !== null && "providers" in value
}

function configIn(value: unknown): FoundConfig | undefined {
  if (isConfig(value)) return { adapter: value.adapter, inspect: (env) => inspectAuth(createAuth(value, { env })) }
  const inspection = inspectAuth(value)
  return inspection && { adapter: inspection.adapter, inspect: () => inspection }
}

/** The configuration or service that the module exports, under the given name or one of the usual ones. */
export async function readConfig(
  path: string,
  exported: string | undefined,
  world: Pick<World, "cwd" | "files">,
): Promise<FoundConfig> {
  const module = await loadModule(path, world)
  const names = exported === undefined ? usualExports.filter((name) => name in module) : [exported]
  for (const name of names) {
    const found = configIn(module[name])
    if (found) return found
  }
  const isFunction = names.some((name) => typeof module[name] === "function")
  const there = Object.keys(module).join(", ") || "nothing"
  throw new UsageError(
    `"${path}" exports no configuration${exported === undefined ? "" : ` as "${exported}"`}; it exports ${there}. ` +
      `Export the object with "providers"${isFunction ? " itself, not a function that makes it" : ""}, or name it with --export.`,
  )
}
