/** The guard of routes. */
import { signInAddress } from "@latchkey/core"
import { InvalidConfiguration } from "@latchkey/core/errors"
import type { Session, User } from "@latchkey/core/types"
import { error, type RequestEvent, redirect } from "@sveltejs/kit"
import type { AuthLocals } from "../app-types.js"
import { localAddress } from "../base-path.js"
import { keepForOne } from "./for-one.js"

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
export function guardWith<Event extends Pick<RequestEvent, "locals" | "request" | "url">>(
  kitBase: string,
  read: (event: Event) => Promise<Session | null>,
): (event: Event, options?: RequireSessionOptions) => Promise<SignedIn> {
  return async (event, options = {}) => {
    const session = await read(event)
    if (session?.user) return session as SignedIn
    // Somebody who is signed in gets another answer at this address.
    keepForOne(event)
    if ("status" in options) return error(options.status)
    const { redirectTo = `${kitBase}/signin` } = options
    const { method } = event.request
    return redirect(303, signInAddress({ guard: "requireSession", redirectTo, method, path: localAddress(event.url) }))
  }
}
