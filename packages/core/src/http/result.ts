/** What an action answers: a reply and the changes of cookies, as values. */
import type { Html } from "../std/html.js"
import type { CookieRole } from "../types/config.js"

/** A change of one cookie, by role. `slot` names the flow of a check cookie that is no longer the newest. */
export type CookieChange =
  | {
      readonly role: CookieRole
      readonly slot?: string
      readonly value: string
      readonly expires?: Date
      /** Survives a cross-site POST (`SameSite=None; Secure`). */
      readonly crossSite?: boolean
    }
  | { readonly role: CookieRole; readonly slot?: string; readonly clear: true }

/** The body of an answer. */
export type Reply =
  | { readonly kind: "json"; readonly status: number; readonly body: unknown }
  | { readonly kind: "page"; readonly status: number; readonly html: Html; readonly scriptHashes: readonly string[] }
  | {
      readonly kind: "redirect"
      readonly location: string /** For script callers, when it is a refusal. */
      readonly refusal?: Refusal
    }
  | { readonly kind: "empty"; readonly status: number }

/** What a script caller is told of an error. */
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
}
