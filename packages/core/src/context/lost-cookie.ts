/** Why a cookie that was set may not come back, for the log. */
import type { CookieAttributes } from "../types/config.js"
import type { Context } from "./context.js"

/** The end of a sentence about a cookie that did not come; empty where its attributes say nothing about it. */
export function whyLost({ settings }: Pick<Context, "settings">, { secure }: CookieAttributes): string {
  if (secure !== true) return ""
  const { fixedOrigin, useSecureCookies } = settings
  const reason =
    useSecureCookies === true
      ? " (`useSecureCookies` is true)"
      : fixedOrigin?.startsWith("https:")
        ? ` (AUTH_URL is "${fixedOrigin}")`
        : ""
  return `: browsers store and send it over https only${reason}, so the page has to be opened with https`
}
