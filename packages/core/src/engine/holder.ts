/** Settings are resolved once for a configuration and used again until a member of it is exchanged. */

import type { Caches } from "../config/caches.js"
import { resolveSettings } from "../config/resolve.js"
import type { Settings } from "../config/settings.js"
import { warnOnce } from "../config/warn-once.js"
import type { AuthConfig } from "../types/config.js"
import type { WarningCode } from "../types/hooks.js"

/** What was resolved, and the members it was resolved from. */
export interface Held {
  readonly settings: Settings
  readonly members: readonly unknown[] | undefined
}

/**
 * Everything a configuration is judged by: its own members, those of its groups, each provider. `undefined` where it
 * cannot be read; what is wrong with it, resolving says.
 */
function membersOf(config: AuthConfig): readonly unknown[] | undefined {
  const members: unknown[] = []
  try {
    collect(members, config)
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
export function hold(
  held: Held | undefined,
  config: AuthConfig,
  given: {
    env: Readonly<Record<string, string | undefined>>
    caches: Caches
    mount: string | undefined
    /** A framework may have filled the configuration from the environment: that it repeats it then says nothing. */
    isFilled?: boolean
  },
): Held {
  const members = membersOf(config)
  if (held?.members && members && isSame(held.members, members)) return held
  const { mount, isFilled = false, ...rest } = given
  const settings = resolveSettings(config, { ...rest, ...(mount !== undefined && { mount }) })
  const unsaid: WarningCode | undefined = isFilled ? "env-url-basepath-redundant" : undefined
  for (const code of settings.warnings) if (code !== unsaid) warnOnce(settings, code)
  return { settings, members }
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((member, index) => Object.is(member, now[index]))
}
