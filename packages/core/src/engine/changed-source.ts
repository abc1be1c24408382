/** Calls of an application for one request: each reads the cookies that those before it have answered, as if the browser had sent them. */
import type { ChangedSource } from "../config/caches.js"
import type { Settings } from "../config/settings.js"
import type { Context } from "../context/context.js"
import { type CookieContext, concreteCookies } from "../http/cookies.js"
import { headersOf, readerOf } from "../http/headers.js"
import { toSetCookie } from "../http/outgoing.js"
import type { CookieChange } from "../http/result.js"
import { cookiesAfter } from "../http/set-cookie-fields.js"
import { parseCookies } from "../std/cookie.js"
import type { Cookie } from "../types/config.js"
import type { AuthService, AuthSource } from "./public.js"

/** A service, and what it was called for. */
export interface Called {
  readonly auth: AuthService<unknown>
  readonly source: AuthSource
}

type Given = Pick<Settings, "caches">

const sentBy = ({ source }: Called): string | null => readerOf(source.headers).get("cookie")

/** What a call before this one has left of a source, if it is still the request that it was then. */
function changeOf(called: Called, { caches }: Given): ChangedSource | undefined {
  const change = caches.changedSources.get(called.source)?.get(called.auth)
  return change?.sent === sentBy(called) ? change : undefined
}

/** The source with the cookies that calls for it have answered. */
export function asChanged(called: Called, settings: Given): AuthSource {
  const { source } = called
  const change = changeOf(called, settings)
  if (!change) return source
  const headers = new Headers(headersOf(readerOf(source.headers)))
  headers.set("cookie", change.now)
  const { url } = source
  return { headers, ...(url !== undefined && { url }), ...("secure" in source && { secure: source.secure }) }
}

/**
 * The cookies that a call answers, which those that follow for its source read. Without a cookie that was sent nothing is kept:
 * such an object may stand for anybody. What is cleared is cleared under the names that were sent as well, because whoever called
 * before may have set nothing.
 */
export function handOver(called: Called, changes: readonly CookieChange[], context: Context): readonly Cookie[] {
  const { settings, now } = context
  const change = changeOf(called, settings)
  const cookies = concreteCookies(changes, change ? withSent(context, change) : context)
  const sent = sentBy(called)
  if (cookies.length === 0 || !sent) return cookies
  const after = { sent, now: cookiesAfter(change?.now ?? sent, cookies.map(toSetCookie), now) }
  const { changedSources } = settings.caches
  const changesOfSource = changedSources.get(called.source) ?? new Map<object, ChangedSource>()
  changedSources.set(called.source, changesOfSource.set(called.auth, after))
  return cookies
}

function withSent({ cookies, incoming }: Context, { sent }: ChangedSource): CookieContext {
  return { cookies, incoming: { cookies: new Map([...parseCookies(sent), ...incoming.cookies]) } }
}
