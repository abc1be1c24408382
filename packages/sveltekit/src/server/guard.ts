/** The guard of routes. */
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { Session, User } from "@latchkey/core/types"
import { error, type RequestEvent, redirect } from "@sveltejs/kit"
import type { AuthLocals } from "../app-types.js"
import { localAddress } from "../base-path.js"

/** A session with a user. */
export type SignedIn<S = Session> = S & { readonly user: S extends { user?: infer U } ? NonNullable<U> : User }

/** What a guard does with a visitor who is not signed in. */
export type RequireSessionOptions =
  | {
      /** Address of the page to sign in on. It gets the address to return to as `callbackUrl`. @default "/signin" below the application */
      readonly redirectTo?: string
    }
  | {
      /** Answer with this status instead of a redirect. */
      readonly status: number
    }

/**
 * Makes the guard; it lets only signed-in people pass: those whose session has a user. Everybody else is redirected
 * with 303, or gets the status. When the session cannot be determined, it throws.
 */
export function guardBelow(
  kitBase: string,
): (event: Pick<RequestEvent, "locals" | "request" | "url">, options?: RequireSessionOptions) => Promise<SignedIn> {
  return guardWith<Pick<RequestEvent, "locals" | "request" | "url">>(kitBase, ({ locals }) => {
    const { auth }: Partial<AuthLocals> = locals
    if (auth) return auth()
    throw new InvalidConfiguration("requireSession needs the hook: export `handle` of SvelteKitAuth from hooks.server.")
  })
}

/** The same for whatever reads the session of a request. */
export function guardWith<Event extends Pick<RequestEvent, "request" | "url">>(
  kitBase: string,
  read: (event: Event) => Promise<Session | null>,
): (event: Event, options?: RequireSessionOptions) => Promise<SignedIn> {
  return async (event, options = {}) => {
    const session = await read(event)
    if (session?.user) return session as SignedIn
    if ("status" in options) return error(options.status)
    const { redirectTo = `${kitBase}/signin` } = options
    if (pathOf(event.url.pathname) === pathOf(redirectTo))
      throw new InvalidConfiguration(
        `requireSession: expected routes other than ${JSON.stringify(redirectTo)}, to which it redirects, received a request for that page, which nobody could ever see. Leave it out there, or name another page with redirectTo.`,
      )
    return redirect(303, signInAddress(redirectTo, event))
  }
}

/** Without query, fragment and a slash at the end. */
function pathOf(address: string): string {
  return (address.split(/[?#]/, 1)[0] ?? "").replace(/\/$/, "")
}

/** Only what was asked for with GET can be returned to. */
function signInAddress(redirectTo: string, { request, url }: Pick<RequestEvent, "request" | "url">): string {
  const [address = "", fragment] = redirectTo.split("#", 2)
  const params = new URLSearchParams({ error: "SessionRequired" })
  if (request.method === "GET" || request.method === "HEAD") params.set("callbackUrl", localAddress(url))
  return `${address}${address.includes("?") ? "&" : "?"}${params}${fragment === undefined ? "" : `#${fragment}`}`
}
