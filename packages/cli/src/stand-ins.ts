/**
 * Modules that stand in for what a module of an application imports and what cannot run here: integrations, which are asked
 * for the configuration they are given, and modules that a framework makes up while it builds.
 */
import { join } from "node:path"
import { CredentialsSignin, customFetch, skipCSRFCheck } from "@latchkey/core"
import * as errors from "@latchkey/core/errors"
import type { Exports, Surroundings } from "./load-module.js"
import type { Project } from "./project.js"
import type { Environment } from "./world.js"

/** Packages that take a configuration, and the function that takes it. */
const integrations = {
  "@latchkey/express": "ExpressAuth",
  "@latchkey/hono": "HonoAuth",
  "@latchkey/next": "NextAuth",
  "@latchkey/sveltekit": "SvelteKitAuth",
} as const

/** Anything: it can be called and taken apart, and does nothing. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_target, name) => (name === "then" || name === Symbol.iterator ? undefined : anything),
  apply: () => anything,
})

/** Configurations, or functions that return one, in the order they were handed over, with the integration's own base path. */
export type Recorded = readonly { readonly given: unknown; readonly basePath: string | undefined }[]

/** The stand-ins for a project, and what was handed to them. */
export function standIns(
  project: Project | undefined,
  { env, isProduction }: { env: Environment; isProduction: boolean },
): { readonly surroundings: Surroundings; readonly recorded: Recorded } {
  const recorded: Recorded[number][] = []
  const shared = { ...errors, CredentialsSignin, customFetch, skipCSRFCheck }
  const named = ["requireSession", "formAction", "authSession", "getSession", "signIn", "signOut", "update"]
  const functions = Object.fromEntries(named.map((name) => [name, anything]))
  const modules: Record<string, Exports> = {}
  for (const [name, factory] of Object.entries(integrations)) {
    const take = (config: unknown): unknown => {
      recorded.push({ given: config, basePath: name === "@latchkey/next" ? "/api/auth" : undefined })
      return anything
    }
    modules[name] = { ...functions, ...shared, [factory]: take, default: take }
  }
  const isKit = project?.frameworks.includes("sveltekit") === true
  return {
    recorded,
    surroundings: {
      modules: { ...modules, ...(isKit ? kitModules(env, isProduction) : {}), "server-only": {}, "client-only": {} },
      alias: isKit && project ? { $lib: join(project.folder, "src/lib") } : {},
    },
  }
}

function kitModules(env: Environment, isProduction: boolean): Readonly<Record<string, Exports>> {
  const about = { dev: !isProduction, browser: false, building: false, version: "" }
  return {
    "$env/dynamic/private": { env },
    "$env/dynamic/public": { env },
    "$env/static/private": env,
    "$env/static/public": env,
    "$app/env/private": env,
    "$app/environment": about,
    "$app/env": about,
    "$app/paths": { base: "", assets: "", resolve: (path: string) => path },
    "$app/server": { getRequestEvent: anything, read: anything },
  }
}
