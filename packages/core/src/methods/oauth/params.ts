/** The parameters a provider sends back: from the query, or from the body for providers that post a form. Never from both. */
import { OAuthCallbackError, UnknownAction } from "../../errors.js"
import { quoted } from "../../std/text.js"
import type { OAuthContext } from "./server.js"

/** The parameters of this callback, repeated ones included. */
export function callbackParams({ incoming, provider }: OAuthContext): URLSearchParams {
  const expected = provider.isFormPost ? "POST" : "GET"
  if (incoming.method !== expected) {
    const error = new UnknownAction(`Provider ${provider.id} answers with ${expected}, received ${incoming.method}.`)
    error.status = 405
    error.allow = provider.isFormPost ? ["POST"] : ["GET", "HEAD"]
    throw error
  }
  return provider.isFormPost ? formParams(incoming.form, provider.id) : queryParams(incoming)
}

function formParams(form: Readonly<Record<string, unknown>>, provider: string): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(form)) {
    // A list is a parameter that was sent twice (RFC 6749 §3.1).
    if (typeof value !== "string")
      throw new OAuthCallbackError(`Provider ${provider} sent ${quoted(name)} in a form that is no text.`)
    params.append(name, value)
  }
  return params
}

/** From the address itself, where a repeated parameter still shows. */
function queryParams({ url, query }: OAuthContext["incoming"]): URLSearchParams {
  const start = url.indexOf("?")
  return start < 0 ? new URLSearchParams({ ...query }) : new URLSearchParams(url.slice(start).split("#", 1)[0])
}

/** The one value of a parameter. */
export function single(params: URLSearchParams, name: string): string | undefined {
  const values = params.getAll(name)
  // RFC 6749 §3.1: parameters must not be repeated.
  if (values.length > 1) throw new OAuthCallbackError(`The provider sent "${name}" more than once.`)
  return values[0]
}
