/** A warning is logged once for each logger: a configuration that is made anew for every request must not fill the log. */
import type { AuthConfig } from "../types/config.js"
import type { WarningCode } from "../types/hooks.js"
import type { Settings } from "./settings.js"

/** Logs a warning unless this logger was given it before. */
export function warnOnce({ config, caches, logger, warningDetails }: Settings, code: WarningCode): void {
  const key = loggerOf(config) ?? "console"
  if (caches.told.get(key, code)) return
  caches.told.set(key, code, true)
  logger.warn(code, warningDetails[code])
}

function loggerOf(config: AuthConfig): object | undefined {
  const logger: unknown = config?.logger
  return typeof logger === "object" && logger !== null ? logger : undefined
}
