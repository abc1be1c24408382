/** The code becomes tokens, and the id_token among them is judged. */
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
import { InvalidCheck } from "../../errors.js"
import { toSeconds } from "../../std/time.js"
import type { TokenSet } from "../../types/identity.js"
import { assertNoPage, conformed, readMembers } from "./answer.js"
import { authenticationMethodOf, clientAuthenticationOf, clientOf } from "./client.js"
import { Unfit } from "./faults.js"
import { issuerFor, judgeClaims, readsIdToken, verifyMaker } from "./id-token.js"
import { forLibrary, type Outbound } from "./outbound.js"
import { single } from "./params.js"
import { redirectUri } from "./relay.js"
import { noIssuer, type OAuthContext } from "./server.js"

/** What came back and what it is held against. */
export interface Returned {
  readonly server: AuthorizationServer
  readonly outbound: Outbound
  readonly params: URLSearchParams
  readonly codeVerifier: string | undefined
  readonly nonce: string | undefined
}

/** Tokens, and the claims of their id_token where there is one that was judged. */
export interface Exchanged {
  readonly tokens: TokenSet
  readonly claims: IDToken | undefined
  /** The server under the issuer this person's token names. */
  readonly server: AuthorizationServer
}

/** Judges the answer of the authorization endpoint and exchanges its code. The state was compared before. */
export async function exchange(context: OAuthContext, returned: Returned): Promise<Exchanged> {
  const { outbound } = returned
  const client = clientOf(context)
  const params = judgeAnswer(context, returned)
  if (!single(params, "code")) throw new Unfit("the answer carries neither a code nor an error")
  const sent = await requestTokens(context, returned, params)
  const { response, unread } = await readable(context, returned.server, sent)
  const token = unread === undefined ? await statedIdToken(response) : undefined
  const server = issuerFor(context, returned.server, token)
  const maxAge = maxAgeOf(context)
  const answer = await processAuthorizationCodeResponse(server, client, response, {
    requireIdToken: context.provider.type === "oidc",
    ...(returned.nonce !== undefined && { expectedNonce: returned.nonce }),
    ...(maxAge !== undefined && { maxAge }),
  }).catch((error: unknown) => {
    throw isAboutNonce(error, returned.nonce)
      ? new InvalidCheck("The nonce of the id_token is not that of this flow.")
      : error
  })
  const claims = getValidatedIdTokenClaims(answer)
  if (claims && token !== undefined) {
    await verifyMaker(context, { server, response, outbound }, token)
    await judgeClaims(context, { claims, token, accessToken: answer.access_token, maxAge })
    assertSameIssuer(returned.params, claims)
  }
  return { tokens: tokenSetOf(context, answer, unread), claims, server }
}

/** Judges the answer of the authorization endpoint: issuer, error, and that it is the answer of the code flow. */
function judgeAnswer(context: OAuthContext, { server, params }: Returned): URLSearchParams {
  const client = clientOf(context)
  const isComparable = server.issuer !== noIssuer && !context.provider.config.issuerOf
  if (isComparable || single(params, "iss") === undefined) {
    return validateAuthResponse(server, client, params, skipStateCheck)
  }
  // Nothing to compare `iss` with: no issuer is configured, or only the token tells which it is (see assertSameIssuer).
  const rest = new URLSearchParams(params)
  rest.delete("iss")
  const { authorization_response_iss_parameter_supported: _, ...silent } = server
  return validateAuthResponse(silent as AuthorizationServer, client, rest, skipStateCheck)
}

/** RFC 9207 §2.4: the issuer of the answer and that of the token are the same. */
function assertSameIssuer(params: URLSearchParams, { iss }: IDToken): void {
  const stated = single(params, "iss")
  if (stated !== undefined && stated !== iss)
    throw new Unfit("the iss parameter and the id_token name different issuers")
}

async function requestTokens(context: OAuthContext, returned: Returned, params: URLSearchParams): Promise<Response> {
  const { provider } = context
  const { server, outbound, codeVerifier } = returned
  const request = provider.token?.request
  if (request) {
    const { tokens } = await request({
      provider: provider.config,
      params: Object.fromEntries(params),
      checks: codeVerifier === undefined ? {} : { code_verifier: codeVerifier },
      redirectUri: redirectUri(context),
    })
    // Tokens from elsewhere pass the same judgement as any answer.
    return Response.json({ ...tokens, token_type: tokens.token_type ?? "bearer" })
  }
  const authentication = await clientAuthenticationOf(context, server)
  return authorizationCodeGrantRequest(
    server,
    clientOf(context),
    authentication,
    params,
    redirectUri(context),
    codeVerifier ?? nopkce,
    forLibrary(outbound),
  )
}

/** The answer as the library may read it: mended by the provider, no error in disguise, no id_token nobody can judge. */
async function readable(
  context: OAuthContext,
  server: AuthorizationServer,
  sent: Response,
): Promise<{ response: Response; unread?: unknown }> {
  const response = await conformed(sent, context.provider.token?.conform)
  assertAuthentication(context, server, response)
  if (response.status !== 200) return { response }
  assertNoPage(response, "the token answer")
  const body = await readMembers(response.clone(), "the token answer")
  // Some providers answer errors with status 200.
  if (typeof body["error"] === "string" && body["access_token"] === undefined) {
    throw new Unfit("the provider refused the code", { error: body["error"], description: body["error_description"] })
  }
  if (readsIdToken(context, server) || body["id_token"] === undefined) return { response }
  const { id_token: unread, ...rest } = body
  return { response: Response.json(rest), unread }
}

/** A refused client learns which methods the provider says it takes. */
function assertAuthentication(context: OAuthContext, server: AuthorizationServer, response: Response): void {
  const method = authenticationMethodOf(context)
  const offered = server.token_endpoint_auth_methods_supported
  if (response.status !== 401 || !Array.isArray(offered) || offered.includes(method)) return
  throw new Unfit(`token_endpoint_auth_method is ${method}, but the provider takes ${offered.join(", ")}`)
}

async function statedIdToken(response: Response): Promise<string | undefined> {
  if (response.status !== 200) return undefined
  const { id_token } = await readMembers(response.clone(), "the token answer")
  return typeof id_token === "string" ? id_token : undefined
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
  if (answer.expires_in) tokens["expires_at"] = toSeconds(now) + Math.floor(answer.expires_in)
  return tokens as TokenSet
}
