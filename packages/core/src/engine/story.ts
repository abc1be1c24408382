/** What `debug` logs of a request, loaded where it is on: how it came in, which endpoint served it, what the store was asked, and how it ended. */
import type { Row } from "../actions/table.js"
import type { Settings } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { isAuthError } from "../errors.js"
import type { Incoming } from "../http/incoming.js"
import type { Result } from "../http/result.js"
import { watchStore } from "../ports/watched-store.js"
import { isUrl } from "../std/url.js"

/** The settings of one request: the same, with a store whose calls are logged. */
export function observed(settings: Settings, clock: () => number): Settings {
  const { logger, store } = settings
  return { ...settings, store: watchStore(store, { clock, tell: (call) => logger.debug("Store", call) }) }
}

/** The beginning: values are secrets, so cookies and fields are named only. */
export function logRequest({ incoming, log }: Context): void {
  const { caller, cookies, form, method, origin, query, route, sender } = incoming
  log.debug(`Request ${method} ${route ? pathOf(route) : "(no action)"}`, {
    origin,
    caller,
    sender: sender ?? "unknown",
    cookieNames: [...cookies.keys()],
    queryNames: Object.keys(query),
    formNames: Object.keys(form),
  })
}

/** The endpoint that serves it. */
export function logEndpoint({ log, provider }: Context, { action, method, csrf, spends }: Row): void {
  log.debug(`Row ${method} ${action}`, { provider: provider?.id, type: provider?.type, csrf, spends })
}

/** The end: an address without its parameters but where the provider is to send the person back to, and the cookies that change, by their roles. */
export function logResult({ log, incoming }: Context, { reply, cookies }: Result, error?: unknown): void {
  log.debug("Answer", {
    ...(reply.kind === "redirect" ? redirectOf(reply.location, incoming.origin) : { status: reply.status }),
    changed: cookies.map(({ role }) => role),
    ...(error !== undefined && { error: typeNameOf(error) }),
  })
}

/** What the application throws may throw again when it is read. */
function typeNameOf(error: unknown): string {
  try {
    return isAuthError(error) ? String(error.type) : "unexpected"
  } catch {
    return "unexpected"
  }
}

function pathOf({ action, provider }: NonNullable<Incoming["route"]>): string {
  return provider === undefined ? action : `${action}/${provider.slice(0, 64)}`
}

/** The one parameter that has to be registered at the provider, and is no secret. */
function redirectOf(location: string, origin: string): { redirect: string; redirect_uri?: string } {
  const redirect = bare(location, origin)
  const sentBackTo = isUrl(location) ? new URL(location).searchParams.get("redirect_uri") : null
  return sentBackTo === null ? { redirect } : { redirect, redirect_uri: bare(sentBackTo, "https://origin.invalid") }
}

function bare(location: string, origin: string): string {
  if (!isUrl(location, origin)) return "(no address)"
  const { origin: there, pathname } = new URL(location, origin)
  return there === origin ? pathname : there + pathname
}
