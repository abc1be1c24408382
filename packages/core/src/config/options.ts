/**
 * The options of the configuration, one line each: kind, bounds, default and meaning. Names, checks of values, numbers and
 * docs/reference/options.md follow from it, and so does `settings.options`, from which the engine reads plain ones. A name
 * of the type that is missing here, or one too many, does not compile.
 */
import { hasControlCharacters } from "../std/text.js"
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
  if (!URL.canParse(value, "https://origin.invalid")) return false
  const url = new URL(value, "https://origin.invalid")
  return (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === ""
}

/** One option. `normally` is its default, in words where it has no fixed value. */
export interface Option<Of extends Kind = Kind> {
  readonly kind: Of
  readonly normally: string
  readonly does: string
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

const option = <Of extends Kind>(kind: Of, normally: string, does: string): Option<Of> => ({ kind, normally, does })
const { sessionMaxAge, sessionUpdateAge, callbackTimeout, authorizeTimeout, basePath } = defaults

/** A day; half the life of a session that lives no longer than that, because it would never be extended otherwise. */
function usualUpdateAge({ "session.maxAge": maxAge }: ResolvedOptions): number {
  return maxAge > sessionUpdateAge ? sessionUpdateAge : Math.floor(maxAge / 2)
}

/** All options, in the order of the reference. */
// biome-ignore format: a table, each row stays on one line
export const options: { readonly [Name in OptionName]: Option<KindOf<Name>> } = {
  providers: option(own, "`[]`", "Ways to sign in: provider objects, or functions that make one."),
  secret: option(own, "`AUTH_SECRET`", "Hashes tokens and derives keys; at least 32 random characters. To rotate, give a list: the first one seals, and each of them opens. In the environment the newer ones are `AUTH_SECRET_1` to `_3`."),
  adapter: option(own, "none", "The data layer: users, accounts, sessions, tokens of links, authenticators."),
  limits: option(own, "on, but not under `NODE_ENV=test`", "How many sign-in tries are allowed, by person and by network: the sizes of the budgets and a function that finds the client's address, or `false`."),
  records: option(own, "the adapter, where it keeps records", "A store of records: small durable things such as counters of failed attempts. Sealed with `secret`, or with `AUTH_RECORD_SECRET` (newer ones: `_1` to `_3`)."),
  features: option(own, "`[]`", "What is switched on beside sign-in, sign-out and sessions, such as `managedSessions()`."),
  basePath: option(own, `the path of AUTH_URL, else \`${basePath}\``, "Path below which the actions are served. Integrations derive it from where they are mounted."),
  trustHost: option(flag, "see `AUTH_TRUST_HOST`", "Whether the host of a request is trusted. By default it is with `AUTH_URL`, on Vercel and Cloudflare Pages, and under `NODE_ENV=development` and `test`; outside production loopback is, too."),
  session: option(group, "", "How sessions are kept."),
  "session.strategy": option(choice("jwt", "database"), "`database` with an adapter, else `jwt`", "Where sessions are kept: in a sealed cookie or in rows."),
  "session.maxAge": option(seconds(1, sessionMaxAge), `${sessionMaxAge}`, "Seconds a session lives after its last extension."),
  "session.overallMaxAge": option(seconds(1, undefined), "none", "Seconds after its beginning a session ends, however often it is extended. Sessions in a database need records for it."),
  "session.updateAge": option(seconds(0, usualUpdateAge), `${sessionUpdateAge}; half of \`session.maxAge\` where that is a day or less`, "Seconds between two extensions; 0 extends at every access."),
  "session.generateSessionToken": option(fn, "32 random bytes in hex", "Makes the token of a session in a database."),
  "session.verifyUser": option(flag, "`false`", "jwt strategy: looks the user up at each access, so that the session of a deleted user ends."),
  "session.expose": option(own, "`[]`", "Members of the user that clients see beside name, email and image, such as `[\"id\"]`."),
  jwt: option(group, "", "How session tokens are sealed."),
  "jwt.secret": option(own, "`secret`", "A secret of its own for session tokens, or a list of them."),
  "jwt.maxAge": option(seconds(1, (earlier) => earlier["session.maxAge"]), "`session.maxAge`", "Seconds a token lives."),
  "jwt.encode": option(fn, "encrypts (JWE)", "Seals a session token."),
  "jwt.decode": option(fn, "decrypts (JWE)", "Opens a session token."),
  pages: option(group, "", "Pages of the application in place of the built-in ones."),
  "pages.signIn": option(page, "built in", "Offers the ways to sign in. Receives `error` and `callbackUrl`."),
  "pages.signOut": option(page, "built in", "Asks whether to sign out."),
  "pages.error": option(page, "built in", "Says what went wrong. Receives `error`."),
  "pages.verifyRequest": option(page, "built in", "Says that a link was sent."),
  "pages.newUser": option(page, "the return address", "Where a user goes after the first sign-in."),
  callbacks: option(group, "", "Functions that decide: who may sign in, where to redirect, what tokens and sessions hold."),
  "callbacks.signIn": option(fn, "allows", "Decides about a sign-in: `false` refuses, a string redirects."),
  "callbacks.redirect": option(fn, "only the application's own origin", "Where a user may be sent afterwards."),
  "callbacks.session": option(fn, "name, email and image", "What the client sees of a session."),
  "callbacks.jwt": option(fn, "the token as it is", "What a session token holds; `null` ends the session."),
  events: option(group, "", "Functions that are called after something happened. What they throw is logged and changes nothing."),
  "events.signIn": option(fn, "none", "A user signed in."),
  "events.signOut": option(fn, "none", "A user signed out."),
  "events.createUser": option(fn, "none", "The adapter created a user."),
  "events.updateUser": option(fn, "none", "The adapter changed a user."),
  "events.linkAccount": option(fn, "none", "An account was linked to a user."),
  "events.session": option(fn, "none", "A session was read."),
  trail: option(fn, "none", "Receives an entry for each sign-in, failed or not, each sign-out, new user and new account, limited request and fault."),
  callbackTimeout: option(own, `${callbackTimeout}; \`authorize\` ${authorizeTimeout}`, "Seconds that functions of the application may take; `false` for no limit."),
  cookies: option(own, "see the guide", "Names and attributes of cookies, by purpose."),
  useSecureCookies: option(flag, "`true` on https", "Cookies are for https only, and their names say so."),
  theme: option(group, "", "Appearance of the built-in pages and mails."),
  "theme.colorScheme": option(choice("auto", "dark", "light"), "`auto`", "Light or dark."),
  "theme.name": option(text, "none; in mails the host", "Name of the application: the pages say \"Sign in to Acme\"."),
  "theme.logo": option(text, "none", "Address of a logo: a path, a `data:` URL, or an http(s) address, whose origin is then added to the content security policy."),
  "theme.brandColor": option(text, "built in", "Colour of buttons and marks, any CSS colour."),
  "theme.buttonText": option(text, "by contrast", "Colour of the text on buttons."),
  "theme.radius": option(choice("none", "small", "medium", "large", "full"), "`medium`", "Roundness of corners."),
  "theme.font": option(choice("system", "rounded", "humanist", "serif", "mono"), "`system`", "Typeface, one of those that operating systems have."),
  language: option(own, "`en`", "Language of pages and mails: a tag, a list of tags or `auto` (by `Accept-Language`), or a function of the request. OpenID providers get it as `ui_locales`."),
  texts: option(own, "built in", "Texts of the application by language and key, such as `{ en: { \"signin.heading\": \"Welcome\" } }`."),
  links: option(group, "", "Pages of the application that the sign-in page leads to."),
  "links.signUp": option(page, "none", "Where people create an account."),
  "links.forgotPassword": option(page, "none", "Where people replace a forgotten password; the link is next to the password field."),
  "links.help": option(page, "none", "Where people find help."),
  "links.terms": option(page, "none", "The terms of use."),
  "links.privacy": option(page, "none", "The privacy policy."),
  debug: option(off, "`false`", "Logs the steps of each request. Has no effect with a logger of the application."),
  logger: option(group, "the console", "Where messages go. Methods that are missing are those of the default logger."),
  "logger.error": option(fn, "the console", "Receives every error, in full."),
  "logger.warn": option(fn, "the console", "Receives the codes of warnings."),
  "logger.debug": option(fn, "none", "Receives the steps of each request."),
  redirectProxyUrl: option(own, "`AUTH_REDIRECT_PROXY_URL`", "Base of `redirect_uri` for deployments without a fixed address."),
  redirectProxyOrigins: option(own, "any https origin", "On the redirect proxy: the origins it sends callbacks on to."),
  skipCSRFCheck: option(own, "none", "The exported marker `skipCSRFCheck` switches the protection off."),
  raw: option(own, "none", "The exported marker `raw` makes `Auth` answer with plain data."),
  experimental: option(group, "", "What may change without notice."),
  "experimental.enableWebAuthn": option(off, "`false`", "Passkeys and other WebAuthn credentials."),
}

/** All options with their names. */
export const optionRows: readonly (readonly [OptionName, Option])[] = Object.entries(options) as never

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
