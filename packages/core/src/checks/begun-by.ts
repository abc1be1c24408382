/** Who was signed in when a flow began, as it is sealed beside the state. */
import type { Check } from "./sealed.js"

/**
 * Who was signed in when a flow began: a user, no one, or `unknown` where the flow does not say (those of Auth.js).
 * The response of a flow can be brought into a browser where another user is signed in.
 */
export type BegunBy =
  | { readonly kind: "somebody"; readonly id: string }
  | { readonly kind: "nobody" }
  | { readonly kind: "unknown" }

/** The claims that say it. Without a store there is no user an account could be linked to, and nothing is said. */
export function begunByClaims(user: string | null | undefined): { readonly user?: string | null } {
  return user === undefined ? {} : { user }
}

/** Reads what an opened state says. */
export function begunByOf({ user }: Check): BegunBy {
  if (user === null) return { kind: "nobody" }
  return typeof user === "string" ? { kind: "somebody", id: user } : { kind: "unknown" }
}
