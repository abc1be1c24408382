/** Finding the configuration in a module of the project. */
import {
  type Adapter,
  type AuthConfig,
  type AuthInspection,
  type AuthService,
  createAuth,
  inspectAuth,
} from "@latchkey/core"
import { Failure, UsageError } from "./command.js"
import { loadModule } from "./load-module.js"
import type { Project } from "./project.js"
import { type Recorded, standIns } from "./stand-ins.js"
import { messageOf } from "./thrown.js"
import type { Environment, World } from "./world.js"

/** Exports that are looked at, in this order, when none is named. */
const usualExports = ["authConfig", "config", "default", "auth"] as const

/** What a module exports: a configuration, or the service made with one. */
export interface FoundConfig {
  readonly adapter: Adapter | undefined
  /** As it was written; absent where a service was found. */
  readonly written?: AuthConfig
  /** What it came to; a configuration is resolved with this environment, a service has its own. */
  inspect(env: Environment): AuthInspection
  /** The service, made with this environment by the core of this program; one that was found is itself. */
  service(env: Environment): AuthService<unknown>
}

/** How the module is loaded. */
export interface ConfigChoice {
  readonly exported: string | undefined
  readonly env: Environment
  readonly project?: Project | undefined
}

function isConfig(value: unknown): value is AuthConfig {
  return typeof value === "object" && value !== null && "providers" in value
}

/** What was found is reported by whoever asked; the service itself says nothing on the console. */
const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined }

function configIn(value: unknown, basePath?: string): FoundConfig | undefined {
  if (isConfig(value)) {
    const inspected = { ...value, logger: silent }
    const service = (env: Environment): AuthService =>
      createAuth(inspected, { env, ...(basePath !== undefined && !hasPath(env) && { basePath }) })
    return { adapter: value.adapter, written: value, inspect: (env) => inspectAuth(service(env)), service }
  }
  const inspection = inspectAuth(value)
  const service = (): AuthService => value as AuthService
  return inspection && { adapter: inspection.adapter, inspect: () => inspection, service }
}

/** Does AUTH_URL name a path, which counts more than the integration's own? */
function hasPath({ AUTH_URL: address = "" }: Environment): boolean {
  return URL.canParse(address) && new URL(address).pathname !== "/"
}

/** A configuration that is made for each request: here for an empty request. */
async function recordedConfig(recorded: Recorded, env: Environment): Promise<FoundConfig | undefined> {
  const [first] = recorded
  if (first === undefined) return undefined
  const { given, basePath } = first
  if (typeof given !== "function") return configIn(given, basePath)
  const request = new Request("http://localhost/")
  const event = {
    request,
    url: new URL(request.url),
    headers: request.headers,
    locals: {},
    platform: { env },
    env,
    req: request,
  }
  try {
    return configIn(await given(event), basePath)
  } catch (error) {
    throw new Failure(
      `The function that makes the configuration failed for a request to http://localhost/: ${messageOf(error)}`,
      { cause: error },
    )
  }
}

/** The configuration or service that the module exports, or hands to an integration. */
export async function readConfig(
  path: string,
  { exported, env, project }: ConfigChoice,
  world: Pick<World, "cwd" | "files">,
): Promise<FoundConfig> {
  const isIntegrated = Object.keys(project?.manifest.dependencies ?? {}).some((name) =>
    /^@latchkey\/(?:express|hono|next|sveltekit)$/.test(name),
  )
  const { recorded, surroundings } = standIns(project, { env, isProduction: env.NODE_ENV === "production" })
  const module = await loadModule(path, world, isIntegrated ? surroundings : undefined)
  const names = exported === undefined ? usualExports.filter((name) => name in module) : [exported]
  for (const name of names) {
    const handed = recorded.find(({ given }) => given === module[name])
    const found = configIn(module[name], handed?.basePath)
    if (found) return found
  }
  const found = exported === undefined ? await recordedConfig(recorded, env) : undefined
  if (found) return found
  throw new UsageError(missing(path, { exported, module, names }))
}

interface Missing {
  readonly exported: string | undefined
  readonly module: Readonly<Record<string, unknown>>
  readonly names: readonly string[]
}

function missing(path: string, { exported, module, names }: Missing): string {
  const isFunction = names.some((name) => typeof module[name] === "function")
  const there = Object.keys(module).join(", ") || "nothing"
  return (
    `"${path}" exports no configuration${exported === undefined ? "" : ` as "${exported}"`}; it exports ${there}. ` +
    `Export the object with "providers"${isFunction ? " itself, not a function that makes it" : ""}, or name it with --export.`
  )
}
