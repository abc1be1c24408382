/** What is wrong with the names and attributes of cookies: what a browser would silently drop is reported here. */
import type { CookieAttributes, CookieRole } from "../types/config.js"
import { cookieRoles } from "./cookies.js"
import { isPlain, membersOf } from "./members.js"
import type { Mistake } from "./mistake.js"
import type { Report } from "./report.js"
import type { CookieTable } from "./settings.js"

/** RFC 6265 §4.1.1: a name is a token. The salt of a cookie is its name, and key derivation sets an end to salts. */
const nameShape = /^[\w!#$%&'*+.^`|~-]{1,256}$/
const domainShape = /^\.?[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i
const pathShape = /^\/[!-:<-~]*$/

type Check = readonly [option: string, isWrong: boolean, given: Mistake]

/** Judges the overrides as they are written, and the table that is in use with them. */
export function judgeCookies(overrides: unknown, table: CookieTable, report: Report): void {
  if (!judgeShape(overrides, report)) return
  for (const role of cookieRoles) {
    for (const [option, isWrong, given] of checksOf(role, table)) {
      if (isWrong) report.mistake(`cookies.${role}.${option}`, given)
    }
  }
  judgeTwins(table, report)
}

function judgeShape(overrides: unknown, report: Report): boolean {
  if (overrides === undefined || overrides === null) return true
  if (!isPlain(overrides)) {
    const remedy = 'Write "cookies: { sessionToken: { name, options } }".'
    report.mistake("cookies", { expected: "an object", received: overrides, remedy })
    return false
  }
  for (const [role, override] of Object.entries(membersOf(overrides))) {
    const expected = "an object with `name` or `options`"
    if (!(cookieRoles as readonly string[]).includes(role)) {
      const remedy = `The cookies are ${cookieRoles.join(", ")}.`
      report.mistake(`cookies.${role}`, { expected: "no such cookie", received: override, remedy })
    } else if (override !== null && !isPlain(override)) {
      report.mistake(`cookies.${role}`, { expected, received: override, remedy: "Leave it out for the default." })
    }
    const { name } = membersOf(override)
    if (name !== undefined && name !== null && typeof name !== "string") {
      report.mistake(`cookies.${role}.name`, { expected: "a string", received: name, remedy: "Leave it out." })
    }
  }
  return true
}

function checksOf(role: CookieRole, table: CookieTable): readonly Check[] {
  const { name, options } = table[role]
  return [...prefixChecks(name, options), ...attributeChecks(name, options)]
}

/** RFC 6265bis §4.1.3: browsers drop a cookie whose prefix its attributes do not keep. They read prefixes in any case. */
function prefixChecks(name: string, { secure, domain, path }: CookieAttributes): readonly Check[] {
  const isHost = /^__host-/i.test(name)
  const isPrefixed = isHost || /^__secure-/i.test(name)
  const remedy = `The name "${name}" demands it; set another "name" otherwise.`
  return [
    ["options.secure", isPrefixed && secure !== true, { expected: "true", received: secure, remedy }],
    ["options.domain", isHost && domain !== undefined, { expected: "no domain", received: domain, remedy }],
    ["options.path", isHost && path !== "/", { expected: '"/"', received: path, remedy }],
  ]
}

function attributeChecks(name: string, options: CookieAttributes): readonly Check[] {
  const { sameSite, secure, path, domain, maxAge, expires, priority, encode } = options
  const remedy = "Correct it, or leave it out for the default."
  const isAbsent = (value: unknown): boolean => value === undefined
  const flags = (["httpOnly", "secure", "partitioned"] as const).map(
    (flag): Check => [
      `options.${flag}`,
      !isAbsent(options[flag]) && typeof options[flag] !== "boolean",
      { expected: "true or false", received: options[flag], remedy },
    ],
  )
  const needsSecure = "A browser drops a cookie for all sites that is not for https."
  const isSite =
    isAbsent(sameSite) || typeof sameSite === "boolean" || ["lax", "strict", "none"].includes(sameSite as string)
  const isPriority = isAbsent(priority) || ["low", "medium", "high"].includes(priority as string)
  const isDomain = typeof domain === "string" && domainShape.test(domain)
  const isPath = typeof path === "string" && pathShape.test(path)
  return [
    ["name", !nameShape.test(name), { expected: "a cookie name (RFC 6265 §4.1.1)", received: name, remedy }],
    ["options.sameSite", !isSite, { expected: '"lax", "strict" or "none"', received: sameSite, remedy }],
    // RFC 6265bis §5.7 step 18.
    ["options.secure", sameSite === "none" && !secure, { expected: "true", received: secure, remedy: needsSecure }],
    ["options.path", !isAbsent(path) && !isPath, { expected: "a path", received: path, remedy }],
    ["options.domain", !isAbsent(domain) && !isDomain, { expected: "a host name", received: domain, remedy }],
    ["options.maxAge", !isAbsent(maxAge) && !isAge(maxAge), { expected: "whole seconds", received: maxAge, remedy }],
    ["options.expires", !isAbsent(expires) && !isDate(expires), { expected: "a date", received: expires, remedy }],
    ["options.priority", !isPriority, { expected: '"low", "medium" or "high"', received: priority, remedy }],
    [
      "options.encode",
      !isAbsent(encode) && typeof encode !== "function",
      { expected: "a function", received: encode, remedy },
    ],
    ...flags,
  ]
}

function isAge(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isDate(value: unknown): boolean {
  return value instanceof Date && !Number.isNaN(value.getTime())
}

/** Two cookies of one name overwrite each other; the session's chunks carry its name with a number. */
function judgeTwins(table: CookieTable, report: Report): void {
  const session = table.sessionToken.name
  const seen = new Map<string, CookieRole>()
  for (const role of cookieRoles) {
    const { name } = table[role]
    const twin = seen.get(name)
    const isChunk = name.startsWith(`${session}.`) && /^\d+$/.test(name.slice(session.length + 1))
    if (twin !== undefined || isChunk) {
      const expected = `a name that ${twin ?? "no part of sessionToken"} does not have`
      report.mistake(`cookies.${role}.name`, { expected, received: name, remedy: "Give each cookie its own name." })
    }
    seen.set(name, role)
  }
}
