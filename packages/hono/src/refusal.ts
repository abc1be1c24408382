/** What Hono's own error handler answers where a call of the application has thrown what the visitor has caused. */
import { isAuthError } from "@latchkey/core/errors"

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  429: "Too Many Requests",
}

/**
 * Gives an error with a status below 500 the method that Hono looks for, `getResponse`. Without it Hono answers 500 and prints a
 * trace, so that whoever sends wrong passwords fills the log. The error stays what it is for a `catch` or an `onError`.
 */
export async function withResponse<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (isAuthError(error) && error.status < 500 && !("getResponse" in error) && Object.isExtensible(error)) {
      Object.defineProperty(error, "getResponse", { value: () => refused(error), configurable: true })
    }
    throw error
  }
}

function refused({ status, ...more }: { readonly status: number; readonly retryAfter?: unknown }): Response {
  const headers = new Headers({ "content-type": "text/plain;charset=UTF-8", "cache-control": "private, no-store" })
  if (typeof more.retryAfter === "number") headers.set("retry-after", String(more.retryAfter))
  return new Response(phrases[status] ?? "Refused", { status, headers })
}
