/** The code becomes tokens, and the id_token among them is judged. */
import {
  type AuthorizationServer,
  getValidatedIdTokenClaims,
  type IDToken,
  processAuthorizationCodeResponse,
  skipStateCheck,
  type TokenEndpointResponse,
  validateAuthResponse,
} from "oauth4webapi"
import { InvalidCheck } from "../../errors.js"
import { toSeconds } from "../../std/time.js"
import type { TokenSet } from "../../types/identity.js"
import { clientOf } from "./client.js"
import { Unfit } from "./faults.js"
import { issuerFor, judgeClaims, verifyMaker } from "./id-token.js"
import { single } from "./params.js"
import { noIssuer, type OAuthContext } from "./server.js"
import { type CodeToExchange, requestTokens } from "./token-request.js"

/** What came back and what it is held against. */
export interface Returned extends CodeToExchange {
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
  const params = judgeAnswer(context, returned)
  if (!single(params, "code")) throw new Unfit("the answer carries neither a code nor an error")
  const { response, token, unread, type } = await requestTokens(context, { ...returned, params })
  const server = issuerFor(context, returned.server, token)
  const maxAge = maxAgeOf(context)
  const answer = await processAuthorizationCodeResponse(server, clientOf(context), response, {
    requireIdToken: context.provider.type === "oidc",
    ...(type !== undefined && { recognizedTokenTypes: { [type]: () => undefined } }),
    ...(returned.nonce !== undefined && { expectedNonce: returned.nonce }),
    ...(maxAge !== undefined && { maxAge }),
  }).catch((error: unknown) => {
    throw isAboutNonce(error, returned.nonce)
      ? new InvalidCheck("The nonce of the id_token is not that of this flow.")
      : error
  })
  const claims = getValidatedIdTokenClaims(answer)
  if (claims && token !== undefined) {
    await verifyMaker(context, { server, response, outbound: returned.outbound }, token)
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
    // The library passes over an empty one, which is no issuer (RFC 9207 §2.4).
    if (single(params, "iss") === "") throw new Unfit("the iss parameter is empty")
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
