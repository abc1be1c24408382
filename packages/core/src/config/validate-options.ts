/** What is wrong with single options: what would fail later, and far from its cause, is told here. */
import { type Checker, createChecker } from "./checker.js"
import { isMarker, type Marker } from "./markers.js"
import { type Members, membersOf } from "./members.js"
import { isPromise } from "./mistake.js"
import type { Report } from "./report.js"

/** Judges the kinds of values. */
export function judgeOptions(members: Members, report: Report): void {
  const check = createChecker(report)
  judgeAdapter(members.adapter, report)
  for (const name of ["trustHost", "useSecureCookies", "debug"]) check.is("flag", name, members[name])
  for (const name of ["session", "jwt", "pages", "theme", "experimental"]) check.isGroup(name, members[name])
  judgeMarkers(members, report)
  judgeGroups(members, check)
  judgeFunctions(members, check)
  judgePages(members.pages, report)
}

function judgeAdapter(adapter: unknown, report: Report): void {
  if (adapter === undefined || adapter === null || (typeof adapter === "object" && !isPromise(adapter))) return
  const mend = typeof adapter === "function" ? "Call it." : "Await what makes it."
  report.mistake("adapter", { expected: "an object with the operations of a data layer", received: adapter, mend })
}

function judgeGroups(members: Members, check: Checker): void {
  const session = membersOf(members.session)
  const jwt = membersOf(members.jwt)
  const theme = membersOf(members.theme)
  check.isOneOf(["jwt", "database"], "session.strategy", session.strategy)
  check.is("function", "session.generateSessionToken", session.generateSessionToken)
  check.is("flag", "session.verifyUser", session.verifyUser)
  for (const name of ["encode", "decode"]) check.is("function", `jwt.${name}`, jwt[name])
  check.is("flag", "experimental.enableWebAuthn", membersOf(members.experimental).enableWebAuthn)
  check.isOneOf(["auto", "dark", "light"], "theme.colorScheme", theme.colorScheme)
  for (const name of ["logo", "brandColor", "buttonText"]) check.is("text", `theme.${name}`, theme[name])
}

const functions: Readonly<Record<string, readonly string[]>> = {
  callbacks: ["signIn", "redirect", "session", "jwt"],
  events: ["signIn", "signOut", "createUser", "updateUser", "linkAccount", "session"],
  logger: ["error", "warn", "debug"],
}

function judgeFunctions(members: Members, check: Checker): void {
  for (const [option, names] of Object.entries(functions)) {
    const group = members[option]
    check.isGroup(option, group)
    // Through the prototype: classes are welcome.
    for (const name of names) check.is("function", `${option}.${name}`, (group as Members | null | undefined)?.[name])
  }
}

function judgeMarkers(members: Members, report: Report): void {
  const { raw, skipCSRFCheck } = members
  if (!isOffOr("return-type-raw", raw)) {
    const mend = 'Import it: import { raw } from "@latchkey/core".'
    report.mistake("raw", { expected: 'the exported marker "raw"', received: raw, mend })
  }
  // Nothing is switched off, which is safe, and what Auth.js does with it.
  if (!isOffOr("skip-csrf-check", skipCSRFCheck)) report.warn("skip-csrf-check-ignored")
}

function isOffOr(marker: Marker, value: unknown): boolean {
  return value === undefined || value === null || value === false || isMarker(value, marker)
}

function judgePages(pages: unknown, report: Report): void {
  for (const [page, value] of Object.entries(membersOf(pages))) {
    if (value === null || value === "" || isPage(value)) continue
    const expected = "a path below the origin, or an absolute http(s) address"
    report.mistake(`pages.${page}`, { expected, received: value, mend: "Leave it out for the built-in page." })
  }
}

function isPage(value: unknown): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (typeof value !== "string" || /[\u0000-\u001f\\\u007f]/.test(value)) return false
  if (!URL.canParse(value, "https://origin.invalid")) return false
  const url = new URL(value, "https://origin.invalid")
  return (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === ""
}
