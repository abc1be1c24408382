/** AuthConfig and environment become Settings. Never throws: what is wrong stands in `problems`, and pages and logger work. */
import { createKeyring, type Keyring } from "../crypto/keyring.js"
import { randomHex } from "../crypto/token.js"
import { InvalidConfiguration } from "../errors.js"
import { createEventSink } from "../ports/events.js"
import { createLogger } from "../ports/logger.js"
import { createStore } from "../ports/store.js"
import { asError } from "../ports/thrown.js"
import type { AuthConfig } from "../types/config.js"
import type { Caches } from "./caches.js"
import { completeCallbacks } from "./callbacks.js"
import { cookieTable } from "./cookies.js"
import { applyEnvironment, type Environed } from "./environment.js"
import { isMarker } from "./markers.js"
import { type Members, membersOf } from "./members.js"
import { isPromise } from "./mistake.js"
import { proxyMistake } from "./oauth-provider.js"
import { resolveProviders } from "./providers.js"
import { createReport, type Report } from "./report.js"
import { readSeconds } from "./seconds.js"
import { defaults, type ResolvedProvider, type Settings } from "./settings.js"
import { parseHttp, trimSlashes } from "./site.js"
import { judgeNeeds, readSecrets } from "./validate.js"
import { judgeCookies } from "./validate-cookies.js"
import { judgeOptions } from "./validate-options.js"
import type { Environment } from "./variable.js"

/** What a configuration is resolved with. */
export interface ResolveGiven {
  readonly env: Environment
  readonly caches: Caches
  /** The base path an integration derived from where it is mounted; an option of the configuration comes first. */
  readonly mount?: string
}

/** Resolves a configuration. */
export function resolveSettings(config: AuthConfig, given: ResolveGiven): Settings {
  try {
    return resolve(config, given)
  } catch (thrown) {
    // A getter of the configuration threw, or a proxy: what remains is enough to say so.
    const problem = new InvalidConfiguration("The configuration cannot be read.", { cause: { err: asError(thrown) } })
    const rest = resolve({ providers: [] }, { env: {}, caches: given.caches })
    return Object.freeze({ ...rest, config, problems: Object.freeze([problem]) })
  }
}

function resolve(config: AuthConfig, { env, caches, mount }: ResolveGiven): Settings {
  const report = createReport()
  const members = readConfig(config, report)
  const fromEnv = applyEnvironment(members, env)
  const secrets = readSecrets("secret", fromEnv.secret, report)
  for (const problem of fromEnv.problems) report.problem(problem)
  judgeOptions(members, report)
  const basePath = basePathOf({ members, mount, site: fromEnv.site }, report)
  const redirectProxyUrl = redirectProxyOf(fromEnv.redirectProxyUrl, report)
  const providers = resolveProviders(members.providers, { env, redirectProxyUrl, report })
  judgeNeeds({ members, providers }, report)
  const useSecureCookies = booleanOf(members.useSecureCookies)
  const cookies = cookiesOf({ members, useSecureCookies, site: fromEnv.site }, report)
  const session = sessionOf(members, report)
  const tokens = tokensOf({ members, secrets, caches, maxAge: session.sessionMaxAge }, report)
  const debug = members.debug === true
  if (debug && !members.logger) report.warn("debug-enabled")
  return Object.freeze({
    config,
    basePath,
    fixedOrigin: fromEnv.site?.origin,
    hostTrust: fromEnv.hostTrust,
    providers,
    ...session,
    ...tokens,
    ...appearanceOf(members),
    callbacks: completeCallbacks(members.callbacks),
    cookies,
    useSecureCookies,
    skipCsrfCheck: isMarker(members.skipCSRFCheck, "skip-csrf-check"),
    raw: isMarker(members.raw, "return-type-raw"),
    webauthnEnabled: membersOf(members.experimental).enableWebAuthn === true,
    store: createStore(objectOf(members.adapter)),
    logger: createLogger(objectOf(members.logger), debug, secretsOf({ secrets, providers, members })),
    events: createEventSink(objectOf(members.events)),
    caches,
    problems: Object.freeze([...report.problems]),
    warnings: Object.freeze([...report.warnings]),
  })
}

function readConfig(config: unknown, report: Report): Members {
  if (typeof config === "object" && config !== null && !Array.isArray(config) && !isPromise(config)) {
    return membersOf(config)
  }
  const mend = isPromise(config) ? "Await it." : "Write { providers: [...] }."
  report.mistake("config", { expected: "an object", received: config, mend })
  return membersOf(undefined)
}

function basePathOf(
  { members, mount, site }: { members: Members; mount: string | undefined; site: Environed["site"] },
  report: Report,
): string {
  const own = members.basePath ?? mount
  if (own === undefined || own === null) return site && site.path !== "" ? site.path : defaults.basePath
  if (typeof own !== "string" || !/^[/\w.~!$&'()*+,;=:@%-]*$/.test(own) || /\/\/|(?:^|\/)\.\.?(?:\/|$)/.test(own)) {
    const expected = 'a path such as "/auth"'
    report.mistake("basePath", { expected, received: own, mend: "Write only the path, without query and fragment." })
    return defaults.basePath
  }
  const basePath = trimSlashes(own)
  if (site && site.path !== "") {
    if (site.path !== basePath) report.warn("env-url-basepath-mismatch")
    // An integration always knows its mount; naming the path once is not naming it twice.
    else if (members.basePath !== undefined) report.warn("env-url-basepath-redundant")
  }
  return basePath
}

function redirectProxyOf(given: unknown, report: Report): string | undefined {
  if (given === undefined || given === null || given === "") return undefined
  if (typeof given === "string" && parseHttp(given)) return given
  report.mistake("redirectProxyUrl", proxyMistake(given))
  return undefined
}

function cookiesOf(
  given: { members: Members; useSecureCookies: boolean | undefined; site: Environed["site"] },
  report: Report,
): Settings["cookies"] {
  const { useSecureCookies, site } = given
  const overrides = given.members.cookies ?? {}
  const cookies = Object.freeze({
    plain: cookieTable({ secure: false, overrides }),
    secure: cookieTable({ secure: true, overrides }),
  })
  const isHttps = site?.origin.startsWith("https:")
  // Without a fixed address either table may be used; names made for https are only meant for it.
  judgeCookies(overrides, (useSecureCookies ?? isHttps ?? true) ? cookies.secure : cookies.plain, report)
  if (site && useSecureCookies !== undefined && useSecureCookies !== isHttps) report.warn("secure-cookies-mismatch")
  return cookies
}

function sessionOf(members: Members, report: Report) {
  const given = membersOf(members.session)
  const { strategy, generateSessionToken } = given
  const hasAdapter = members.adapter !== undefined && members.adapter !== null
  const isKnown = strategy === "jwt" || strategy === "database"
  const maxAge = {
    option: "session.maxAge",
    value: given.maxAge,
    least: 1,
    fallback: defaults.sessionMaxAge,
  } as const
  const updateAge = { option: "session.updateAge", value: given.updateAge, least: 0 } as const
  return {
    strategy: isKnown ? strategy : hasAdapter ? "database" : "jwt",
    sessionMaxAge: readSeconds(maxAge, report),
    sessionUpdateAge: readSeconds({ ...updateAge, fallback: defaults.sessionUpdateAge }, report),
    generateSessionToken:
      typeof generateSessionToken === "function" ? (generateSessionToken as () => string) : () => randomHex(),
  } as const
}

function tokensOf(
  given: { members: Members; secrets: readonly string[]; caches: Caches; maxAge: number },
  report: Report,
): Pick<Settings, "keyring" | "jwt"> {
  const { secrets, caches } = given
  const jwt = membersOf(given.members.jwt)
  // Nothing may be sealed with a secret that others know: without one, keys are made up for this process.
  const ringOf = (list: readonly string[]): Keyring =>
    createKeyring(list.length > 0 ? list : [randomHex()], caches.keys)
  const keyring = ringOf(secrets)
  const own = jwt.secret ?? undefined
  const ownSecrets = own === undefined ? secrets : readSecrets("jwt.secret", own, report)
  const maxAge = { option: "jwt.maxAge", value: jwt.maxAge, least: 1, fallback: given.maxAge } as const
  return {
    keyring,
    jwt: Object.freeze({
      secret: ownSecrets.length === 1 ? (ownSecrets[0] as string) : [...ownSecrets],
      keyring: own === undefined ? keyring : ringOf(ownSecrets),
      maxAge: readSeconds(maxAge, report),
      encode: functionOf<NonNullable<Settings["jwt"]["encode"]>>(jwt.encode),
      decode: functionOf<NonNullable<Settings["jwt"]["decode"]>>(jwt.decode),
    }),
  }
}

function appearanceOf(members: Members): Pick<Settings, "pages" | "theme"> {
  const pages = Object.entries(membersOf(members.pages)).filter(([, page]) => typeof page === "string" && page !== "")
  const theme = Object.entries(membersOf(members.theme)).filter(([, value]) => typeof value === "string")
  return { pages: Object.freeze(Object.fromEntries(pages)), theme: Object.freeze(Object.fromEntries(theme)) }
}

/** Secrets that no log may hold, whatever stands around them. */
function secretsOf(given: {
  secrets: readonly string[]
  providers: ReadonlyMap<string, ResolvedProvider>
  members: Members
}): readonly string[] {
  const jwtSecret: unknown = membersOf(given.members.jwt).secret
  const found: unknown[] = [...given.secrets, ...(Array.isArray(jwtSecret) ? jwtSecret : [jwtSecret])]
  for (const { config } of given.providers.values()) {
    const { clientSecret, apiKey, secret } = membersOf(config)
    found.push(clientSecret, apiKey, secret)
  }
  return found.filter((secret): secret is string => typeof secret === "string")
}

function objectOf<T extends object>(value: unknown): T | undefined {
  return typeof value === "object" && value !== null && !isPromise(value) ? (value as T) : undefined
}

function functionOf<F>(value: unknown): F | undefined {
  return typeof value === "function" ? (value as F) : undefined
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined
}
