/** What the environment says: AUTH_* variables, which of them count, and the options of providers that they fill. */
import { createLogger } from "../ports/logger.js"
import { concealBut } from "../std/conceal.js"
import { isThenable } from "../std/deadline.js"
import { isOwnIssuer } from "../std/own-issuer.js"
import { variableName } from "../std/variable-name.js"
import type { AuthConfig } from "../types/config.js"
import type { Provider } from "../types/provider.js"
import { parseSite, type Site, trimSlashes } from "./addresses.js"
import { isAbsent, membersOf } from "./members.js"
import type { HostTrust } from "./settings.js"

/** Environment variables as a record. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A variable without blanks around it; an empty one counts as absent. */
export function variable(env: Environment, name: string): string | undefined {
  // What was added to `Object.prototype` is no variable. (Proxies may not list what they own.)
  const value: unknown = name in Object.prototype && !Object.hasOwn(env, name) ? undefined : env[name]
  const text = typeof value === "string" ? value.trim() : ""
  return text === "" ? undefined : text
}

/** The options that an environment can fill. */
export interface Environed {
  readonly secret: unknown
  /** A secret of their own for records; `undefined`: that of everything else. */
  readonly recordSecret: unknown
  readonly redirectProxyUrl: unknown
  readonly hostTrust: HostTrust
  /** What AUTH_URL says. */
  readonly site: Site | undefined
  /** AUTH_URL, where it cannot be read. */
  readonly invalidUrl: string | undefined
}

/** Copied with a configuration by `{ ...config }`, and of the registry, because a framework may have its own copy of this package. */
const filledAddress = Symbol.for("latchkey.filled-auth-url")

/** What AUTH_URL says in the environment that {@link setEnvDefaults} filled this configuration from. */
export function filledAddressOf(config: unknown): string | undefined {
  const address: unknown =
    typeof config === "object" && config !== null ? (config as Record<symbol, unknown>)[filledAddress] : undefined
  return typeof address === "string" ? address : undefined
}

const filledPath = Symbol.for("latchkey.filled-base-path")

/** The base path that {@link setEnvDefaults} wrote into this configuration. */
export function filledPathOf(config: unknown): unknown {
  return typeof config === "object" && config !== null ? (config as Record<symbol, unknown>)[filledPath] : undefined
}

/** Fills what the configuration leaves open. An option that is given always wins. `filled` counts more than AUTH_URL. */
export function applyEnvironment(config: Partial<AuthConfig>, env: Environment, filled?: string): Environed {
  const members = membersOf(config)
  const address = filled ?? variable(env, "AUTH_URL")
  const site = address === undefined ? undefined : parseSite(address)
  return {
    secret: secretOf(members.secret, env),
    recordSecret: secretOf(undefined, env, "AUTH_RECORD_SECRET"),
    redirectProxyUrl: members.redirectProxyUrl ?? variable(env, "AUTH_REDIRECT_PROXY_URL"),
    hostTrust: hostTrustOf(members.trustHost, env),
    site,
    invalidUrl: site ? undefined : address,
  }
}

/** Numbered secrets are newer than the plain one. Blanks belong to a secret: keys derived elsewhere hold them. */
function secretOf(given: unknown, env: Environment, name = "AUTH_SECRET"): unknown {
  const isOpen = isAbsent(given) || given === "" || (Array.isArray(given) && given.length === 0)
  if (!isOpen) return given
  const found = [`${name}_3`, `${name}_2`, `${name}_1`, name]
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
  const mode = variable(env, "NODE_ENV")
  // These platforms overwrite the header themselves.
  const isPlatform = variable(env, "VERCEL") !== undefined || variable(env, "CF_PAGES") !== undefined
  const isUsual = isPlatform || mode === "development" || mode === "test"
  if (isUsual && word !== "false" && word !== "0") return "always"
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
  const isOwn = config.basePath !== filledPathOf(config)
  // Two paths that differ are another warning, of whoever answers requests.
  const isRepeated = isOwn && site?.path && config.basePath && trimSlashes(config.basePath) === site.path
  if (isRepeated && !suppressBasePathWarning) createLogger(config.logger, false).warn("env-url-basepath-redundant")
  if (isAbsent(config.basePath)) {
    const basePath = site?.path || "/auth"
    Object.assign(config, { basePath, [filledPath]: basePath })
  }
  config.secret = (secret ?? []) as string | string[]
  if (typeof redirectProxyUrl === "string") config.redirectProxyUrl = redirectProxyUrl
  const trust = hostTrustOf(config.trustHost, record)
  // The host is trusted for the sake of that address, which `Auth` does not find where this is not the environment of the process.
  const address = variable(record, "AUTH_URL")
  if (address !== undefined) Object.assign(config, { [filledAddress]: address })
  // "loopback" is decided at each request and stays open here.
  if (trust !== "loopback") config.trustHost ??= trust === "always"
  config.providers = (config.providers ?? []).map((entry) => instantiate(entry, record) as unknown as Provider)
}

type Options = Readonly<Record<string, string>>

/** Options of providers, and how the names of their variables end. */
export const variables = { clientId: "ID", clientSecret: "SECRET", issuer: "ISSUER", apiKey: "KEY" } as const
const filled: Readonly<Record<string, readonly (keyof typeof variables)[]>> = {
  oauth: ["clientId", "clientSecret", "issuer"],
  oidc: ["clientId", "clientSecret", "issuer"],
  email: ["apiKey"],
}

/**
 * The provider object of an entry: a function is called with what the environment says of its provider, and whatever
 * `clientId`, `clientSecret`, `issuer` (or `apiKey`) an object leaves open is filled. An issuer that only the provider's
 * file gives counts as open. The entry is not changed.
 * @throws whatever the function throws; TypeError when there is no object
 */
export function instantiate(entry: unknown, env: Environment): Record<PropertyKey, unknown> {
  const given = typeof entry === "function" ? called(entry as (options: object) => unknown, env) : entry
  if (typeof given !== "object" || given === null || isThenable(given)) {
    throw new TypeError("An entry of providers is neither a provider nor a function that returns one.")
  }
  const provider = given as Record<PropertyKey, unknown>
  const found = foundFor(env, provider)
  // Also where the `options` say it: they are laid over, and frameworks read the members of the provider itself.
  const open = (filled[String(provider.type)] ?? []).filter(
    (name) => found[name] !== undefined && (provider[name] == null || (name === "issuer" && hasUsualIssuer(provider))),
  )
  const filledIn = Object.fromEntries(open.map((name) => [name, found[name]]))
  return open.length === 0 ? { ...provider } : concealBut({ ...provider, ...filledIn }, Object.keys(provider))
}

/**
 * What the environment says of a provider: under its own id, else under that of its file. Never of both together, because
 * the second of two providers would send its people, or its secret, to the issuer of the first.
 */
function foundFor(env: Environment, { id, options }: Readonly<Record<PropertyKey, unknown>>): Options {
  const own = optionsFrom(env, membersOf(options)["id"])
  return Object.keys(own).length === 0 ? optionsFrom(env, id) : own
}

/** Is the issuer that of the provider's file, which the application has not named itself? */
function hasUsualIssuer({ issuer, options }: Readonly<Record<PropertyKey, unknown>>): boolean {
  if (typeof options !== "object" || options === null) return false
  return isAbsent(membersOf(options)["issuer"]) && !isOwnIssuer(issuer, options)
}

/** The first call only finds the id; a fresh object each time, because some functions write to their options. */
function called(make: (options: object) => unknown, env: Environment): unknown {
  const provider = make({})
  const found = foundFor(env, (provider ?? {}) as Record<PropertyKey, unknown>)
  return Object.keys(found).length === 0 ? provider : make({ ...found })
}

/** AUTH_<ID>_ID, _SECRET, _ISSUER and _KEY, as far as they are set. */
function optionsFrom(env: Environment, id: unknown): Options {
  if (typeof id !== "string" || id === "") return {}
  const found = Object.entries(variables).map(
    ([name, suffix]) => [name, variable(env, variableName(id, suffix))] as const,
  )
  return Object.fromEntries(found.filter((pair): pair is [string, string] => pair[1] !== undefined))
}
