/** Where sessions are kept, what clients see of one, and how long functions of the application may take. */

import type { Members } from "../std/json.js"
import { isAbsent } from "./members.js"
import { readSeconds } from "./option-checks.js"
import { defaults, type ResolvedOptions } from "./options.js"
import type { Report } from "./report.js"
import type { Settings } from "./settings.js"

/** Where sessions are kept. */
export function strategyOf(members: Members, options: ResolvedOptions): Settings["strategy"] {
  return options["session.strategy"] ?? (isAbsent(members.adapter) ? "jwt" : "database")
}

/** Claims of the token that mean something else than a member of the user. */
const claims: readonly string[] = ["sub", "iat", "exp", "nbf", "jti", "lk", "picture"]

/** Reads `session.expose`: names of members, none of which would write over what the token says of itself. */
export function exposedOf(expose: unknown, report: Report): readonly string[] {
  if (isAbsent(expose)) return []
  const names: readonly unknown[] = Array.isArray(expose) ? expose : [expose]
  const isFit = (name: unknown): name is string =>
    typeof name === "string" && /^[a-z]\w*$/i.test(name) && !claims.includes(name)
  const invalid = Array.isArray(expose) ? names.find((name) => !isFit(name)) : expose
  if (invalid !== undefined)
    report.mistake("session.expose", {
      expected: 'a list of members of the user, such as ["id"]',
      received: invalid,
      remedy: `Claims of the token itself (${claims.join(", ")}) cannot be exposed.`,
    })
  return Object.freeze([...new Set(names.filter(isFit))])
}

/** Reads `callbackTimeout`: one number for all, `false` for none. */
export function deadlinesOf(members: Members, report: Report): Pick<Settings, "deadlines"> {
  const { callbackTimeout: value } = members
  if (value === false) return { deadlines: Object.freeze({ callback: undefined, authorize: undefined }) }
  const given = { option: "callbackTimeout", value, least: 1, fallback: defaults.callbackTimeout } as const
  const callback = readSeconds(given, report)
  return { deadlines: Object.freeze({ callback, authorize: isAbsent(value) ? defaults.authorizeTimeout : callback }) }
}
