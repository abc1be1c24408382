/** Cookies of a request as the browser will have them once it has the answer, and cookies set on that answer. */
import { cookiesAfter, toSetCookie } from "@latchkey/core"
import type { Cookie } from "@latchkey/core/types"
import type { cookies } from "next/headers"

/** What has become of the cookies while a request is answered. */
interface Changes {
  readonly lines: string[]
  /** Those of a response that does not exist yet. */
  pending: readonly Pending[]
}

/** Cookies that were expected together. */
interface Pending {
  readonly cookies: readonly Cookie[]
  /** The application has set or cleared none of them itself. */
  isUntouched(): boolean
}

const key = Symbol.for("@latchkey/next changes")

/**
 * Next shows the same `Headers` object, with the cookies as they were sent, to everything that takes part in a response. One
 * map for the process: webpack makes a copy of this module for actions that client components call, and another for pages.
 */
function changesByRequest(): WeakMap<Headers, Changes> {
  const shared = globalThis as { [key]?: WeakMap<Headers, Changes> }
  shared[key] ??= new WeakMap()
  return shared[key]
}

/** The cookies as the application sees and changes them. */
async function applicationsCookies(): ReturnType<typeof cookies> {
  const next = await import("next/headers")
  return next.cookies()
}

/** The headers of the request that is answered. Loaded when needed: the Pages Router has no such modules. */
async function sentHeaders(): Promise<Headers> {
  const { headers } = await import("next/headers")
  return headers()
}

function changesOf(sent: Headers): Changes {
  const changes = changesByRequest().get(sent) ?? { lines: [], pending: [] }
  changesByRequest().set(sent, changes)
  return changes
}

/**
 * The headers of the request, with its cookies as they are by now. Not by Next's `cookies()`: where a name was sent twice,
 * that shows the last cookie, and the service reads the first.
 */
export async function currentHeaders(): Promise<Headers> {
  const sent = await sentHeaders()
  return changedBy(changesByRequest().get(sent)?.lines ?? [], sent)
}

/** Sets cookies on the answer, after those that are pending. Throws where Next allows none, as while a page is rendered. */
export async function setCookies(cookies: readonly Cookie[]): Promise<void> {
  if (cookies.length === 0) return
  const [jar, sent] = await Promise.all([applicationsCookies(), sentHeaders()])
  const changes = changesOf(sent)
  // On the response, the pending ones would override these in a route handler, and be lost in the proxy.
  const pending = changes.pending.filter((one) => one.isUntouched()).flatMap((one) => one.cookies)
  for (const { name, value, options } of [...pending, ...cookies]) jar.set(name, value, options)
  changes.pending = []
  changes.lines.push(...cookies.map(toSetCookie))
}

/**
 * Lets calls from here on see these cookies as set, although there is no response yet that could carry them. Returns a
 * function that hands over those that the response still has to get: none once {@link setCookies} was called, or the
 * application has set or cleared one of them itself.
 */
export async function expectCookies(cookies: readonly Cookie[]): Promise<() => readonly Cookie[]> {
  // Outside of Next's App Router and proxy there are no such calls.
  const sent = await sentHeaders().catch(() => undefined)
  if (sent === undefined) return () => cookies
  const jar = await applicationsCookies().catch(() => undefined)
  const values = (): string => JSON.stringify(cookies.map(({ name }) => jar?.get(name)?.value))
  const before = values()
  const expected: Pending = { cookies, isUntouched: () => values() === before }
  const changes = changesOf(sent)
  changes.lines.push(...cookies.map(toSetCookie))
  changes.pending = [...changes.pending, expected]
  return () => {
    const isLeft = changes.pending.includes(expected) && expected.isUntouched()
    changes.pending = changes.pending.filter((one) => one !== expected)
    return isLeft ? cookies : []
  }
}

/** The headers of a request after these `Set-Cookie` fields; of those with one name the last counts. */
export function changedBy(lines: readonly string[], sent: Headers): Headers {
  if (lines.length === 0) return sent
  const headers = new Headers(sent)
  headers.set("cookie", cookiesAfter(sent.get("cookie"), lines, new Date()))
  return headers
}
