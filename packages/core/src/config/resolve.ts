/** AuthConfig and environment become Settings. Never throws: what is wrong stands in `problems`, and pages and logger work. */

import { InvalidConfiguration } from "../errors.js"
import { createEventSink } from "../ports/events.js"
import { createLogger } from "../ports/logger.js"
import { createRecords, recordStoreOf } from "../ports/records.js"
import { createStore } from "../ports/store.js"
import { asError } from "../ports/thrown.js"
import { createTrailSink } from "../ports/trail.js"
import { conceal } from "../std/conceal.js"
import { isThenable } from "../std/deadline.js"
import { isMembers, type Members } from "../std/json.js"
import { environment } from "../std/runtime.js"
import type { AuthConfig } from "../types/config.js"
import { checkAccountFields } from "./account-fields.js"
import { basePathOf, pagesOf, proxyOriginsOf, redirectProxyOf, type Site, siteExpected } from "./addresses.js"
import { limitsOf } from "./budgets.js"
import type { Caches } from "./caches.js"
import { completeCallbacks } from "./callbacks.js"
import { checkCookies, cookieTable, securedByName } from "./cookies.js"
import { checkEmailProof } from "./email-proof.js"
import { applyEnvironment, type Environment, filledAddressOf, filledPathOf, variable } from "./environment.js"
import { featuresOf } from "./features.js"
import { checkIssuers } from "./issuers.js"
import { knownSecretsOf } from "./known-secrets.js"
import { languagesOf } from "./languages.js"
import { isMarker } from "./markers.js"
import { membersOf } from "./members.js"
import { checkNames, readFlags, resolveOptions } from "./option-checks.js"
import { checkNeeds } from "./provider-checks.js"
import { resolveProviders } from "./providers.js"
import { createReport, type Report } from "./report.js"
import { readSecrets, tokensOf } from "./secrets.js"
import { deadlinesOf, exposedOf, strategyOf } from "./session.js"
import type { Settings } from "./settings.js"

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
    const problems = Object.freeze([problem])
    return freezeConcealed({ ...rest, config, problems, generalProblems: problems, providerProblems: new Map() })
  }
}

function resolve(config: AuthConfig, { env, caches, mount }: ResolveGiven): Settings {
  const report = createReport()
  const isProduction = variable(env, "NODE_ENV") === "production"
  const members = readFlags(readConfig(config, report))
  const fromEnv = applyEnvironment(members, env, filledAddressOf(config))
  const secrets = readSecrets("secret", fromEnv.secret, { report, isProduction })
  if (fromEnv.invalidUrl !== undefined) report.mistake("AUTH_URL", { ...siteExpected, received: fromEnv.invalidUrl })
  const basePath = basePathOf({ members, mount, site: fromEnv.site, filled: filledPathOf(config) }, report)
  checkNames(members, report)
  const options = resolveOptions(members, report)
  const redirectProxyUrl = redirectProxyOf("redirectProxyUrl", fromEnv.redirectProxyUrl, report)
  const providers = resolveProviders(members.providers, { env, redirectProxyUrl, report })
  checkNeeds({ members, providers }, report)
  checkEmailProof({ providers, adapter: members.adapter }, report)
  const cookies = cookiesOf({ members, useSecureCookies: options.useSecureCookies, site: fromEnv.site }, report)
  const strategy = strategyOf(members, options)
  const exposed = exposedOf(membersOf(members.session).expose, report)
  const secretsGiven = { secrets, recordSecret: fromEnv.recordSecret, isProduction }
  const tokens = tokensOf({ ...secretsGiven, members, caches }, report)
  if (options.debug && !members.logger) report.warn("debug-enabled")
  const own = tokens.recordKeyring.secrets
  return freezeConcealed({
    config,
    options,
    basePath,
    fixedOrigin: fromEnv.site?.origin,
    hostTrust: fromEnv.hostTrust,
    providers,
    strategy,
    exposed,
    ...tokens,
    ...deadlinesOf(members, report),
    pages: pagesOf(members.pages, basePath, report),
    ...languagesOf(members, report),
    theme: textsBelow(members.theme),
    links: textsBelow(members.links),
    callbacks: completeCallbacks(members.callbacks, exposed),
    cookies,
    skipCsrfCheck: isMarker(members.skipCSRFCheck, "skip-csrf-check"),
    redirectProxyOrigins: proxyOriginsOf(members.redirectProxyOrigins, report),
    raw: isMarker(members.raw, "return-type-raw"),
    ...storesOf({ env, caches, report }, { members, strategy, providers }),
    logger: createLogger(objectOf(members.logger), options.debug, knownSecretsOf({ secrets: own, providers, members })),
    events: createEventSink(objectOf(members.events)),
    trail: createTrailSink(members.trail),
    caches,
    problems: Object.freeze([...report.problems]),
    generalProblems: Object.freeze([...report.general]),
    providerProblems: new Map(report.ofProviders),
    warnings: Object.freeze([...report.warnings]),
    warningDetails: Object.freeze({ ...report.details }),
  })
}

/** The stores the service uses: adapter, records, and the counters of limits. */
function storesOf(
  { env, caches, report }: Pick<ResolveGiven, "env" | "caches"> & { readonly report: Report },
  { members, strategy, providers }: { readonly members: Members } & Pick<Settings, "strategy" | "providers">,
): Pick<Settings, "store" | "records" | "limits" | "features"> {
  const adapter = objectOf(members.adapter)
  if (adapter) checkIssuers({ providers, adapter, caches }, report)
  checkAccountFields({ providers, limits: members.limits }, report)
  const records = createRecords(recordStoreOf({ records: objectOf(members.records), adapter }))
  const given = { limits: members.limits, isTest: isTest(env), records, memory: caches.tries }
  return {
    store: createStore(adapter),
    records,
    limits: limitsOf(given, report),
    features: featuresOf({ members, records, strategy }, report),
  }
}

/** Where the given environment has no NODE_ENV, that of the process is used. */
function isTest(env: Environment): boolean {
  const given = variable(env, "NODE_ENV")
  if (given !== undefined) return given === "test"
  try {
    return variable(environment(), "NODE_ENV") === "test"
  } catch {
    // Deno throws where the permission to read variables is missing.
    return false
  }
}

function readConfig(config: unknown, report: Report): Members {
  if (isMembers(config) && !isThenable(config)) return membersOf(config)
  const remedy = isThenable(config) ? "Await it." : "Write { providers: [...] }."
  report.mistake("config", { expected: "an object", received: config, remedy })
  return membersOf(undefined)
}

function cookiesOf(
  given: { members: Members; useSecureCookies: boolean | undefined; site: Site | undefined },
  report: Report,
): Settings["cookies"] {
  const { useSecureCookies, site } = given
  const overrides = given.members.cookies ?? undefined
  const plain = cookieTable(false, overrides)
  const isOpen = overrides !== undefined && useSecureCookies === undefined && !site
  const cookies = Object.freeze({
    plain: isOpen ? securedByName(plain) : plain,
    secure: cookieTable(true, overrides),
  })
  const isHttps = site?.origin.startsWith("https:")
  // Without a fixed address either table may be used; names made for https are only meant for it.
  if (overrides !== undefined)
    checkCookies(overrides, (useSecureCookies ?? isHttps ?? true) ? cookies.secure : cookies.plain, report)
  if (site && useSecureCookies !== undefined && useSecureCookies !== isHttps) report.warn("secure-cookies-mismatch")
  return cookies
}

function textsBelow(group: unknown): Readonly<Record<string, string>> {
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === "string"
  return Object.freeze(Object.fromEntries(Object.entries(membersOf(group)).filter(isText)))
}

function objectOf<T extends object>(value: unknown): T | undefined {
  return typeof value === "object" && value !== null && !isThenable(value) ? (value as T) : undefined
}

/** Settings hold the configuration with all its secrets: printed, they show only what was resolved. */
function freezeConcealed(settings: Settings): Settings {
  const { basePath, strategy, providers, problems, warnings } = settings
  const shown = {
    basePath,
    strategy,
    providers: [...providers.keys()],
    problems: problems.map(({ message }) => message),
    warnings,
  }
  return Object.freeze(conceal({ ...settings }, () => shown))
}
