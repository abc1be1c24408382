/** What code of the application may say with a call, and who sent the request behind it. */
import { type AuthService, type Sender, senderOf } from "@latchkey/core"
import type { AuthEvent } from "./event.js"

/** How a call from code of the application is checked. */
export interface RouteCall {
  /**
   * `true`: the route itself rules out calls from other sites, so the sender of the request is not checked. That of a GET never is.
   * @default false
   */
  readonly trusted?: boolean
}

/** Options of `auth.update`, and of what changes something in `auth.sessions`. */
export interface RouteUpdateOptions extends RouteCall {
  /** Fields of the form, for its `csrfToken` where the browser does not say which site it is on. */
  readonly fields?: Readonly<Record<string, unknown>>
}

/** Who sent the request of an event. */
export function senderAt({ request, url }: AuthEvent, service: AuthService): Sender {
  return senderOf(request.headers, [service.origin, url.origin])
}

const safeMethods: readonly string[] = ["GET", "HEAD"]

/**
 * What the service is given of the options, with the sender unless the caller is trusted. SvelteKit compares `Origin` only
 * where forms are posted: other hosts of the site can send everything else, with the cookie. A visit is not checked: a `load` that
 * begins a sign-in, or updates the session once a payment is done, is opened by links of other sites as well.
 */
export function checkedCall(
  event: AuthEvent,
  service: AuthService,
  { fields, trusted = false }: RouteUpdateOptions,
): { readonly fields?: Readonly<Record<string, unknown>>; readonly sender?: Sender } {
  const isChecked = !trusted && !safeMethods.includes(event.request.method)
  return { ...(fields && { fields }), ...(isChecked && { sender: senderAt(event, service) }) }
}
