/** Calls of an application for one request: each reads the cookies that those before it have answered, as if the browser had sent them. */
import type { ChangedSource } from "../config/caches.js"
import type { Settings } from "../config/settings.js"
import { headersOf, readerOf } from "../http/headers.js"
import { toSetCookie } from "../http/outgoing.js"
import { cookiesAfter } from "../http/set-cookie-fields.js"
import type { Cookie } from "../types/config.js"
import type { AuthService, AuthSource } from "./public.js"

type Given = Pick<Settings, "caches">

/** What a call before this one has left of a source, if it is still the request that it was then. */
function changeOf(auth: AuthService<unknown>, source: AuthSource, { caches }: Given): ChangedSource | undefined {
  const change = caches.changedSources.get(source)
  const isSame = change?.auth === auth && readerOf(source.headers).get("cookie") === change.sent
  return isSame ? change : undefined
}

/** The source with the cookies that calls for it have answered. */
export function asChanged(auth: AuthService<unknown>, source: AuthSource, settings: Given): AuthSource {
  const change = changeOf(auth, source, settings)
  if (!change) return source
  const headers = new Headers(headersOf(readerOf(source.headers)))
  headers.set("cookie", change.now)
  const { url } = source
  return { headers, ...(url !== undefined && { url }), ...("secure" in source && { secure: source.secure }) }
}

/** Keeps what a call for a source has answered, for those that follow. */
export function keepChange(
  auth: AuthService<unknown>,
  source: AuthSource,
  { cookies, settings, now }: { cookies: readonly Cookie[]; settings: Given; now: Date },
): void {
  if (cookies.length === 0) return
  const sent = readerOf(source.headers).get("cookie")
  const before = changeOf(auth, source, settings)?.now ?? sent
  const after = cookiesAfter(before, cookies.map(toSetCookie), now)
  settings.caches.changedSources.set(source, { auth, sent, now: after })
}
