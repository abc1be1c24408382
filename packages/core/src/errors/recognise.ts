/** Telling errors apart, also those that another copy of the package made. */
import { AuthError, CredentialsSignin } from "./auth-error.js"
import { errorTable } from "./table.js"

const safeForClients: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AccountNotLinked",
  "CredentialsSignin",
  "MissingCSRF",
  "OAuthAccountNotLinked",
  "OAuthCallbackError",
  "Verification",
  "WebAuthnVerificationError",
])

/** Says whether a value is an error of this family, also when another copy of the package made it. */
export function isAuthError(value: unknown): value is AuthError {
  if (value instanceof AuthError) return true
  return (
    value instanceof Error && "type" in value && typeof value.type === "string" && Object.hasOwn(errorTable, value.type)
  )
}

/** Says whether the type of an error may be told to the browser. */
export function isClientError(value: Error): value is AuthError {
  return isAuthError(value) && safeForClients.has(value.type)
}

/** Says whether a value means wrong credentials, also when another copy of the package made it. */
export function isCredentialsSignin(value: unknown): value is CredentialsSignin {
  return isAuthError(value) && (value.type === "CredentialsSignin" || value instanceof CredentialsSignin)
}
