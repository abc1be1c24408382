/** Mending token answers that are not as RFC 6749 §5.1 says. */

type Members = Record<string, unknown>

/**
 * Mends the usual slips: no `token_type`, a `scope` that is a list, members that are `null`, a lifetime of 0.
 * An answer that is no JSON object stays as it is, and so does one without token: it tells a refusal.
 */
export async function mendTokens(response: Response): Promise<Response | undefined> {
  return mended(response, (body) => body)
}

/** As {@link mendTokens}, for answers that nest the tokens: `unwrap` takes them out. */
export function mendingTokens(
  unwrap: (body: Members) => unknown,
): (response: Response) => Promise<Response | undefined> {
  return (response) => mended(response, unwrap)
}

async function mended(response: Response, unwrap: (body: Members) => unknown): Promise<Response | undefined> {
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
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : undefined
}
