/** The error of a sign-in whose rows could not be written. */
import { type AuthError, EmailCreateAccountError, OAuthCreateAccountError } from "../errors.js"
import { decide } from "./decide.js"
import type { Facts } from "./facts.js"

/** Where rows and session are written together, the failure of the session is not reported as that of creating the user. */
const ofSession: ReadonlySet<unknown> = new Set(["createSession", "getSessionAndUser", "deleteSession"])

/** Says of a store that failed what could not be done: a new user could not be stored. */
export function explain(facts: Facts, error: AuthError): AuthError {
  if (decide(facts).kind !== "register" || ofSession.has(error.cause?.["operation"])) return error
  const CreateAccountError = facts.proof.policy.foundBy === "email" ? EmailCreateAccountError : OAuthCreateAccountError
  return new CreateAccountError("The user could not be stored.", { cause: { ...error.cause, err: error } })
}
