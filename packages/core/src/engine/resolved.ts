/** Settings are resolved once for a configuration and used again until one of its members is replaced. */

import type { Caches } from "../config/caches.js"
import { filledAddressOf } from "../config/environment.js"
import { resolveSettings } from "../config/resolve.js"
import { keyOfLogger, type Settings, warnOnce } from "../config/settings.js"
import { fromModule } from "../std/lazy.js"
import { environment } from "../std/runtime.js"
import type { AuthConfig } from "../types/config.js"
import type { WarningCode } from "../types/hooks.js"

/** What was resolved, and the members it was resolved from. */
export interface Resolved {
  readonly settings: Settings
  readonly members: readonly unknown[] | undefined
  /** The environment as it was at the start, until the first request: variables may be loaded in between. */
  readonly environment?: string
}

/** What a configuration is resolved with. */
export interface ResolvedFrom {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly caches: Caches
  readonly mount: string | undefined
  /** A framework may have filled the configuration from the environment: that it repeats it then says nothing. */
  readonly isFilled?: boolean
}

/**
 * What is compared to find out whether a configuration was changed: its own members, those of `session`, `jwt` and
 * `pages`, and each provider. `undefined` where it cannot be read; resolving it then says what is wrong.
 */
function watchedMembers(config: AuthConfig): readonly unknown[] | undefined {
  const members: unknown[] = []
  try {
    collect(members, config)
    members.push(filledAddressOf(config))
    collect(members, config.session)
    collect(members, config.jwt)
    collect(members, config.pages)
    if (Array.isArray(config.providers)) members.push(...config.providers)
  } catch {
    return undefined
  }
  return members
}

function collect(members: unknown[], group: object | undefined): void {
  if (typeof group !== "object" || group === null) return
  for (const [name, value] of Object.entries(group)) members.push(name, value)
}

/** The same settings while every member is identical, new ones otherwise. */
export function resolveOnce(resolved: Resolved | undefined, config: AuthConfig, given: ResolvedFrom): Resolved {
  const members = watchedMembers(config)
  if (resolved?.members && members && isSame(resolved.members, members)) {
    if (resolved.environment === undefined) return resolved
    if (resolved.environment === variablesOf(given.env)) return { settings: resolved.settings, members }
  }
  const { mount, isFilled = false, ...rest } = given
  const settings = resolveSettings(config, { ...rest, ...(mount !== undefined && { mount }) })
  const unsaid: WarningCode | undefined = isFilled ? "env-url-basepath-redundant" : undefined
  for (const code of settings.warnings) if (code !== unsaid) warnOnce(settings, code)
  return { settings, members }
}

/** What is resolved when a service is made: whatever is wrong is logged, each thing once for each logger. */
export function resolveAtStart(config: AuthConfig, given: ResolvedFrom): Resolved {
  const resolved = resolveOnce(undefined, config, given)
  const { logger, problems } = resolved.settings
  const key = keyOfLogger(resolved.settings)
  for (const problem of problems) {
    const name = `${problem.name} ${problem.message.slice(0, 500)}`
    if (given.caches.loggedOnce.get(key, name)) continue
    given.caches.loggedOnce.set(key, name, true)
    logger.error(problem)
  }
  const early = { ...resolved, environment: variablesOf(given.env) }
  if (isDevelopment(given) && isFirst(given.caches)) {
    checkInDevelopment(() => resolveOnce(early, config, given).settings, given.env).catch(() => undefined)
  }
  return early
}

const checkInDevelopment = fromModule(
  () => import("./development.js"),
  (module) => module.checkInDevelopment,
)

/** Of this process, and of the environment that was given unless it says nothing. */
function isDevelopment({ env }: ResolvedFrom): boolean {
  try {
    const mode = environment()["NODE_ENV"]
    return mode === "development" && (env["NODE_ENV"] ?? mode) === mode
  } catch {
    // Deno throws where the permission to read variables is missing.
    return false
  }
}

/** Integrations may make a service for every request. */
function isFirst({ loggedOnce }: Caches): boolean {
  const isChecked = loggedOnce.get("process", "checked") === true
  loggedOnce.set("process", "checked", true)
  return !isChecked
}

/** The variables that settings may depend on, as text that can be compared. */
function variablesOf(env: ResolvedFrom["env"]): string {
  const isOurs = (name: string): boolean =>
    name.startsWith("AUTH_") || name === "NODE_ENV" || name === "VERCEL" || name === "CF_PAGES"
  return JSON.stringify(Object.entries(env).filter(([name]) => isOurs(name)))
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((member, index) => Object.is(member, now[index]))
}
