/** Cookies by role: the default names and attributes of each scheme, the application's overrides on top, and what is wrong with those. */
import type { Members } from "../std/json.js"
import type { CookieAttributes, CookieOption, CookieRole, CookiesOptions } from "../types/config.js"
import { isAbsent, isPlain, membersOf } from "./members.js"
import { checkKind } from "./option-checks.js"
import { choice, defaults, flag, fn, text, type ValueKind } from "./options.js"
import type { Mistake, Report } from "./report.js"
import type { CookieTable } from "./settings.js"

/** Default names without prefix. */
const names: Readonly<Record<keyof CookieTable, string>> = {
  sessionToken: "authjs.session-token",
  callbackUrl: "authjs.callback-url",
  csrfToken: "authjs.csrf-token",
  pkceCodeVerifier: "authjs.pkce.code_verifier",
  state: "authjs.state",
  nonce: "authjs.nonce",
  webauthnChallenge: "authjs.challenge",
  device: "authjs.device",
}

/** All roles that may be overridden. */
export const cookieRoles: readonly CookieRole[] = Object.keys(names).filter(
  (role): role is CookieRole => role !== "device",
)

/** The cookies of one OAuth flow. Several flows may be pending in a browser, each with its own. */
export const flowRoles = ["state", "pkceCodeVerifier", "nonce"] as const

/** The cookies that remember what an answer is checked against. They end with their flow. */
export type CheckRole = (typeof flowRoles)[number] | "webauthnChallenge"

const checkRoles: readonly CookieRole[] = [...flowRoles, "webauthnChallenge"] satisfies CheckRole[]

/** Names and attributes for one scheme. An override of the name counts as it is; attributes merge one by one. */
export function cookieTable(secure: boolean, overrides?: Partial<CookiesOptions> | null): CookieTable {
  if (isAbsent(overrides)) return secure ? defaultTables.secure : defaultTables.plain
  return makeTable(secure, membersOf(overrides))
}

function makeTable(secure: boolean, given: Members): CookieTable {
  const overrides: Members = { ...given, device: undefined }
  const entries = (Object.keys(names) as (keyof CookieTable)[]).map(
    (role) => [role, cookieOption({ role, secure, override: overrides[role] })] as const,
  )
  return Object.freeze(Object.fromEntries(entries)) as CookieTable
}

/** Frozen, and the same for almost every application: made once. */
const defaultTables: Readonly<Record<"plain" | "secure", CookieTable>> = {
  plain: makeTable(false, {}),
  secure: makeTable(true, {}),
}

function cookieOption({ role, secure, override }: { role: keyof CookieTable; secure: boolean; override: unknown }) {
  const given = membersOf(override)
  const options = {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure,
    ...((checkRoles as readonly (keyof CookieTable)[]).includes(role) && { maxAge: defaults.checkMaxAge }),
    ...spelled(membersOf(given.options)),
  }
  const kept = Object.entries(options).filter(([, value]) => value !== null)
  return Object.freeze({
    name: typeof given.name === "string" ? given.name : prefixOf(role, secure) + names[role],
    // Without a prototype: what was added to `Object.prototype` is no attribute of a cookie. Taken away afterwards,
    // because engines copy an object faster that was made with one.
    options: Object.freeze(Object.setPrototypeOf(Object.fromEntries(kept), null)) as CookieAttributes,
  })
}

function prefixOf(role: keyof CookieTable, secure: boolean): string {
  if (!secure) return ""
  return role === "csrfToken" || role === "device" ? "__Host-" : "__Secure-"
}

/** RFC 6265bis §4.1.3: names that ask for attributes. Browsers read them in any case. */
const prefixed = /^__(?:host|secure)-/i

/**
 * The table for http of an application that may be served by https as well: a cookie whose name asks for Secure has it.
 * Browsers drop it otherwise, and take it over http from their own machine.
 */
export function securedByName(table: CookieTable): CookieTable {
  const entries = Object.entries(table).map(([role, cookie]: [string, CookieOption]) => {
    if (!prefixed.test(cookie.name) || cookie.options.secure) return [role, cookie]
    const options: CookieAttributes = Object.assign(Object.create(null), cookie.options, { secure: true })
    return [role, Object.freeze({ ...cookie, options: Object.freeze(options) })]
  })
  return Object.freeze(Object.fromEntries(entries)) as CookieTable
}

/** `SameSite` and `Priority` are accepted in any case. */
function spelled(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const result: Record<string, unknown> = { ...options }
  for (const name of ["sameSite", "priority"]) {
    if (typeof result[name] === "string") result[name] = result[name].toLowerCase()
  }
  return result
}

/** RFC 6265 §4.1.1: a name is a token. The salt of a cookie is its name, and key derivation sets an end to salts. */
const nameKind = {
  expected: "a cookie name (RFC 6265 §4.1.1)",
  isFit: (name: unknown): boolean => /^[\w!#$%&'*+.^`|~-]{1,256}$/.test(String(name)),
}
const domainShape = /^\.?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i
const pathShape = /^\/[!-:<-~]*$/

const sameSite = choice("lax", "strict", "none")

/** What the attributes of a cookie have to be. */
const attributeKinds: Readonly<Record<keyof CookieAttributes, Pick<ValueKind, "expected" | "isFit">>> = {
  sameSite: { ...sameSite, isFit: (value) => typeof value === "boolean" || sameSite.isFit(value) },
  path: { expected: "a path", isFit: (value) => typeof value === "string" && pathShape.test(value) },
  domain: { expected: "a host name", isFit: (value) => typeof value === "string" && domainShape.test(value) },
  maxAge: { expected: "whole seconds", isFit: (value) => Number.isSafeInteger(value) && (value as number) >= 0 },
  expires: { expected: "a date", isFit: (value) => value instanceof Date && !Number.isNaN(value.getTime()) },
  priority: choice("low", "medium", "high"),
  encode: fn,
  httpOnly: flag,
  secure: flag,
  partitioned: flag,
}

/** Reports what a browser would silently drop: of the overrides as they are written, and of the table that is in use with them. */
export function checkCookies(overrides: unknown, table: CookieTable, report: Report): void {
  if (!checkShape(overrides, report)) return
  for (const role of cookieRoles) checkCookie(role, table[role], report)
  checkCookieNames(table, report)
}

function checkShape(overrides: unknown, report: Report): boolean {
  if (isAbsent(overrides)) return true
  if (!isPlain(overrides)) {
    const remedy = 'Write "cookies: { sessionToken: { name, options } }".'
    report.mistake("cookies", { expected: "an object", received: overrides, remedy })
    return false
  }
  for (const [role, override] of Object.entries(membersOf(overrides))) {
    if (!(cookieRoles as readonly string[]).includes(role)) {
      const expected = `one of ${cookieRoles.join(", ")}`
      report.mistake("cookies", { expected, received: role, remedy: "Correct the name, or leave it out." })
    } else if (override !== null && !isPlain(override)) {
      const given = { expected: "an object with `name` or `options`", received: override }
      report.mistake(`cookies.${role}`, { ...given, remedy: "Leave it out for the default." })
    }
    const received = membersOf(override).name
    checkKind({ ...text, remedy: "Leave it out." }, { option: `cookies.${role}.name`, received }, report)
  }
  return true
}

function checkCookie(role: CookieRole, { name, options }: CookieOption, report: Report): void {
  const { secure, domain, path, sameSite } = options
  const check = (option: string, isRight: boolean, given: Mistake): void => {
    if (!isRight) report.mistake(`cookies.${role}.${option}`, given)
  }
  // Browsers drop a cookie whose prefix its attributes do not keep.
  const isHost = /^__host-/i.test(name)
  const mayBePlain = !prefixed.test(name)
  const remedy = `The name "${name}" requires it; otherwise set another "name".`
  check("options.secure", mayBePlain || secure === true, { expected: "true", received: secure, remedy })
  check("options.domain", !isHost || domain === undefined, { expected: "no domain", received: domain, remedy })
  check("options.path", !isHost || path === "/", { expected: '"/"', received: path, remedy })
  // RFC 6265bis §5.7 step 18.
  const needsSecure = "Browsers reject a cookie with SameSite=None that is not Secure."
  const isPlainForAll = sameSite === "none" && !secure
  check("options.secure", !isPlainForAll, { expected: "true", received: secure, remedy: needsSecure })
  checkKind(nameKind, { option: `cookies.${role}.name`, received: name }, report)
  for (const [attribute, kind] of Object.entries(attributeKinds)) {
    const received = options[attribute as keyof CookieAttributes]
    checkKind(kind, { option: `cookies.${role}.options.${attribute}`, received }, report)
  }
}

/** Two cookies of one name overwrite each other; the session's chunks carry its name with a number. */
function checkCookieNames(table: CookieTable, report: Report): void {
  const session = table.sessionToken.name
  const seen = new Map<string, keyof CookieTable>([[table.device.name, "device"]])
  for (const role of cookieRoles) {
    const { name } = table[role]
    const twin = seen.get(name)
    const isChunk = name.startsWith(`${session}.`) && /^\d+$/.test(name.slice(session.length + 1))
    if (twin !== undefined || isChunk) {
      const expected = twin ? `a name other than that of ${twin}` : "a name other than those of parts of sessionToken"
      report.mistake(`cookies.${role}.name`, { expected, received: name, remedy: "Give each cookie its own name." })
    }
    seen.set(name, role)
  }
}
