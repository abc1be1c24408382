/** What an action answers: a reply and the changes of cookies, as values. */
import type { CookieTable } from "../config/settings.js"
import type { PageParts } from "../pages/layout.js"

/** A change of one cookie, by role. `slot` names the flow of a check cookie that is no longer the newest. */
export type CookieChange =
  | {
      readonly role: keyof CookieTable
      readonly slot?: string
      readonly value: string
      readonly expires?: Date
      /** Survives a cross-site POST (`SameSite=None; Secure`). */
      readonly crossSite?: boolean
    }
  | { readonly role: keyof CookieTable; readonly slot?: string; readonly clear: true }

/** The body of an answer. */
export type Reply =
  | { readonly kind: "json"; readonly status: number; readonly body: unknown }
  | ({ readonly kind: "page"; readonly status: number } & PageParts)
  | {
      readonly kind: "redirect"
      readonly location: string
      /** For script callers, when it is a refusal. */
      readonly refusal?: Refusal
    }
  | { readonly kind: "empty"; readonly status: number }

/** What a script sees of an error. */
export interface Refusal {
  readonly status: number
  readonly error: string
  readonly message: string
  readonly incident?: string
  readonly code?: string
}

/** The one value an action returns. */
export interface Result {
  readonly reply: Reply
  readonly cookies: readonly CookieChange[]
  readonly headers?: Readonly<Record<string, string>>
  /** The flow continues: its check cookies stay. */
  readonly spendsNothing?: boolean
  /** It shows whether a guess was right, so that it counts as one, though nobody has signed in. */
  readonly staysCounted?: boolean
  /** What has failed, where the answer says so and its cookies change all the same: a call in this process throws it. */
  readonly failed?: Error
}

/** What goes with any reply. */
export interface Extras {
  readonly cookies?: readonly CookieChange[]
  readonly headers?: Readonly<Record<string, string>>
}

/** Keeps an answer out of every cache. Written on all answers: each depends on cookies or changes them. */
export const noStore: Readonly<Record<string, string>> = Object.freeze({
  "Cache-Control": "private, no-cache, no-store",
  Expires: "0",
  Pragma: "no-cache",
})

/** Answers with JSON. @default status 200 */
export function json(body: unknown, { status = 200, ...extras }: Extras & { readonly status?: number } = {}): Result {
  return result({ kind: "json", status, body }, extras)
}

/** Answers with a page. @default status 200 */
export function page(
  document: PageParts,
  { status = 200, ...extras }: Extras & { readonly status?: number } = {},
): Result {
  return result({ kind: "page", status, ...document }, extras)
}

/** Sends the browser elsewhere. `refusal` is what a script gets instead, where this is one. */
export function redirect(
  location: string,
  { refusal, ...extras }: Extras & { readonly refusal?: Refusal } = {},
): Result {
  return result({ kind: "redirect", location, ...(refusal && { refusal }) }, extras)
}

/** Answers with a status alone. */
export function empty(status: number, extras: Extras = {}): Result {
  return result({ kind: "empty", status }, extras)
}

/** The same result with further changes of cookies, which count for more. */
export function withCookies(before: Result, changes: readonly CookieChange[]): Result {
  return changes.length === 0 ? before : { ...before, cookies: [...before.cookies, ...changes] }
}

/** The same result with further headers, which count for more. */
export function withHeaders(before: Result, headers: Readonly<Record<string, string>>): Result {
  return Object.keys(headers).length === 0 ? before : { ...before, headers: { ...before.headers, ...headers } }
}

function result(reply: Reply, { cookies = [], headers }: Extras): Result {
  return { reply, cookies, ...(headers && { headers }) }
}
