/** Telling errors apart, also those that another copy of the package made. */
import { AuthError, CredentialsSignin } from "./auth-error.js"
import { type ErrorRow, type ErrorType, errorTable } from "./table.js"

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
  try {
    if (value instanceof AuthError) return true
    return value instanceof Error && "type" in value && typeof value.type === "string" && typeOf(value) !== undefined
  } catch {
    // A proxy, or a getter that throws: it is not recognised.
    return false
  }
}

/** The row of an error: that of its own type, else of the nearest class it extends, else the base's. */
export function errorRow(error: AuthError): ErrorRow {
  return errorTable[typeOf(error) ?? "AuthError"]
}

/** More classes than any error has above it. */
const mostClasses = 32

/** The type by which the table knows an error. A subclass may carry a `type` of its own, which the table has no row for. */
function typeOf(error: Error): ErrorType | undefined {
  // Whatever type it carries, the sign-in page has to show its code.
  if (error instanceof CredentialsSignin) return "CredentialsSignin"
  const { type } = error as { type?: unknown }
  if (isErrorType(type)) return type
  let step: unknown = error
  for (let count = 0; count < mostClasses && typeof step === "object" && step !== null; count++) {
    const { type: inherited } = (step.constructor ?? {}) as { type?: unknown }
    if (isErrorType(inherited)) return inherited
    step = Object.getPrototypeOf(step)
  }
  return undefined
}

function isErrorType(type: unknown): type is ErrorType {
  return typeof type === "string" && Object.hasOwn(errorTable, type)
}

/** Says whether the type of an error may be shown to the browser. */
export function isClientError(value: Error): value is AuthError {
  return isAuthError(value) && safeForClients.has(value.type)
}

/** Says whether a value means wrong credentials, also when another copy of the package made it. */
export function isCredentialsSignin(value: unknown): value is CredentialsSignin {
  return isAuthError(value) && typeOf(value) === "CredentialsSignin"
}

/** Says whether an error is an expected refusal, in which there is nothing to look into. */
export function isRefusal(value: unknown): boolean {
  return isAuthError(value) && !errorRow(value).fault
}
