/** Options from the environment: what AUTH_* variables say, and which of them count. */
import type { AuthError } from "../errors.js"
import { createLogger } from "../ports/logger.js"
import type { AuthConfig } from "../types/config.js"
import type { Provider } from "../types/provider.js"
import { membersOf } from "./members.js"
import { mistake } from "./mistake.js"
import { instantiate } from "./provider-entry.js"
import type { HostTrust } from "./settings.js"
import { parseSite, type Site, siteExpected } from "./site.js"
import { type Environment, variable } from "./variable.js"

/** The options that an environment can fill. */
export interface Environed {
  readonly secret: unknown
  readonly redirectProxyUrl: unknown
  readonly hostTrust: HostTrust
  /** What AUTH_URL says. */
  readonly site: Site | undefined
  readonly problems: readonly AuthError[]
}

/** Fills what the configuration leaves open. An option that is given always wins. */
export function applyEnvironment(config: Partial<AuthConfig>, env: Environment): Environed {
  const members = membersOf(config)
  const address = variable(env, "AUTH_URL")
  const site = address === undefined ? undefined : parseSite(address)
  return {
    secret: secretOf(members.secret, env),
    redirectProxyUrl: members.redirectProxyUrl ?? variable(env, "AUTH_REDIRECT_PROXY_URL"),
    hostTrust: hostTrustOf(members.trustHost, env),
    site,
    problems: address !== undefined && !site ? [mistake("AUTH_URL", { ...siteExpected, received: address })] : [],
  }
}

/** Numbered secrets are newer than the plain one. Blanks belong to a secret: keys derived elsewhere hold them. */
function secretOf(given: unknown, env: Environment): unknown {
  const isOpen = given === undefined || given === null || given === "" || (Array.isArray(given) && given.length === 0)
  if (!isOpen) return given
  const found = ["AUTH_SECRET_3", "AUTH_SECRET_2", "AUTH_SECRET_1", "AUTH_SECRET"]
    .filter((name) => variable(env, name) !== undefined)
    .map((name) => env[name] as string)
  return found.length > 0 ? found : given
}

/** When the host of a request may be believed. */
export function hostTrustOf(trustHost: unknown, env: Environment): HostTrust {
  if (typeof trustHost === "boolean") return trustHost ? "always" : "never"
  if (variable(env, "AUTH_URL") !== undefined) return "always"
  const word = variable(env, "AUTH_TRUST_HOST")
  if (word === "true" || word === "1") return "always"
  // These platforms overwrite the header themselves.
  if (variable(env, "VERCEL") !== undefined || variable(env, "CF_PAGES") !== undefined) return "always"
  const mode = variable(env, "NODE_ENV")
  if (mode === "development" || mode === "test") return "always"
  return mode === "production" ? "never" : "loopback"
}

/**
 * Writes the options of the environment into a configuration, for frameworks that are built on the core and expect it.
 * The configuration is changed; the provider objects in it are not, their filled copies take their places.
 */
export function setEnvDefaults(
  env: Readonly<Record<string, unknown>>,
  config: AuthConfig,
  suppressBasePathWarning = false,
): void {
  const record = env as Environment
  const { secret, redirectProxyUrl, site } = applyEnvironment(config, record)
  if (site && config.basePath && !suppressBasePathWarning && site.path !== "") {
    createLogger(config.logger, false).warn("env-url-basepath-redundant")
  }
  config.basePath ??= site && site.path !== "" ? site.path : "/auth"
  config.secret = (secret ?? []) as string | string[]
  if (typeof redirectProxyUrl === "string") config.redirectProxyUrl = redirectProxyUrl
  const trust = hostTrustOf(config.trustHost, record)
  // "loopback" is decided at each request and stays open here.
  if (trust !== "loopback") config.trustHost ??= trust === "always"
  config.providers = (config.providers ?? []).map((entry) => instantiate(entry, record) as unknown as Provider)
}
