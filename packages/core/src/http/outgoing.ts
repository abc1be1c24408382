/** Turns a result into a response, or into plain values for an integration. The only place that writes `Set-Cookie`. */
import type { CookieTable } from "../config/settings.js"
import { AuthError, errorTable } from "../errors.js"
import { serialiseCookie } from "../std/cookie.js"
import { renderHtml } from "../std/html.js"
import { urlOf } from "../std/url.js"
import type { Cookie, ResponseInternal } from "../types/config.js"
import { concreteCookies, wholeNameOf } from "./cookies.js"
import type { Incoming } from "./incoming.js"
import { jsonHeaders, type PolicyContext, policyHeaders } from "./policy.js"
import type { Reply, Result } from "./result.js"
import { cookieNameIn } from "./set-cookie-fields.js"

/** What rendering needs of a context. */
export interface OutgoingContext extends PolicyContext {
  readonly incoming: Incoming
  readonly cookies: CookieTable
  readonly log: { error(error: Error): void }
  incident(): string
}

/** The text of a `Set-Cookie` header. @throws TypeError when a part of it cannot stand there. */
export function toSetCookie({ name, value, options }: Cookie): string {
  return serialiseCookie(name, value, options)
}

/** Headers of a response, as far as cookies are added to them: `Headers`, or what a framework has in their place. */
export type CookieHeaders = Pick<Headers, "append" | "getSetCookie">

/**
 * Adds cookies to a response that was made after them: those of a session that middleware read before the rest of the
 * application answered. A cookie that the response sets or clears itself is newer and stays, so that a sign-in or sign-out
 * by a route is not undone; where it sets or clears any part of a session's cookie, no part of the older one is added. Not
 * for the cookies of a sign-in or sign-out: these are the newer ones.
 *
 * @throws TypeError when name, value or an attribute of a cookie cannot stand in a header.
 */
export function addOlderCookies(headers: CookieHeaders, cookies: readonly Cookie[]): void {
  const changed = new Set(headers.getSetCookie().map((line) => wholeNameOf(cookieNameIn(line))))
  const older = cookies.filter(({ name }) => !changed.has(wholeNameOf(name)))
  for (const cookie of older) headers.append("Set-Cookie", toSetCookie(cookie))
}

/** A response as plain values. */
export interface ServerResponse {
  /** HTTP status. */
  readonly status: number
  /** All but `Set-Cookie`. */
  readonly headers: Readonly<Record<string, string>>
  /** Values of `Set-Cookie`, one for each cookie. */
  readonly cookies: readonly string[]
  /** The body as text; absent where the response has none. */
  readonly body: string | null
}

/** Renders a result as a response. Never throws: what cannot be written becomes an error. */
export function toResponse(result: Result, context: OutgoingContext): Response {
  return writing(result, context, (given) => {
    const { status, headers, cookies, body } = write(given, context)
    const response = new Response(body, { status, headers })
    for (const cookie of cookies) response.headers.append("Set-Cookie", cookie)
    return response
  })
}

/** Renders a result as plain values. Never throws: what cannot be written becomes an error. */
export function toServerResponse(result: Result, context: OutgoingContext): ServerResponse {
  return writing(result, context, (given) => write(given, context))
}

function writing<T>(result: Result, context: OutgoingContext, writeAs: (result: Result) => T): T {
  try {
    return writeAs(result)
  } catch (error) {
    return writeAs(unwritable(error, context))
  }
}

/** Renders a result as plain values, redirects included, whoever the caller is. */
export function toInternal(result: Result, context: OutgoingContext): ResponseInternal {
  const { reply } = result
  const cookies = [...concreteCookies(result.cookies, context)]
  const headers = new Headers({ ...policyHeaders(reply, context), ...result.headers })
  if (reply.kind === "redirect") return { status: 302, headers, redirect: locationOf(reply.location, context), cookies }
  const body = context.incoming.isHead ? undefined : bodyOf(reply)
  return { status: reply.status, headers, cookies, ...(body !== undefined && { body }) }
}

function write(result: Result, context: OutgoingContext): ServerResponse {
  const cookies = concreteCookies(result.cookies, context).map(toSetCookie)
  const { status, body, headers } = rendered(result.reply, context)
  return {
    status,
    headers: result.headers ? { ...headers, ...result.headers } : headers,
    cookies,
    body: context.incoming.isHead ? null : body,
  }
}

type Rendered = Omit<ServerResponse, "cookies">

function rendered(reply: Reply, context: OutgoingContext): Rendered {
  if (reply.kind === "redirect") return renderedRedirect(reply, context)
  const body = bodyOf(reply)
  const text = reply.kind === "json" ? JSON.stringify(body ?? null) : ((body as string | undefined) ?? null)
  return { status: reply.status, body: text, headers: policyHeaders(reply, context) }
}

/** A script cannot follow a redirect to another page: it gets the address as JSON, and the status of a refusal. */
function renderedRedirect(reply: Extract<Reply, { kind: "redirect" }>, context: OutgoingContext): Rendered {
  const url = locationOf(reply.location, context)
  if (context.incoming.caller !== "script") {
    return { status: 302, body: null, headers: { ...policyHeaders(reply, context), Location: url } }
  }
  if (!reply.refusal) return { status: 200, body: JSON.stringify({ url }), headers: { ...jsonHeaders, Location: url } }
  const { status, ...refusal } = reply.refusal
  return { status, body: JSON.stringify({ ...refusal, url }), headers: jsonHeaders }
}

function bodyOf(reply: Exclude<Reply, { kind: "redirect" }>): unknown {
  if (reply.kind === "json") return reply.body
  return reply.kind === "page" ? renderHtml(reply.html) : undefined
}

const neverFollowed: ReadonlySet<string> = new Set(["javascript:", "data:", "vbscript:", "blob:", "file:", "about:"])

/** Says whether a browser may be sent there, wherever the address came from. */
export function mayFollow(location: string, origin: string): boolean {
  return followed(location, origin) !== undefined
}

function followed(location: string, origin: string): URL | undefined {
  const url = urlOf(location, origin)
  return url && !neverFollowed.has(url.protocol) ? url : undefined
}

/** The whole address, ASCII only; the origin alone as callbacks know it. One that no browser should follow becomes the origin. */
function locationOf(location: string, { incoming: { origin } }: OutgoingContext): string {
  if (location === origin) return origin
  return followed(location, origin)?.href ?? origin
}

/** No partial answer: a session that cannot be serialised is a fault, and answered as one. */
function unwritable(error: unknown, context: OutgoingContext): Result {
  context.log.error(error instanceof Error ? error : new AuthError(String(error)))
  return plainFault(context, "The answer could not be written. The server log says why.")
}

/** The answer to a fault that needs nothing else. What failed is for the caller to log. */
export function plainFault(context: Pick<OutgoingContext, "incident">, message: string): Result {
  const { value, status } = errorTable.InvalidConfiguration
  const incident = context.incident()
  return {
    reply: { kind: "json", status, body: { error: value, message, incident } },
    cookies: [],
    headers: { "X-Auth-Incident": incident },
  }
}
