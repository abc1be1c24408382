/** Normalises token responses that do not follow RFC 6749 §5.1. */

import { isMembers, type Members } from "../../std/json.js"

/**
 * Corrects the usual faults: no `token_type`, a `scope` that is a list, members that are `null`, a lifetime of 0. A
 * response that is no JSON object is left as it is, and so is one without a token: it is an error response.
 */
export async function normaliseTokens(response: Response): Promise<Response | undefined> {
  return normalised(response, (body) => body)
}

/** As {@link normaliseTokens}, for responses that nest the tokens: `unwrap` extracts them. */
export function unwrapTokens(
  unwrap: (body: Members) => unknown,
): (response: Response) => Promise<Response | undefined> {
  return (response) => normalised(response, unwrap)
}

async function normalised(response: Response, unwrap: (body: Members) => unknown): Promise<Response | undefined> {
  const body = asMembers(await response.json().catch(() => undefined))
  const tokens = body && (asMembers(unwrap(body)) ?? body)
  return tokens?.["access_token"] === undefined
    ? undefined
    : Response.json(regular(tokens), { status: response.status })
}

/** The tokens as RFC 6749 §5.1 wants them. */
export function regular({ scope, expires_in, token_type, ...rest }: Members): Members {
  const stated = Object.entries(rest).filter(([, value]) => value !== null)
  return {
    ...Object.fromEntries(stated),
    token_type: typeof token_type === "string" && token_type !== "" ? token_type : "bearer",
    ...(Number(expires_in) > 0 && { expires_in: Number(expires_in) }),
    ...(Array.isArray(scope) && { scope: scope.join(" ") }),
    ...(typeof scope === "string" && { scope }),
  }
}

/** The value as a JSON object, if it is one. */
export function asMembers(value: unknown): Members | undefined {
  return isMembers(value) ? value : undefined
}
