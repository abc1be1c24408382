/** `auth` around a route handler or the proxy, and as the proxy itself. */
import { addOlderCookies, keepHeadersPrivate, pagePath } from "@latchkey/core"
import type { Cookie, Session } from "@latchkey/core/types"
import type { NextRequest } from "next/server.js"
import { originOf, sourceOf } from "./address.js"
import { below } from "./base-path.js"
import { expectCookies, setCookies } from "./cookies.js"
import type { Answered, NextAuthRequest } from "./object.js"
import type { Find, Found } from "./source.js"

/** A handler, and what Next hands to it beside the request. */
export interface Wrapped {
  readonly handler: (request: NextAuthRequest, context: unknown) => Answered
  readonly context: unknown
}

const keptOut = "private, no-store"

/** Reads the session, asks `authorized`, and lets the handler answer, or the request of a proxy go on. */
export async function answer(find: Find, request: NextRequest, wrapped?: Wrapped): Promise<Response> {
  const found = await find(request)
  const { service, authorized } = found
  // The service reads the session itself; nobody who is signed out could sign in otherwise.
  if (!wrapped && isOwn(found, request)) return goOn()
  const kept: Cookie[] = []
  const reading = service.session(sourceOf(request.headers), { onThrow: (cookies) => void kept.push(...cookies) })
  const { session, cookies } = await keepingCookies(reading, () => kept)
  const left = cookies.length === 0 ? undefined : await expectCookies(cookies)
  const response = await keepingCookies(answered(), left)
  const isAsked = session !== null && (wrapped !== undefined || authorized !== undefined)
  const answer = isAsked ? keptPrivate(response) : response
  return left ? withCookies(answer, left()) : answer

  async function answered(): Promise<Response> {
    const allowed = authorized ? await authorized({ request, auth: session }) : true
    if (allowed instanceof Response) return allowed
    if (wrapped) return (await wrapped.handler(withSession(request, session), wrapped.context)) ?? goOn()
    return allowed ? goOn() : toSignIn(found, request)
  }
}

function isOwn({ service }: Found, request: NextRequest): boolean {
  const isKnownBelow = below(request.nextUrl.basePath, service.basePath) === service.basePath
  return service.isOwn(isKnownBelow ? pathOf(request) : request.nextUrl.pathname)
}

function withSession(request: NextRequest, auth: Session | null): NextAuthRequest {
  // As next-auth does: a copy of a request of Next would lose what Next knows about it.
  return Object.assign(request, { auth })
}

async function goOn(): Promise<Response> {
  const { NextResponse } = await import("next/server")
  return NextResponse.next()
}

/** The sign-in page itself has to stay reachable, or the redirect would loop. */
async function toSignIn({ service, signInPage }: Found, request: NextRequest): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const { origin } = new URL(service.origin ?? originOf(request.headers) ?? request.url)
  const page = below(request.nextUrl.basePath, signInPage ?? `${service.basePath}/signin`)
  const address = new URL(page, origin)
  if (address.origin === origin && pagePath(address.pathname) === pagePath(pathOf(request))) return goOn()
  address.searchParams.set("callbackUrl", pathname + search)
  return new Response(null, { status: 307, headers: { Location: address.href, "Cache-Control": keptOut } })
}

/** The path as it is in the application, without a language in front. */
function pathOf(request: NextRequest): string {
  return request.nextUrl.basePath + request.nextUrl.pathname
}

/**
 * Sets cookies where this module gets no response to add them to: when a handler leaves by `redirect()`, Next makes it, with
 * what `cookies()` has; and an application may catch the error that says why the session cannot be read. The jwt callback may
 * have changed the token, by a refresh token that works only once.
 */
async function keepingCookies<T>(work: Promise<T>, left: (() => readonly Cookie[]) | undefined): Promise<T> {
  try {
    return await work
  } catch (error) {
    // Where Next allows no cookies there is nothing to carry them.
    if (left && !isPermanentRedirect(error)) await setCookies(left()).catch(() => undefined)
    throw error
  }
}

/** RFC 9110 §15.4.9: caches may keep it by default, and Next sends it without `Cache-Control`. */
function isPermanentRedirect(error: unknown): boolean {
  const { digest } = Object(error) as { readonly digest?: unknown }
  return /^NEXT_REDIRECT;.*;308;$/s.test(String(digest))
}

/**
 * Adds the cookies of the session as it was read, and keeps the response out of shared caches. A session cookie that the
 * handler has set itself takes precedence: it has signed somebody in or out since the session was read.
 */
function withCookies(response: Response, cookies: readonly Cookie[]): Response {
  const copy = new Response(response.body, response)
  addOlderCookies(copy.headers, cookies)
  keepHeadersPrivate(copy.headers)
  return copy
}

/**
 * An answer that a session was asked about is for its owner alone, unless it says otherwise. Pages that Next has built
 * ahead would say so themselves: a shared cache in front would hand them to everybody for a year.
 */
function keptPrivate(response: Response): Response {
  if (response.headers.has("cache-control")) return response
  const copy = new Response(response.body, response)
  copy.headers.set("Cache-Control", keptOut)
  return copy
}
