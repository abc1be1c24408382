/** The base of all errors, and the two that applications extend. */
import { type ErrorType, errorTable } from "./table.js"

/** What made an error: the error below, and facts that help to fix it. Never a secret. */
export type ErrorCause = Record<string, unknown> & { err?: Error }

/**
 * Base of all errors. `type` names the error in logs and never changes; messages may.
 * The first argument is a message or the error below; `cause` of the second carries further facts.
 */
export class AuthError extends Error {
  static type: string = "AuthError" satisfies ErrorType
  static kind: "signIn" | "error" = "error"
  /** Identifies the error in logs. */
  type: ErrorType
  /** Which page is meant for it. */
  readonly kind: "signIn" | "error"
  /** HTTP status for script callers, which Express and others answer with where the error reaches them. @default 500 for a `type` of an application's own */
  declare status: number
  /** The error below, and facts that help to fix it. Never a secret. */
  declare cause?: ErrorCause

  constructor(
    message?: string | Error | { cause?: ErrorCause | Error },
    options?: { cause?: unknown } | Error | Record<string, unknown>,
  ) {
    super(textOf(message))
    const cause = causeOf(message, options)
    if (cause)
      Object.defineProperty(this, "cause", { value: cause, enumerable: false, configurable: true, writable: true })
    const own = new.target as typeof AuthError
    this.type = own.type as ErrorType
    this.kind = own.kind
    // A class of the application may say it itself, in a getter.
    if (!Reflect.has(this, "status")) this.status = statusOf(own)
    this.name = own.name
  }
}

/** That of the nearest class with a row of its own: applications name types of their own. */
function statusOf(own: typeof AuthError): number {
  let above: unknown = own
  while (typeof above === "function" && above !== AuthError) {
    const { type } = above as typeof AuthError
    if (Object.hasOwn(errorTable, type)) return errorTable[type as ErrorType].status
    above = Object.getPrototypeOf(above)
  }
  return errorTable.AuthError.status
}

function textOf(message: unknown): string {
  if (typeof message === "string") return message
  return message instanceof Error ? message.message : ""
}

function causeOf(message: unknown, options: unknown): ErrorCause | undefined {
  const first = message instanceof Error ? { err: message, ...recordOf(message.cause) } : recordOf(memberCause(message))
  const second =
    options instanceof Error
      ? { err: options }
      : "cause" in recordOf(options)
        ? recordOf(memberCause(options))
        : recordOf(options)
  const cause = { ...first, ...second }
  return Object.keys(cause).length > 0 ? cause : undefined
}

function memberCause(value: unknown): unknown {
  const { cause } = recordOf(value)
  return cause instanceof Error ? { err: cause } : cause
}

function recordOf(value: unknown): Record<string, unknown> {
  try {
    return typeof value === "object" && value !== null && !(value instanceof Error) ? { ...value } : {}
  } catch {
    // An error must not fail while it is made: a cause that cannot be read is left out.
    return {}
  }
}

/** Errors that are shown on the sign-in page. */
export class SignInError extends AuthError {
  static override type: string = "SignInError" satisfies ErrorType
  static override kind: "signIn" | "error" = "signIn"
}

/**
 * Thrown from `authorize`: the credentials are wrong. Subclass it to set a `code` of your own; the code
 * travels in the address of the sign-in page, so it must not reveal which part was wrong.
 */
export class CredentialsSignin extends SignInError {
  static override type: string = "CredentialsSignin" satisfies ErrorType
  /** The code in the address of the sign-in page; a subclass may set its own. @default "credentials" */
  code = "credentials"
}
