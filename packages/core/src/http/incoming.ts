/** A request, read once: route, origin, query, form, cookies. Reading never throws; what is wrong stands in `problem`. */
import type { Settings } from "../config/settings.js"
import { AuthError, UnknownAction, UnreadableRequest } from "../errors.js"
import { asThrownError } from "../ports/thrown.js"
import { parseCookies } from "../std/cookie.js"
import { fromModule } from "../std/lazy.js"
import { type Address, readAddress } from "../std/url.js"
import type { FeatureAction } from "../types/feature.js"
import type { Awaitable } from "../types/identity.js"
import {
  type AuthAction,
  methodRefused,
  methodsOf,
  parseRoute,
  pathOf,
  type Route,
  withoutUndefined,
} from "./endpoints.js"
import { assertBounded, asUnreadable, emptyForm, fieldsOf } from "./fields.js"
import { type HeaderReader, type HeaderSource, headersOf, readerOf, type Sender } from "./headers.js"
import { type OriginSource, originOfCall, trustedOriginOf, unreadableAddress } from "./origin.js"

export type { HeaderReader, HeaderSource, Sender } from "./headers.js"

/** What came in. */
export interface Incoming {
  readonly route: Route | undefined
  readonly method: "GET" | "POST"
  /** Answer without a body, consume nothing. */
  readonly isHead: boolean
  /** The trusted origin, such as `https://app.test`. */
  readonly origin: string
  /** The trusted origin is https. */
  readonly isSecure: boolean
  /** The whole address with the trusted origin. */
  readonly url: string
  /** Without prototype; the last of equal names. */
  readonly query: Readonly<Record<string, string>>
  /** The body, without prototype; empty for GET. */
  readonly form: Readonly<Record<string, unknown>>
  /** As sent, decoded; the first of equal names. */
  readonly cookies: ReadonlyMap<string, string>
  readonly headers: HeaderReader
  /** `script` asked for `{ url }` instead of a redirect; `server` is an integration in this process, trusted for CSRF, and gets errors thrown. */
  readonly caller: "browser" | "script" | "server"
  /** Who sent it, where an integration has determined it; otherwise `undefined`. */
  readonly sender?: Sender | undefined
  /** The address it came from, where an integration knows it; `null`: it has ended the connection. */
  readonly address?: string | null | undefined
  readonly problem: AuthError | undefined
}

/** A request without its body: one of the web, or what a server has at hand. */
export interface RequestHead {
  readonly method: string
  /** The whole address, such as `https://app.test/auth/session`. */
  readonly url: string
  readonly headers: HeaderSource
}

/** What reading depends on. */
export type IncomingSettings = Pick<Settings, "basePath" | "features" | "fixedOrigin" | "hostTrust" | "options">

/** Characters a query may have: more than any provider sends. */
const queryLimit = 64 * 1024

/** What is read where the address is none: the problem says so, and nothing of it is used. */
const noAddress: Address = Object.freeze({ origin: "null", protocol: "", hostname: "", pathname: "/", search: "" })

/** Reads a request without its body: the form is empty. Never throws. */
export function readHead(request: RequestHead, settings: IncomingSettings, sender?: Sender): Incoming {
  const address = readAddress(request.url)
  const url = address ?? noAddress
  const { method } = request
  const headers = readerOf(request.headers)
  const { origin, isSecure, problem: mistrust } = trustedOriginOf({ url, headers }, settings)
  const route = withoutUndefined(parseRoute(url.pathname, settings), method)
  const { query, problem: unreadable } = readQuery(url.search)
  return {
    route,
    method: method === "POST" ? "POST" : "GET",
    isHead: method === "HEAD",
    origin,
    isSecure,
    url: origin + url.pathname + url.search,
    query,
    form: emptyForm(),
    cookies: parseCookies(headers.get("cookie")),
    headers,
    caller: headers.get("x-auth-return-redirect") === null ? "browser" : "script",
    sender,
    // Servers make an address of whatever stands in the `Host` header: on Bun it may be none.
    problem: address ? (refuseRoute(route, method, settings) ?? mistrust ?? unreadable) : unreadableAddress(),
  }
}

/** Most requests have no body. */
const readBody = fromModule(
  () => import("./body.js"),
  (module) => module.readBody,
)

/** Adds the body of a POST that nothing is wrong with so far. Never throws. */
export function withForm(head: Incoming, toRequest: () => Request): Awaitable<Incoming> {
  if (head.method !== "POST" || head.problem) return head
  return readBody(toRequest).then(
    (read) => ({ ...head, ...read }),
    // The code that reads bodies could not be loaded.
    (error) => ({ ...head, problem: new AuthError(asThrownError(error)) }),
  )
}

/** A call of an action in this process. */
export interface Call {
  readonly action: AuthAction | FeatureAction
  readonly provider?: string | undefined
  readonly method: "GET" | "POST"
  readonly query?: Readonly<Record<string, string | undefined>> | undefined
  readonly form?: Readonly<Record<string, unknown>> | undefined
  readonly sender?: Sender | undefined
}

/** Where a call comes from: what its integration knows of the request behind it. */
export interface CallSource extends OriginSource {
  readonly headers: HeaderSource
}

/** The browser prefetches: consume nothing. A call in this process does not, whatever the headers of the request behind it say. */
export function isPrefetch({ caller, headers }: Pick<Incoming, "caller" | "headers">): boolean {
  if (caller === "server") return false
  return ["sec-purpose", "purpose", "x-moz"].some((name) => headers.get(name)?.toLowerCase().includes("prefetch"))
}

/** Is a page to be answered? `Accept` then names text/html. */
export function wantsPage({ caller, headers }: Pick<Incoming, "caller" | "headers">): boolean {
  return caller === "browser" && (headers.get("accept")?.toLowerCase().includes("text/html") ?? false)
}

const nothing: Readonly<Record<string, never>> = Object.freeze(Object.create(null))

/** Makes what an action needs for a call in this process. Only this function sets the caller to `server`; no header can. Never throws. */
export function craftIncoming(source: CallSource, call: Call, settings: IncomingSettings): Incoming {
  const { action, provider, method, query, form, sender } = call
  const headers = readerOf(source.headers)
  // A session depends on the scheme alone; everything else makes addresses.
  const { origin, isSecure, problem } = originOfCall(source, action === "session" ? "scheme" : "origin", settings)
  const params = query ? definedOf(query) : nothing
  const search = query ? new URLSearchParams(params).toString() : ""
  return {
    route: { action, provider },
    method,
    isHead: false,
    origin,
    isSecure,
    url: origin + pathOf(settings.basePath, action, provider) + (search && `?${search}`),
    query: params,
    form: form ? definedOf(form) : nothing,
    cookies: parseCookies(headers.get("cookie")),
    headers,
    caller: "server",
    sender,
    problem: problem ?? (form && refuseUnbounded(form, action)),
  }
}

/**
 * What came in as a request again, for callbacks of the application: same address, method and headers, the form as JSON.
 * The content type stays the one that was sent.
 */
export function asRequest(incoming: Incoming, form: Readonly<Record<string, unknown>> = incoming.form): Request {
  const { url, method } = incoming
  const headers = headersOf(incoming.headers)
  const request = new Request(url, { method, headers, body: method === "POST" ? JSON.stringify(form) : null })
  // These describe the body that was read.
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) request.headers.delete(name)
  return request
}

/**
 * Bounds as for bodies: a route may hand on whatever its own parser, or a framework, has read. Data for a session go to
 * callbacks as they are, other fields also as JSON.
 */
function refuseUnbounded(
  form: Readonly<Record<string, unknown>>,
  action: Call["action"],
): UnreadableRequest | undefined {
  try {
    assertBounded(form, action !== "session")
    return undefined
  } catch (error) {
    return asUnreadable(error)
  }
}

function definedOf<T>(record: Readonly<Record<string, T | undefined>>): Record<string, T> {
  const defined = Object.create(null) as Record<string, T>
  for (const [name, value] of Object.entries(record)) {
    if (value !== undefined && name !== "__proto__") defined[name] = value
  }
  return defined
}

function refuseRoute(
  route: Route | undefined,
  method: string,
  { features }: IncomingSettings,
): UnknownAction | undefined {
  if (!route) return new UnknownAction("The path names no action.")
  if (method === "GET" || method === "HEAD" || method === "POST") return undefined
  const allow = methodsOf(route.action, features.rows)
  return methodRefused(`The method is not supported: expected one of ${allow.join(", ")}.`, allow)
}

function readQuery(search: string): Pick<Incoming, "query" | "problem"> {
  if (search === "") return { query: nothing, problem: undefined }
  try {
    if (search.length > queryLimit) throw new UnreadableRequest(`The query is longer than ${queryLimit} characters.`)
    return { query: fieldsOf(new URLSearchParams(search), 400), problem: undefined }
  } catch (error) {
    return { query: Object.create(null) as Record<string, string>, problem: asUnreadable(error) }
  }
}
