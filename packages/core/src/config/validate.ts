/** What is wrong between options: adapter, strategy, secrets, pages, callbacks. One provider and the cookies are judged beside. */
import {
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  MissingAdapter,
  MissingSecret,
  MissingWebAuthnAutocomplete,
} from "../errors.js"
import { isMarker, type Marker } from "./markers.js"
import { isPlain, type Members, membersOf } from "./members.js"
import { isPromise, mistakeText } from "./mistake.js"
import type { Report } from "./report.js"
import type { ResolvedProvider } from "./settings.js"
import { offersWebAuthn } from "./validate-provider.js"

/** Shorter secrets can be guessed offline. */
const secretLength = 32

/** The usable secrets, newest first. None or an empty one is a problem; a short one a warning. */
export function readSecrets(option: "secret" | "jwt.secret", given: unknown, report: Report): readonly string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : given === undefined || given === null ? [] : [given]
  const isFit = list.length > 0 && list.every((secret) => typeof secret === "string" && secret.trim() !== "")
  if (!isFit) {
    const received = list.find((secret) => typeof secret !== "string" || secret.trim() === "") ?? given
    const mend = 'Set "secret", or AUTH_SECRET in the environment; "npx latchkey secret" makes one.'
    const expected = `a random text of at least ${secretLength} characters, or a list of them`
    report.problem(new MissingSecret(mistakeText(option, { expected, received, mend, isSecret: true })))
    return []
  }
  if (list.some((secret) => (secret as string).length < secretLength)) report.warn("secret-too-short")
  return list as readonly string[]
}

/** Judges what providers need of the rest. */
export function judgeNeeds(
  { members, providers }: { members: Members; providers: ReadonlyMap<string, ResolvedProvider> },
  report: Report,
): void {
  const all = [...providers.values()]
  const hasAdapter = members.adapter !== undefined && members.adapter !== null
  const need = (what: string): void => {
    const mend = 'Set "adapter" to a data layer.'
    report.problem(new MissingAdapter(`"adapter": expected one, because ${what}, received nothing. ${mend}`))
  }
  if (!hasAdapter && membersOf(members.session).strategy === "database") need('session.strategy is "database"')
  const mail = all.find(({ type }) => type === "email")
  if (!hasAdapter && mail) need(`the provider "${mail.id}" stores the tokens of its links`)
  const passkeys = all.filter((provider) => provider.type === "webauthn")
  if (passkeys.length === 0) return
  if (!hasAdapter) need(`the provider "${passkeys[0]?.id}" stores authenticators`)
  judgePasskeys(passkeys, report)
  if (membersOf(members.experimental).enableWebAuthn === true) report.warn("experimental-webauthn")
  else {
    report.problem(
      new ExperimentalFeatureNotEnabled(
        `"experimental.enableWebAuthn": expected true, because the provider "${passkeys[0]?.id}" is configured. ` +
          "Set it, or remove the provider.",
      ),
    )
  }
}

function judgePasskeys(passkeys: readonly Extract<ResolvedProvider, { type: "webauthn" }>[], report: Report): void {
  const offering = passkeys.filter(({ config }) => config.enableConditionalUI)
  if (offering.length > 1) {
    const ids = offering.map(({ id }) => `"${id}"`).join(", ")
    report.problem(
      new DuplicateConditionalUI(
        `"enableConditionalUI": expected one provider that offers passkeys while typing, received ${ids}. Set it to false on the others.`,
      ),
    )
  }
  for (const { id, config } of offering) {
    if (offersWebAuthn(config.formFields)) continue
    report.problem(
      new MissingWebAuthnAutocomplete(
        `"providers.${id}.formFields": expected a field whose "autocomplete" ends with "webauthn", received none. ` +
          "Add it, or set enableConditionalUI to false.",
      ),
    )
  }
}

/** Judges the kinds of values: what would fail later, and far from its cause, is told here. */
export function judgeKinds(members: Members, report: Report): void {
  judgeAdapter(members.adapter, report)
  for (const name of ["trustHost", "useSecureCookies", "debug"]) judgeType(name, members[name], "boolean", report)
  for (const name of ["session", "jwt", "pages", "theme", "experimental"]) judgeGroup(name, members[name], report)
  judgeMarker("skipCSRFCheck", members.skipCSRFCheck, "skip-csrf-check", report)
  judgeMarker("raw", members.raw, "return-type-raw", report)
  const session = membersOf(members.session)
  const jwt = membersOf(members.jwt)
  judgeChoice("session.strategy", session.strategy, ["jwt", "database"], report)
  judgeType("session.generateSessionToken", session.generateSessionToken, "function", report)
  for (const name of ["encode", "decode"]) judgeType(`jwt.${name}`, jwt[name], "function", report)
  judgeType("experimental.enableWebAuthn", membersOf(members.experimental).enableWebAuthn, "boolean", report)
  judgeFunctions("callbacks", members.callbacks, ["signIn", "redirect", "session", "jwt"], report)
  const events = ["signIn", "signOut", "createUser", "updateUser", "linkAccount", "session"]
  judgeFunctions("events", members.events, events, report)
  judgeFunctions("logger", members.logger, ["error", "warn", "debug"], report)
  judgeAppearance(members, report)
}

function judgeAdapter(adapter: unknown, report: Report): void {
  if (adapter === undefined || adapter === null) return
  const isFit = (typeof adapter === "object" || typeof adapter === "function") && !isPromise(adapter)
  if (isFit && typeof adapter === "object") return
  const mend = typeof adapter === "function" ? "Call it." : "Await what makes it."
  report.mistake("adapter", { expected: "an object with the operations of a data layer", received: adapter, mend })
}

function judgeAppearance(members: Members, report: Report): void {
  for (const [page, value] of Object.entries(membersOf(members.pages))) {
    if (value === null || value === "" || isPage(value)) continue
    const expected = "a path below the origin, or an absolute http(s) address"
    report.mistake(`pages.${page}`, { expected, received: value, mend: "Leave it out for the built-in page." })
  }
  const theme = membersOf(members.theme)
  judgeChoice("theme.colorScheme", theme.colorScheme, ["auto", "dark", "light"], report)
  for (const name of ["logo", "brandColor", "buttonText"]) judgeType(`theme.${name}`, theme[name], "string", report)
}

function isPage(value: unknown): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (typeof value !== "string" || /[\u0000-\u001f\\\u007f]/.test(value)) return false
  if (!URL.canParse(value, "https://origin.invalid")) return false
  const url = new URL(value, "https://origin.invalid")
  return (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === ""
}

function judgeGroup(option: string, received: unknown, report: Report): void {
  if (received === undefined || received === null || (typeof received === "object" && !Array.isArray(received))) return
  report.mistake(option, { expected: "an object", received, mend: "Correct it, or leave it out." })
}

function judgeFunctions(option: string, group: unknown, names: readonly string[], report: Report): void {
  judgeGroup(option, group, report)
  for (const name of names) {
    // Through the prototype: classes are welcome.
    judgeType(`${option}.${name}`, (group as Members | null | undefined)?.[name], "function", report)
  }
}

function judgeType(option: string, received: unknown, type: "boolean" | "function" | "string", report: Report): void {
  if (received === undefined || received === null || typeof received === type) return
  const expected = type === "boolean" ? "true or false" : type === "string" ? "a text" : "a function"
  report.mistake(option, { expected, received, mend: "Correct it, or leave it out for the default." })
}

function judgeChoice(option: string, received: unknown, choices: readonly string[], report: Report): void {
  if (received === undefined || received === null || choices.includes(received as string)) return
  const expected = choices.map((choice) => `"${choice}"`).join(" or ")
  report.mistake(option, { expected, received, mend: "Leave it out for the default." })
}

function judgeMarker(option: "skipCSRFCheck" | "raw", received: unknown, marker: Marker, report: Report): void {
  if (received === undefined || received === null || received === false || isMarker(received, marker)) return
  const mend = `Import it: import { ${option} } from "@latchkey/core".`
  report.mistake(option, { expected: `the exported marker "${option}"`, received, mend })
}

/** Is a group of options written at all? */
export function groupOf(members: Members, name: string): Members {
  const group = members[name]
  return isPlain(group) || (typeof group === "object" && group !== null) ? membersOf(group) : membersOf(undefined)
}
