/** What is only read: the session and the sign-in page in server components, the session in the Pages Router. */
import { keepPrivate, signInView, toSetCookie } from "@latchkey/core"
import type { Cookie, Session } from "@latchkey/core/types"
import { sourceOf } from "./address.js"
import { changedBy, currentHeaders } from "./cookies.js"
import type { NextSignInView, PagesRequest, PagesResponse, SearchParams } from "./object.js"
import type { Find } from "./source.js"

/** The session behind a server component, a server action or a route handler. */
export async function readHere(find: Find): Promise<Session | null> {
  const { connection } = await import("next/server")
  // A session depends on the time as well, which Next lets nobody read before, in what it renders ahead of a visit.
  await connection()
  const sent = await currentHeaders()
  const { service } = await find()
  const { session } = await service.session(sourceOf(sent), { extend: false })
  return session
}

/** What the sign-in page of the application shows. Cookies are left out: nothing can set one while a page is rendered. */
export async function readSignIn(
  find: Find,
  searchParams: SearchParams | Promise<SearchParams> = {},
): Promise<NextSignInView> {
  const { connection } = await import("next/server")
  // Its token is random and its cookies have ends, which Next lets nobody read in what it renders ahead of a visit.
  await connection()
  const { url = "http://localhost/", ...source } = sourceOf(await currentHeaders())
  const { service } = await find()
  const address = new URL(url)
  for (const [name, value] of Object.entries(await searchParams))
    for (const one of [value ?? []].flat()) address.searchParams.append(name, one)
  const { hidden, ...view } = (await signInView(service, { ...source, url: address.href })).view
  return { ...view, redirectTo: hidden["callbackUrl"] ?? "/" }
}

/**
 * The session of a request of the Pages Router, by the cookies as the response has set them so far. Its cookie is added
 * to the response while that can carry one. The answer is for its owner alone, unless the application has said otherwise
 * before.
 */
export async function readPages(find: Find, req: PagesRequest, res: PagesResponse): Promise<Session | null> {
  const { service } = await find()
  const { session, cookies } = await service.session(sourceOf(changedBy(setOn(res), headersOf(req))), {
    extend: !res.headersSent,
    onThrow: (left) => addCookies(left, res),
  })
  addCookies(cookies, res)
  if (session && !res.headersSent && res.getHeader("Cache-Control") === undefined)
    res.setHeader("Cache-Control", "private, no-store")
  return session
}

function addCookies(cookies: readonly Cookie[], res: PagesResponse): void {
  if (cookies.length === 0 || res.headersSent) return
  res.setHeader("Set-Cookie", [...setOn(res), ...cookies.map(toSetCookie)])
  keepPrivate(res)
}

function setOn(res: PagesResponse): readonly string[] {
  return [res.getHeader("Set-Cookie") ?? []].flat().map(String)
}

function headersOf({ headers }: PagesRequest): Headers {
  const copy = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    // Pseudo headers (RFC 9113 §8.3) are no fields.
    if (value === undefined || name.startsWith(":")) continue
    for (const one of [value].flat()) copy.append(name, one)
  }
  return copy
}
