/** The exchange of the code for tokens: verifies the authorization response, sends the code to the token endpoint and verifies its response. */
import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  getValidatedIdTokenClaims,
  type IDToken,
  nopkce,
  processAuthorizationCodeResponse,
  skipStateCheck,
  type TokenEndpointResponse,
  validateAuthResponse,
} from "oauth4webapi"
import { InvalidCheck, OAuthCallbackError } from "../../errors.js"
import { fromUtf8 } from "../../std/bytes.js"
import type { Members } from "../../std/json.js"
import { quoted } from "../../std/text.js"
import { toSeconds } from "../../std/time.js"
import type { TokenSet } from "../../types/identity.js"
import { authenticationMethodOf, noIssuer, type OAuthContext } from "./client.js"
import { ProtocolError } from "./faults.js"
import { type OAuthFlow, withAddresses } from "./flow.js"
import { issuerFor, readsIdToken, verifyIdToken } from "./id-token.js"
import { assertNoPage, conformed, forLibrary, membersIn, readMembers } from "./outbound.js"

/** What came back and what it is held against. */
export interface Returned {
  /** The parameters of the callback. */
  readonly params: URLSearchParams
  readonly codeVerifier: string | undefined
  readonly nonce: string | undefined
}

/** The flow with its tokens, and the claims of their id_token where there is one that was verified. */
export interface Exchanged extends OAuthFlow {
  readonly tokens: TokenSet
  readonly claims: IDToken | undefined
}

/** Verifies the authorization response and exchanges its code. The state was compared before. */
export async function exchange(flow: OAuthFlow, returned: Returned): Promise<Exchanged> {
  const params = verifyAuthorizationResponse(flow, returned.params)
  if (!single(params, "code")) throw new ProtocolError("the response has neither a code nor an error")
  const { response, token, unread, type } = await requestTokens(flow, { ...returned, params })
  const server = issuerFor(flow, token)
  const maxAge = maxAgeOf(flow)
  const answer = await processAuthorizationCodeResponse(server, flow.client, response, {
    requireIdToken: flow.provider.type === "oidc",
    ...(type !== undefined && { recognizedTokenTypes: { [type]: () => undefined } }),
    ...(returned.nonce !== undefined && { expectedNonce: returned.nonce }),
    ...(maxAge !== undefined && { maxAge }),
  }).catch((error: unknown) => {
    throw isAboutNonce(error, returned.nonce)
      ? new InvalidCheck("The nonce of the id_token is not that of this flow.")
      : error
  })
  const claims = getValidatedIdTokenClaims(answer)
  const { id_token: processed, access_token: accessToken } = answer
  if (claims && processed !== undefined) {
    await verifyIdToken({ ...flow, server }, { response, token: processed, claims, accessToken, maxAge })
    assertSameIssuer(returned.params, claims)
  }
  return { ...flow, server, tokens: tokenSetOf(flow, answer, unread), claims }
}

/** Verifies the authorization response: issuer, error, and that it is a response of the code flow. */
function verifyAuthorizationResponse(
  { provider, server, client }: OAuthFlow,
  params: URLSearchParams,
): URLSearchParams {
  const isComparable = server.issuer !== noIssuer && !provider.config.issuerOf
  if (isComparable || single(params, "iss") === undefined) {
    // The library passes over an empty one, which is no issuer (RFC 9207 §2.4).
    if (single(params, "iss") === "") throw new ProtocolError("the iss parameter is empty")
    return validateAuthResponse(server, client, params, skipStateCheck)
  }
  // Nothing to compare `iss` with: no issuer is configured, or only the token names it (see assertSameIssuer).
  const rest = new URLSearchParams(params)
  rest.delete("iss")
  const { authorization_response_iss_parameter_supported: _, ...silent } = server
  return validateAuthResponse(silent as AuthorizationServer, client, rest, skipStateCheck)
}

/** The one value of a parameter. */
export function single(params: URLSearchParams, name: string): string | undefined {
  const values = params.getAll(name)
  // RFC 6749 §3.1: parameters must not be repeated.
  if (values.length > 1) throw malformed(`The response has ${quoted(name)} more than once.`)
  return values[0]
}

/** For a malformed authorization response: 400, because it came through a browser and does not show that the provider is at fault. */
export function malformed(message: string): OAuthCallbackError {
  const error = new OAuthCallbackError(message)
  error.status = 400
  return error
}

/** RFC 9207 §2.4: the issuer of the answer and that of the token are the same. */
function assertSameIssuer(params: URLSearchParams, { iss }: IDToken): void {
  const stated = single(params, "iss")
  if (stated !== undefined && stated !== iss)
    throw new ProtocolError("the iss parameter and the id_token name different issuers")
}

/** The limit on the age of the sign-in that the request asked for, or that was agreed on. */
function maxAgeOf({ provider }: OAuthContext): number | undefined {
  const asked = provider.authorization
    ? new URL(provider.authorization).searchParams.get("max_age")
    : provider.authorizationParams["max_age"]
  const seconds = Number(asked ?? provider.client["default_max_age"] ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

function isAboutNonce(error: unknown, expected: string | undefined): boolean {
  if (expected === undefined) return false
  const { claim, claims } = (error as { cause?: { claim?: unknown; claims?: object } }).cause ?? {}
  return claim === "nonce" || (claims !== undefined && !("nonce" in claims))
}

/** Names an account keeps for itself: no answer of a provider may set them. */
const reserved = ["provider", "providerAccountId", "type", "userId", "id", "user"] as const

function tokenSetOf({ now }: OAuthContext, answer: TokenEndpointResponse, unread: unknown): TokenSet {
  const tokens: Record<string, unknown> = { ...answer }
  if (typeof unread === "string") tokens["id_token"] = unread
  for (const name of reserved) delete tokens[name]
  if (answer.expires_in) {
    const end = toSeconds(now) + Math.floor(answer.expires_in)
    if (Number.isSafeInteger(end)) tokens["expires_at"] = end
    // No such lifetime was meant, and stores could not hold it.
    else delete tokens["expires_in"]
  }
  return tokens as TokenSet
}

/** What the token endpoint answered. */
interface TokenAnswer {
  /** As the library may read it. */
  readonly response: Response
  /** The id_token to verify. */
  readonly token: string | undefined
  /** An id_token that cannot be validated. */
  readonly unread: unknown
  /** A type of token beyond those the library knows, in lower case. */
  readonly type: string | undefined
}

/** An answer, and what it holds. */
interface ReadAnswer {
  readonly response: Response
  readonly body: Members
}

/** Sends the code to the token endpoint. What comes back is made readable; a refusal in disguise is one. */
async function requestTokens(flow: OAuthFlow, returned: Returned): Promise<TokenAnswer> {
  const { token } = flow.provider
  const sent = await (token?.request ? requestThere(flow, returned) : requestHere(flow, returned))
  const { response, body } = typed(await membersOf(await conformed(sent, token?.conform), flow))
  // Some providers answer errors with status 200.
  const isRefusal = response.status >= 400 || body["access_token"] === undefined
  if (typeof body["error"] === "string" && isRefusal) {
    const reported = { error: body["error"], description: body["error_description"] }
    throw new ProtocolError(`the provider refused the code${hintOf(flow, response)}`, reported)
  }
  // Without a code the library would speak of the content type, and the status be lost.
  if (response.status >= 400)
    throw new ProtocolError(`the token endpoint answered with status ${response.status} and no error code`)
  const { id_token, ...rest } = body
  const answer = { response, token: undefined, unread: undefined, type: ownType(flow, body) }
  if (readsIdToken(flow)) return typeof id_token === "string" ? { ...answer, token: id_token } : answer
  if (id_token === undefined) return answer
  // An id_token that cannot be verified is not passed to the library, which would have to refuse it.
  return { ...answer, response: Response.json(rest, { status: response.status }), unread: id_token }
}

/** An answer that states no type means `bearer`, the only one in use when it was left out. */
function typed({ response, body }: ReadAnswer): ReadAnswer {
  const { status } = response
  const isOpen = [undefined, null, ""].includes(body["token_type"] as string | null | undefined)
  if (status !== 200 || body["access_token"] === undefined || !isOpen) return { response, body }
  const stated = { ...body, token_type: "bearer" }
  return { response: Response.json(stated, { status }), body: stated }
}

/** Providers of plain OAuth 2 call their tokens what they like; OpenID Connect knows `Bearer` (Core §3.1.3.3). */
function ownType({ provider }: OAuthContext, { token_type }: Members): string | undefined {
  return provider.type === "oauth" && typeof token_type === "string" ? token_type.toLowerCase() : undefined
}

async function requestHere(flow: OAuthFlow, { params, codeVerifier }: Returned): Promise<Response> {
  const { server, client, redirectUri, outbound } = flow
  const authentication = await flow.authenticate()
  const verifier: string | typeof nopkce = codeVerifier ?? nopkce
  const options = forLibrary(outbound)
  return authorizationCodeGrantRequest(server, client, authentication, params, redirectUri, verifier, options)
}

/** The provider sends the request itself; its tokens are validated like any other response. */
async function requestThere(flow: OAuthFlow, { params, codeVerifier }: Returned): Promise<Response> {
  const { provider, redirectUri, outbound } = flow
  const answer = await provider.token?.request?.({
    provider: withAddresses(flow),
    params: Object.fromEntries(params),
    checks: codeVerifier === undefined ? {} : { code_verifier: codeVerifier },
    redirectUri,
    fetch: outbound.fetch,
  })
  return Response.json({ ...answer?.tokens, token_type: answer?.tokens.token_type ?? "bearer" })
}

/** What the answer holds, and the answer again: for the library, which reads it as well. One that is no success may hold anything. */
async function membersOf(sent: Response, { outbound }: OAuthFlow): Promise<ReadAnswer> {
  const { status, statusText, headers } = sent
  if (status !== 200) return { response: sent, body: await readMembers(sent.clone(), "the refusal").catch(() => ({})) }
  const known = outbound.bytesOf(assertNoPage(sent, "the token response"))
  if (known) return { response: sent, body: membersIn(fromUtf8(known), "the token response") }
  // Made anew, because a clone takes more: it splits the stream.
  const bytes = new Uint8Array(await sent.arrayBuffer())
  const response = new Response(bytes, { status, statusText, headers })
  return { response, body: membersIn(fromUtf8(bytes), "the token response") }
}

/** A refused client learns which methods the provider says it takes. */
function hintOf(flow: OAuthFlow, { status }: Response): string {
  const method = authenticationMethodOf(flow)
  const offered = flow.server.token_endpoint_auth_methods_supported
  if (status !== 401 || !Array.isArray(offered) || offered.includes(method)) return ""
  return `: token_endpoint_auth_method is ${method}, but the provider takes ${offered.join(", ")}`
}
