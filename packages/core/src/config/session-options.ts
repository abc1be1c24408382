/** How long a session lives, how it is kept, and which keys seal it. */
import { createKeyring, type Keyring } from "../crypto/keyring.js"
import { randomHex } from "../crypto/token.js"
import { conceal } from "../std/conceal.js"
import type { Caches } from "./caches.js"
import { type Members, membersOf } from "./members.js"
import { secondsOf } from "./option-values.js"
import type { Report } from "./report.js"
import { readSecrets } from "./secrets.js"
import { defaults, type Settings } from "./settings.js"

type SessionSettings = Pick<
  Settings,
  "strategy" | "sessionMaxAge" | "sessionUpdateAge" | "generateSessionToken" | "verifyUser" | "exposed"
>

/** Reads `session`. */
export function sessionOf(members: Members, report: Report): SessionSettings {
  const given = membersOf(members.session)
  const { strategy, generateSessionToken } = given
  const hasAdapter = members.adapter !== undefined && members.adapter !== null
  const isKnown = strategy === "jwt" || strategy === "database"
  const sessionMaxAge = secondsOf({ name: "session.maxAge", value: given.maxAge }, report)
  const updateAge = { name: "session.updateAge", value: given.updateAge } as const
  return {
    strategy: isKnown ? strategy : hasAdapter ? "database" : "jwt",
    sessionMaxAge,
    sessionUpdateAge: secondsOf({ ...updateAge, fallback: usualUpdateAge(sessionMaxAge) }, report),
    generateSessionToken:
      typeof generateSessionToken === "function"
        ? () => generateSessionToken.call(members.session) as string
        : () => randomHex(),
    verifyUser: given.verifyUser === true,
    exposed: exposedOf(given.expose, report),
  } as const
}

/** Claims of the token that mean something else than a member of the user. */
const claims: readonly string[] = ["sub", "iat", "exp", "nbf", "jti", "lk", "picture"]

/** Reads `session.expose`: names of members, none of which would write over what the token says of itself. */
function exposedOf(expose: unknown, report: Report): readonly string[] {
  if (expose === undefined || expose === null) return []
  const names: readonly unknown[] = Array.isArray(expose) ? expose : [expose]
  const isFit = (name: unknown): name is string =>
    typeof name === "string" && /^[a-z]\w*$/i.test(name) && !claims.includes(name)
  const unfit = Array.isArray(expose) ? names.find((name) => !isFit(name)) : expose
  if (unfit !== undefined)
    report.mistake("session.expose", {
      expected: 'a list of members of the user, such as ["id"]',
      received: unfit,
      remedy: `Claims of the token itself (${claims.join(", ")}) cannot be exposed.`,
    })
  return Object.freeze([...new Set(names.filter(isFit))])
}

/** Reads `callbackTimeout`: one number for all, `false` for none. */
export function deadlinesOf(members: Members, report: Report): Pick<Settings, "deadlines"> {
  const { callbackTimeout: value } = members
  if (value === false) return { deadlines: Object.freeze({ callback: undefined, authorize: undefined }) }
  const callback = secondsOf({ name: "callbackTimeout", value }, report)
  const isGiven = value !== undefined && value !== null
  return { deadlines: Object.freeze({ callback, authorize: isGiven ? callback : defaults.authorizeTimeout }) }
}

/** A day; half the life of a session that lives no longer than that, because it would never be extended otherwise. */
function usualUpdateAge(maxAge: number): number {
  return maxAge > defaults.sessionUpdateAge ? defaults.sessionUpdateAge : Math.floor(maxAge / 2)
}

/** Makes the keys and reads `jwt`. */
export function tokensOf(
  given: { members: Members; secrets: readonly string[]; caches: Caches; maxAge: number; isProduction: boolean },
  report: Report,
): Pick<Settings, "keyring" | "jwt"> {
  const { secrets, caches } = given
  const jwt = membersOf(given.members.jwt)
  // Nothing may be sealed with a secret that others know: without one, keys are made up for this process.
  const ringOf = (list: readonly string[]): Keyring =>
    createKeyring(list.length > 0 ? list : [randomHex()], caches.keys)
  const keyring = ringOf(secrets)
  const own = jwt.secret ?? undefined
  const ownSecrets =
    own === undefined ? secrets : readSecrets("jwt.secret", own, { report, isProduction: given.isProduction })
  const maxAge = { name: "jwt.maxAge", value: jwt.maxAge, fallback: given.maxAge } as const
  return {
    keyring,
    jwt: Object.freeze(
      conceal({
        secret: ownSecrets.length === 1 ? (ownSecrets[0] as string) : [...ownSecrets],
        keyring: own === undefined ? keyring : ringOf(ownSecrets),
        maxAge: secondsOf(maxAge, report),
        encode: functionOf<NonNullable<Settings["jwt"]["encode"]>>(jwt.encode),
        decode: functionOf<NonNullable<Settings["jwt"]["decode"]>>(jwt.decode),
      }),
    ),
  }
}

function functionOf<F>(value: unknown): F | undefined {
  return typeof value === "function" ? (value as F) : undefined
}
