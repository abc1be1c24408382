/** Cookies by role: the default names and attributes of each scheme, and the application's overrides on top. */
import type { CookieAttributes, CookieRole, CookiesOptions } from "../types/config.js"
import { type Members, membersOf } from "./members.js"
import { type CookieTable, defaults } from "./settings.js"

/** Default names without prefix. */
const names: Readonly<Record<CookieRole, string>> = {
  sessionToken: "authjs.session-token",
  callbackUrl: "authjs.callback-url",
  csrfToken: "authjs.csrf-token",
  pkceCodeVerifier: "authjs.pkce.code_verifier",
  state: "authjs.state",
  nonce: "authjs.nonce",
  webauthnChallenge: "authjs.challenge",
}

/** All roles. */
export const cookieRoles: readonly CookieRole[] = Object.keys(names) as CookieRole[]

/** The cookies of one OAuth flow. Several flows may be pending in a browser, each with its own. */
export const flowRoles = ["state", "pkceCodeVerifier", "nonce"] as const

/** The cookies that remember what an answer is checked against. They end with their flow. */
export type CheckRole = (typeof flowRoles)[number] | "webauthnChallenge"

const checkRoles: readonly CookieRole[] = [...flowRoles, "webauthnChallenge"] satisfies CheckRole[]

/** Names and attributes for one scheme. An override of the name counts as it is; attributes merge one by one. */
export function cookieTable({
  secure,
  overrides,
}: {
  secure: boolean
  overrides?: Partial<CookiesOptions> | undefined
}): CookieTable {
  if (overrides === undefined || overrides === null) return secure ? defaultTables.secure : defaultTables.plain
  return makeTable(secure, membersOf(overrides))
}

function makeTable(secure: boolean, given: Members): CookieTable {
  const entries = cookieRoles.map((role) => [role, cookieOption({ role, secure, override: given[role] })] as const)
  return Object.freeze(Object.fromEntries(entries)) as CookieTable
}

/** Frozen, and the same for almost every application: made once. */
const defaultTables: Readonly<Record<"plain" | "secure", CookieTable>> = {
  plain: makeTable(false, {}),
  secure: makeTable(true, {}),
}

function cookieOption({ role, secure, override }: { role: CookieRole; secure: boolean; override: unknown }) {
  const given = membersOf(override)
  const options = {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure,
    ...(checkRoles.includes(role) && { maxAge: defaults.checkMaxAge }),
    ...spelled(membersOf(given.options)),
  }
  const kept = Object.entries(options).filter(([, value]) => value !== null)
  return Object.freeze({
    name: typeof given.name === "string" ? given.name : `${prefixOf(role, secure)}${names[role]}`,
    // Without a prototype: what was added to `Object.prototype` is no attribute of a cookie. Taken away afterwards,
    // because engines copy an object faster that was made with one.
    options: Object.freeze(Object.setPrototypeOf(Object.fromEntries(kept), null)) as CookieAttributes,
  })
}

function prefixOf(role: CookieRole, secure: boolean): string {
  if (!secure) return ""
  return role === "csrfToken" ? "__Host-" : "__Secure-"
}

/** `SameSite` and `Priority` are accepted in any case. */
function spelled(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = { ...options }
  for (const name of ["sameSite", "priority"]) {
    if (typeof result[name] === "string") result[name] = result[name].toLowerCase()
  }
  return result
}
