/** The code is sent to the token endpoint; what comes back is made readable, and refusals in disguise are told. */
import { type AuthorizationServer, authorizationCodeGrantRequest, nopkce } from "oauth4webapi"
import { fromUtf8 } from "../../std/bytes.js"
import { assertNoPage, conformed, type Members, membersIn, readMembers } from "./answer.js"
import { authenticationMethodOf, clientAuthenticationOf, clientOf } from "./client.js"
import { Unfit } from "./faults.js"
import { readsIdToken } from "./id-token.js"
import { forLibrary, type Outbound } from "./outbound.js"
import { redirectUri } from "./relay.js"
import type { OAuthContext } from "./server.js"

/** A code, and what goes with it. */
export interface CodeToExchange {
  readonly server: AuthorizationServer
  readonly outbound: Outbound
  /** The parameters of the callback; the library has judged those it is given here. */
  readonly params: URLSearchParams
  readonly codeVerifier: string | undefined
}

/** What the token endpoint answered. */
export interface TokenAnswer {
  /** As the library may read it. */
  readonly response: Response
  /** The id_token that is to be judged. */
  readonly token?: string
  /** The id_token that nobody can judge. */
  readonly unread?: unknown
  /** A type of token beyond those the library knows, in lower case. */
  readonly type?: string
}

/** An answer, and what it holds. */
interface ReadAnswer {
  readonly response: Response
  readonly body: Members
}

/** Exchanges a code. */
export async function requestTokens(context: OAuthContext, given: CodeToExchange): Promise<TokenAnswer> {
  const sent = await (context.provider.token?.request ? requestThere(context, given) : requestHere(context, given))
  const { response, body } = typed(await membersOf(await conformed(sent, context.provider.token?.conform)))
  // Some providers answer errors with status 200.
  const isRefusal = response.status >= 400 || body["access_token"] === undefined
  if (typeof body["error"] === "string" && isRefusal) {
    const told = { error: body["error"], description: body["error_description"] }
    throw new Unfit(`the provider refused the code${hintOf(context, given.server, response)}`, told)
  }
  const { id_token, ...rest } = body
  const type = ownType(context, body)
  const kind = type === undefined ? {} : { type }
  if (readsIdToken(context, given.server)) {
    return { response, ...kind, ...(typeof id_token === "string" && { token: id_token }) }
  }
  // What cannot be judged is kept from the library, which would have to refuse it.
  return id_token === undefined
    ? { response, ...kind }
    : { response: Response.json(rest, { status: response.status }), ...kind, unread: id_token }
}

/** An answer that states no type means `bearer`, the only one in use when it was left out. */
function typed({ response, body }: ReadAnswer): ReadAnswer {
  const { status } = response
  if (status !== 200 || body["access_token"] === undefined) return { response, body }
  if (body["token_type"] !== undefined && body["token_type"] !== null && body["token_type"] !== "") {
    return { response, body }
  }
  const stated = { ...body, token_type: "bearer" }
  return { response: Response.json(stated, { status }), body: stated }
}

/** Providers of plain OAuth 2 call their tokens what they like; OpenID Connect knows `Bearer` (Core §3.1.3.3). */
function ownType({ provider }: OAuthContext, { token_type }: Members): string | undefined {
  return provider.type === "oauth" && typeof token_type === "string" ? token_type.toLowerCase() : undefined
}

async function requestHere(context: OAuthContext, given: CodeToExchange): Promise<Response> {
  const { server, outbound, params, codeVerifier } = given
  return authorizationCodeGrantRequest(
    server,
    clientOf(context),
    await clientAuthenticationOf(context, server),
    params,
    redirectUri(context),
    codeVerifier ?? nopkce,
    forLibrary(outbound),
  )
}

/** The provider sends the request itself; its tokens pass the same judgement as any answer. */
async function requestThere(
  context: OAuthContext,
  { params, codeVerifier, outbound }: CodeToExchange,
): Promise<Response> {
  const { token, config } = context.provider
  const answer = await token?.request?.({
    provider: config,
    params: Object.fromEntries(params),
    checks: codeVerifier === undefined ? {} : { code_verifier: codeVerifier },
    redirectUri: redirectUri(context),
    fetch: outbound.fetch,
  })
  return Response.json({ ...answer?.tokens, token_type: answer?.tokens.token_type ?? "bearer" })
}

/** What the answer holds, and the answer again: for the library, which reads it as well. One that is no success may hold anything. */
async function membersOf(sent: Response): Promise<ReadAnswer> {
  const { status, statusText, headers } = sent
  if (status !== 200) return { response: sent, body: await readMembers(sent.clone(), "the refusal").catch(() => ({})) }
  // Made anew, because a clone takes more: it splits the stream.
  const bytes = new Uint8Array(await assertNoPage(sent, "the token answer").arrayBuffer())
  const response = new Response(bytes, { status, statusText, headers })
  return { response, body: membersIn(fromUtf8(bytes), "the token answer") }
}

/** A refused client learns which methods the provider says it takes. */
function hintOf(context: OAuthContext, server: AuthorizationServer, { status }: Response): string {
  const method = authenticationMethodOf(context)
  const offered = server.token_endpoint_auth_methods_supported
  if (status !== 401 || !Array.isArray(offered) || offered.includes(method)) return ""
  return `: token_endpoint_auth_method is ${method}, but the provider takes ${offered.join(", ")}`
}
