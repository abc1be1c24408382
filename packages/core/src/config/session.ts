/** How a session is kept, how long it lives, what clients see of it; and how long functions of the application may take. */

import { randomHex } from "../crypto/token.js"
import type { Members } from "../std/json.js"
import { isAbsent, membersOf } from "./members.js"
import { readOption, secondsOf } from "./option-checks.js"
import { defaults } from "./options.js"
import type { Report } from "./report.js"
import type { Settings } from "./settings.js"

type SessionSettings = Pick<
  Settings,
  | "strategy"
  | "sessionMaxAge"
  | "sessionOverallMaxAge"
  | "sessionUpdateAge"
  | "generateSessionToken"
  | "verifyUser"
  | "verifiesManagedUser"
  | "exposed"
>

/** Reads `session`. */
export function sessionOf(members: Members, report: Report): SessionSettings {
  const given = membersOf(members.session)
  const generate = readOption("session.generateSessionToken", members)
  const hasAdapter = !isAbsent(members.adapter)
  const sessionMaxAge = secondsOf({ name: "session.maxAge", value: given.maxAge }, report)
  const updateAge = { name: "session.updateAge", value: given.updateAge } as const
  return {
    strategy: readOption("session.strategy", members) ?? (hasAdapter ? "database" : "jwt"),
    sessionMaxAge,
    sessionOverallMaxAge: overallOf(given.overallMaxAge, report),
    sessionUpdateAge: secondsOf({ ...updateAge, fallback: usualUpdateAge(sessionMaxAge) }, report),
    generateSessionToken: generate ? () => generate.call(members.session) : () => randomHex(),
    verifyUser: readOption("session.verifyUser", members) ?? false,
    verifiesManagedUser: readOption("session.verifyUser", members) !== false,
    exposed: exposedOf(given.expose, report),
  } as const
}

function overallOf(value: unknown, report: Report): number | undefined {
  return isAbsent(value) ? undefined : secondsOf({ name: "session.overallMaxAge", value }, report)
}

/** Claims of the token that mean something else than a member of the user. */
const claims: readonly string[] = ["sub", "iat", "exp", "nbf", "jti", "lk", "picture"]

/** Reads `session.expose`: names of members, none of which would write over what the token says of itself. */
function exposedOf(expose: unknown, report: Report): readonly string[] {
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
  const callback = secondsOf({ name: "callbackTimeout", value }, report)
  return { deadlines: Object.freeze({ callback, authorize: isAbsent(value) ? defaults.authorizeTimeout : callback }) }
}

/** A day; half the life of a session that lives no longer than that, because it would never be extended otherwise. */
function usualUpdateAge(maxAge: number): number {
  return maxAge > defaults.sessionUpdateAge ? defaults.sessionUpdateAge : Math.floor(maxAge / 2)
}
