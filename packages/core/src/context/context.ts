/** What is true about this request: everything an action may look at. */
import type { CookieTable, ResolvedProvider, Settings } from "../config/settings.js"
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
  /** The one reading of the clock. */
  readonly now: Date
  readonly log: ContextLog
  /** Twelve characters that name this request in log, header and page; made when first asked for. */
  incident(): string
}

/** A context whose provider is known to be of one kind. */
export type ContextOf<P extends ResolvedProvider> = Context & { readonly provider: P }
