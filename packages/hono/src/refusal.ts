/** Gives refusals the response that Hono's own error handler answers with. */
import { isAuthError } from "@latchkey/core/errors"

/** Not 404: an unknown provider is usually a mistake in the application, and the trace that Hono prints shows where. */
const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  429: "Too Many Requests",
}

/**
 * Adds `getResponse` to the error of a refusal, the method that Hono's error handler looks for. Without it Hono answers 500 and prints a
 * trace, so that anybody who sends wrong passwords fills the log. A `catch` or an `onError` still gets the same error.
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
