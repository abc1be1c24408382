/** The context of one request: everything an action may read. */
import type { CookieTable, ResolvedProvider, Settings } from "../config/settings.js"
import { randomBase64url } from "../crypto/token.js"
import { isRefusal } from "../errors.js"
import type { Incoming } from "../http/incoming.js"
import type { WarningCode } from "../types/hooks.js"

/** The logger with this request's incident id. */
export interface ContextLog {
  /** Logs a fault with the incident id. */
  error(error: Error): void
  warn(code: WarningCode): void
  debug(message: string, metadata?: unknown): void
}

/** Everything about one request. Read-only. */
export interface Context {
  readonly settings: Settings
  readonly incoming: Incoming
  /** The provider the path names, if any. */
  readonly provider: ResolvedProvider | undefined
  /** Names and attributes for the scheme of this request. */
  readonly cookies: CookieTable
  /** The time of the request; the clock is read once. */
  readonly now: Date
  readonly log: ContextLog
  /** Twelve characters that name this request in log, header and page; made when first asked for. */
  incident(): string
  /** What was worked out under this key for this request before, else what `make` answers now. */
  once<T>(key: symbol, make: () => T): T
  /** What {@link once} has kept under this key, if it was asked. */
  kept<T>(key: symbol): T | undefined
}

/** A context whose provider is known to be of one kind. */
export type ContextOf<P extends ResolvedProvider> = Context & { readonly provider: P }

/** A class, so that a request makes one object of it and not a function for each level. */
class RequestLog implements ContextLog {
  readonly #logger: Settings["logger"]
  readonly #incident: () => string

  constructor(logger: Settings["logger"], incident: () => string) {
    this.#logger = logger
    this.#incident = incident
  }

  error(error: Error): void {
    this.#logger.error(isRefusal(error) ? error : withIncident(error, this.#incident()))
  }

  warn(code: WarningCode): void {
    this.#logger.warn(code)
  }

  debug(message: string, metadata?: unknown): void {
    this.#logger.debug(message, metadata)
  }
}

/** Makes the context of a request. */
export function createContext({ settings, incoming, now }: Pick<Context, "settings" | "incoming" | "now">): Context {
  const { logger } = settings
  let made: string | undefined
  const incident = (): string => {
    made ??= newIncident()
    return made
  }
  let known: Map<symbol, unknown> | undefined
  const once = <T>(key: symbol, make: () => T): T => {
    known ??= new Map()
    if (!known.has(key)) known.set(key, make())
    return known.get(key) as T
  }
  // Member by member: engines build an object that begins with a spread many times slower, and this one is in every request.
  const { provider, cookies } = chosenFor({ settings, incoming })
  return {
    settings,
    incoming,
    provider,
    cookies,
    now,
    log: new RequestLog(logger, incident),
    incident,
    once,
    kept: <T>(key: symbol): T | undefined => known?.get(key) as T | undefined,
  }
}

/** What the configuration has for this request: the provider that its path names, the cookies of its scheme. */
export function chosenFor({
  settings,
  incoming,
}: Pick<Context, "settings" | "incoming">): Pick<Context, "settings" | "incoming" | "provider" | "cookies"> {
  const { cookies, options, providers } = settings
  const id = incoming.route?.provider
  return {
    settings,
    incoming,
    provider: id === undefined ? undefined : providers.get(id),
    cookies: (options.useSecureCookies ?? incoming.isSecure) ? cookies.secure : cookies.plain,
  }
}

const incidentLength = 12

function newIncident(): string {
  let id = ""
  // Two characters of the alphabet are left out, so that an id is one word.
  while (id.length < incidentLength) id += randomBase64url(incidentLength).replaceAll(/[-_]/g, "")
  return id.slice(0, incidentLength)
}

/**
 * The same error with a member `incident`. A copy: the error may be the application's own, and thrown again. Members
 * that cannot be read are left out.
 */
function withIncident(error: Error, incident: string): Error {
  const copy = Object.setPrototypeOf(new Error(error.message), Object.getPrototypeOf(error) as object) as Error
  for (const name of Object.getOwnPropertyNames(error)) {
    try {
      const enumerable = Object.prototype.propertyIsEnumerable.call(error, name)
      const value: unknown = error[name as keyof Error]
      Object.defineProperty(copy, name, { value, enumerable, configurable: true, writable: true })
    } catch {
      // A getter of the application.
    }
  }
  return Object.defineProperty(copy, "incident", { value: incident, enumerable: true, configurable: true })
}
