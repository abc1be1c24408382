/** Where messages go: the default logger, the application's own, and the rule that no secret gets in. */
import type { WarningCode } from "../types/hooks.js"

/** A total logger. */
export interface Logger {
  error(error: Error): void
  warn(code: WarningCode): void
  debug(message: string, metadata?: unknown): void
}
