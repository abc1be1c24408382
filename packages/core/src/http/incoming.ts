/** A request, read once: route, origin, query, form, cookies. Reading never throws; what is wrong stands in `problem`. */
import type { AuthError } from "../errors.js"
import type { Route } from "./route.js"

/** Reads one header; `null` when absent. */
export interface HeaderReader {
  get(name: string): string | null
}

/** What came in. */
export interface Incoming {
  readonly route: Route | undefined
  readonly method: "GET" | "POST"
  /** Answer without a body, consume nothing. */
  readonly isHead: boolean
  /** The browser only looks ahead: consume nothing. */
  readonly isPrefetch: boolean
  /** The believed origin, such as `https://app.test`. */
  readonly origin: string
  /** The believed origin is https. */
  readonly isSecure: boolean
  /** The whole address with the believed origin. */
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
  /** `Accept` names text/html. */
  readonly wantsHtml: boolean
  readonly problem: AuthError | undefined
}
