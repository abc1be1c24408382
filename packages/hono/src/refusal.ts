/** What Hono's own error handler answers where a call of the application has thrown what the visitor has caused. */
import { isAuthError } from "@latchkey/core/errors"

/** Not 404: an unknown provider is hardly the visitor's doing, and Hono prints where it was asked for. */
const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
}

/**
 * Gives the error of a refusal the method that Hono looks for, `getResponse`. Without it Hono answers 500 and prints a trace, so
 * that whoever sends wrong passwords fills the log. The error stays what it is for a `catch` or an `onError`.
 */
export async function withResponse<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const phrase = isAuthError(error) ? phrases[error.status] : undefined
    if (phrase !== undefined && !("getResponse" in (error as object)) && Object.isExtensible(error)) {
      const value = (): Response => refused(error as Refusal, phrase)
      Object.defineProperty(error, "getResponse", { value, configurable: true })
    }
    throw error
  }
}

interface Refusal {
  readonly status: number
  readonly retryAfter?: unknown
}

function refused({ status, retryAfter }: Refusal, phrase: string): Response {
  const headers = new Headers({ "content-type": "text/plain;charset=UTF-8", "cache-control": "private, no-store" })
  if (Number.isSafeInteger(retryAfter) && Number(retryAfter) > 0) headers.set("retry-after", String(retryAfter))
  return new Response(phrase, { status, headers })
}
