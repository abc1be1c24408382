/** Whatever was thrown while a request was served, as an error of this family. */
import type { Context } from "../context/context.js"
import { AuthError, CallbackRouteError, isAuthError } from "../errors.js"
import { asThrownError, isReadable } from "../ports/thrown.js"

/** What is read of an error beside name, message, stack and cause. */
const membersRead: readonly string[] = ["type", "kind", "code", "status", "allow"]

/** An error of this family; anything else is wrapped, so that its message stays in the log. */
export function asAuthError(context: Context, thrown: unknown): AuthError {
  if (isAuthError(thrown) && isReadable(thrown, membersRead)) return thrown
  const cause = asThrownError(thrown)
  return context.incoming.route?.action === "callback" ? new CallbackRouteError(cause) : new AuthError(cause)
}
