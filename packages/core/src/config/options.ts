/**
 * The options of the configuration, one line each: kind, bounds and default. Names, checks of values and numbers follow from
 * it, and so does `settings.options`, from which the engine reads plain ones. What an option means stands in its type,
 * `AuthConfig`; docs/reference/options.md is made of both. A name of the type that is missing here, or one too many, does not compile.
 */
import { hasControlCharacters } from "../std/text.js"
import { isUrl } from "../std/url.js"
import type { AuthConfig } from "../types/config.js"

type Duration =
  | "sessionMaxAge"
  | "sessionUpdateAge"
  | "emailMaxAge"
  | "checkMaxAge"
  | "csrfMaxAge"
  | "callbackTimeout"
  | "authorizeTimeout"

/** The default numbers, in seconds, and the default base path. */
export const defaults: Readonly<Record<Duration, number>> & { readonly basePath: string } = {
  sessionMaxAge: 30 * 24 * 60 * 60,
  sessionUpdateAge: 24 * 60 * 60,
  emailMaxAge: 60 * 60,
  checkMaxAge: 15 * 60,
  csrfMaxAge: 30 * 24 * 60 * 60,
  callbackTimeout: 30,
  authorizeTimeout: 120,
  basePath: "/auth",
}

/** A value that can be checked by itself. */
export interface ValueKind {
  readonly is: "text" | "flag" | "function" | "group" | "page" | "choice"
  readonly expected: string
  readonly isFit: (value: unknown) => boolean
  readonly remedy?: string
  /** Messages name the type of the value only. */
  readonly isSecret?: true
  /** What holds where the option is absent or not of its kind. */
  readonly fallback?: string | boolean
}

/** Seconds from `least` to ten years. The default may follow from options of earlier rows. */
export interface SecondsKind {
  readonly is: "seconds"
  readonly least: 0 | 1
  readonly fallback: number | undefined | ((earlier: ResolvedOptions) => number)
}

/** What a value has to be. `own`: checked where it is read, because more than its kind matters. */
export type Kind = ValueKind | SecondsKind | { readonly is: "own" }

export const text: ValueKind = { is: "text", expected: "a string", isFit: (value) => typeof value === "string" }
export const secretText: ValueKind = { ...text, isSecret: true }
export const flag: ValueKind = { is: "flag", expected: "true or false", isFit: (value) => typeof value === "boolean" }
export const fn: ValueKind = { is: "function", expected: "a function", isFit: (value) => typeof value === "function" }
/** One of these strings. */
export function choice(...choices: readonly string[]): ValueKind {
  const expected = choices
    .map((one) => `"${one}"`)
    .join(", ")
    .replace(/, (?=[^,]+$)/, " or ")
  return { is: "choice", expected, isFit: (value) => choices.includes(value as string) }
}
const group: ValueKind = {
  is: "group",
  expected: "an object",
  isFit: (value) => typeof value === "object" && !Array.isArray(value),
}
const page: ValueKind = {
  is: "page",
  expected: "a path below the origin, or an absolute http(s) address",
  isFit: (value) => value === "" || isPage(value),
  remedy: "Leave it out for the built-in page.",
}
const own = { is: "own" } as const
const off = { ...flag, fallback: false } as const
const seconds = <Fallback extends SecondsKind["fallback"]>(
  least: 0 | 1,
  fallback: Fallback,
): SecondsKind & { readonly fallback: Fallback } => ({ is: "seconds", least, fallback })

function isPage(value: unknown): boolean {
  if (typeof value !== "string" || value.includes("\\") || hasControlCharacters(value)) return false
  if (!isUrl(value, "https://origin.invalid")) return false
  const url = new URL(value, "https://origin.invalid")
  return (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === ""
}

/** Options that hold options. */
export type Group = "session" | "jwt" | "pages" | "callbacks" | "events" | "logger" | "theme" | "links" | "experimental"
type MemberOf<Name extends Group> = `${Name}.${keyof NonNullable<AuthConfig[Name]> & string}`
/** The names of all options; a member of a group behind a dot. */
export type OptionName = keyof AuthConfig | { [Name in Group]: MemberOf<Name> }[Group]

/** Options that functions of their own read. */
type OwnName =
  | (
      | "providers"
      | "secret"
      | "adapter"
      | "limits"
      | "records"
      | "features"
      | "basePath"
      | "callbackTimeout"
      | "cookies"
    )
  | ("language" | "texts" | "redirectProxyUrl" | "redirectProxyOrigins" | "skipCSRFCheck" | "raw")
  | ("session.expose" | "jwt.secret")
/** Groups whose members are handed on together. */
export const wholeGroups = ["pages", "callbacks", "events", "logger", "theme", "links"] as const
/** Options of which their row says all there is to say. */
type PlainName = Exclude<OptionName, OwnName | Group | `${(typeof wholeGroups)[number]}.${string}`>
/** Plain options that always have a value. */
type DefaultedName = "session.maxAge" | "session.updateAge" | "jwt.maxAge" | "debug" | "experimental.enableWebAuthn"

/** The plain options as the engine reads them: checked, with their defaults. */
export type ResolvedOptions = {
  readonly [Name in PlainName]: ValueOf<Name> | (Name extends DefaultedName ? never : undefined)
}

type PlainKind = ValueKind | SecondsKind
type KindOf<Name extends OptionName> = Name extends DefaultedName
  ? PlainKind & { readonly fallback: NonNullable<PlainKind["fallback"]> }
  : Name extends OwnName
    ? typeof own
    : PlainKind

const { sessionMaxAge, sessionUpdateAge } = defaults

/** A day; half the life of a session that lives no longer than that, because it would never be extended otherwise. */
function usualUpdateAge({ "session.maxAge": maxAge }: ResolvedOptions): number {
  return maxAge > sessionUpdateAge ? sessionUpdateAge : Math.floor(maxAge / 2)
}

/** All options, in the order of the reference. */
// biome-ignore format: a table, each row stays on one line
export const options: { readonly [Name in OptionName]: KindOf<Name> } = {
  providers: own,
  secret: own,
  adapter: own,
  limits: own,
  records: own,
  features: own,
  basePath: own,
  trustHost: flag,
  session: group,
  "session.strategy": choice("jwt", "database"),
  "session.maxAge": seconds(1, sessionMaxAge),
  "session.overallMaxAge": seconds(1, undefined),
  "session.updateAge": seconds(0, usualUpdateAge),
  "session.generateSessionToken": fn,
  "session.verifyUser": flag,
  "session.expose": own,
  jwt: group,
  "jwt.secret": own,
  "jwt.maxAge": seconds(1, (earlier) => earlier["session.maxAge"]),
  "jwt.encode": fn,
  "jwt.decode": fn,
  pages: group,
  "pages.signIn": page,
  "pages.signOut": page,
  "pages.error": page,
  "pages.verifyRequest": page,
  "pages.newUser": page,
  callbacks: group,
  "callbacks.signIn": fn,
  "callbacks.redirect": fn,
  "callbacks.session": fn,
  "callbacks.jwt": fn,
  events: group,
  "events.signIn": fn,
  "events.signOut": fn,
  "events.createUser": fn,
  "events.updateUser": fn,
  "events.linkAccount": fn,
  "events.session": fn,
  trail: fn,
  callbackTimeout: own,
  cookies: own,
  useSecureCookies: flag,
  theme: group,
  "theme.colorScheme": choice("auto", "dark", "light"),
  "theme.name": text,
  "theme.logo": text,
  "theme.brandColor": text,
  "theme.buttonText": text,
  "theme.radius": choice("none", "small", "medium", "large", "full"),
  "theme.font": choice("system", "rounded", "humanist", "serif", "mono"),
  language: own,
  texts: own,
  links: group,
  "links.signUp": page,
  "links.forgotPassword": page,
  "links.help": page,
  "links.terms": page,
  "links.privacy": page,
  debug: off,
  logger: group,
  "logger.error": fn,
  "logger.warn": fn,
  "logger.debug": fn,
  redirectProxyUrl: own,
  redirectProxyOrigins: own,
  skipCSRFCheck: own,
  raw: own,
  experimental: group,
  "experimental.enableWebAuthn": off,
}

/** All options with their names. */
export const optionRows: readonly (readonly [OptionName, Kind])[] = Object.entries(options) as never

/** The type of an option's value, as {@link AuthConfig} has it. */
export type ValueOf<Name extends OptionName> = Name extends `${infer In extends Group}.${infer Member}`
  ? Member extends keyof NonNullable<AuthConfig[In]>
    ? NonNullable<NonNullable<AuthConfig[In]>[Member]>
    : never
  : Name extends keyof AuthConfig
    ? NonNullable<AuthConfig[Name]>
    : never

/** The names below a group, those of the configuration itself for `""`. */
export function namesBelow(of: "" | Group): readonly string[] {
  const prefix = of === "" ? "" : `${of}.`
  const below = optionRows.filter(([name]) => name.startsWith(prefix)).map(([name]) => name.slice(prefix.length))
  return below.filter((name) => !name.includes("."))
}
