/** A warning is logged once for each logger: a configuration that is made anew for every request must not fill the log. */
import type { WarningCode } from "../types/hooks.js"
import type { Settings } from "./settings.js"

/** Logs a warning unless this logger was given it before. `detail` is what the configuration says of it, unless given. */
export function warnOnce(
  settings: Settings,
  code: WarningCode,
  detail: string | undefined = settings.warningDetails[code],
): void {
  const { caches, logger } = settings
  const key = keyOfLogger(settings)
  if (caches.told.get(key, code)) return
  caches.told.set(key, code, true)
  logger.warn(code, detail)
}

/** Whose log it is: what was said is remembered by it. */
export function keyOfLogger({ config }: Settings): object | string {
  const logger: unknown = config?.logger
  return typeof logger === "object" && logger !== null ? logger : "console"
}
