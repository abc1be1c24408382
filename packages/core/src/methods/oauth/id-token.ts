/** The id_token (OpenID Connect Core §3.1.3.7): its issuer, its signature, and whether its claims belong to this flow. */
import type { AuthorizationServer, IDToken } from "oauth4webapi"
import { sha256, verifyMac } from "../../crypto/token.js"
import { fromBase64url, fromUtf8, toBase64url, utf8 } from "../../std/bytes.js"
import { isMembers, type Members, parseMembers } from "../../std/json.js"
import { toSeconds } from "../../std/time.js"
import { clientIdOf, clientSecretOf, noIssuer, type OAuthContext } from "./client.js"
import { ProtocolError } from "./faults.js"
import type { OAuthFlow } from "./flow.js"
import { verifySignature } from "./keys.js"

const defaultTolerance = 30

/** Reads a token without verifying it. */
function peek(token: string): { readonly header: Members; readonly claims: Members } {
  const [header, claims] = token.split(".", 2).map(membersOf)
  if (header && claims) return { header, claims }
  throw new ProtocolError("the id_token cannot be read")
}

function membersOf(part: string): Members | undefined {
  try {
    return parseMembers(fromUtf8(fromBase64url(part)))
  } catch {
    return undefined
  }
}

/** The server as this token must name it. Where the issuer depends on the token's own claims, the provider says which. */
export function issuerFor({ provider, server }: OAuthFlow, token: string | undefined): AuthorizationServer {
  const { issuerOf } = provider.config
  if (!issuerOf || token === undefined) return server
  // Not verified yet: the library compares the result with the token, and the signature is verified after that.
  const issuer = issuerOf(peek(token).claims, provider.issuer ?? server.issuer)
  if (issuer === undefined) throw new ProtocolError("the id_token is from a tenant that is not allowed")
  return { ...server, issuer }
}

/** Says whether the provider's id_token can be validated at all: its issuer must be configured. */
export function readsIdToken({ provider, server }: OAuthFlow): boolean {
  return provider.type === "oidc" || server.issuer !== noIssuer
}

/** An ID token and what it is checked against. The library has checked `iss`, `aud`, `nonce` and that required claims are present. */
export interface IdTokenToVerify {
  /** The answer that brought the token, as the library has processed it. */
  readonly response: Response
  readonly token: string
  readonly claims: IDToken
  readonly accessToken: string
  /** Seconds since the person last proved who they are, where the request limits them. */
  readonly maxAge: number | undefined
}

/** Verifies who made the token, then its times, authorized party, subject and the hash of the access token. */
export async function verifyIdToken(flow: OAuthFlow, given: IdTokenToVerify): Promise<void> {
  const { header, claims } = peek(given.token)
  assertPurpose(header, claims)
  await verifyMaker(flow, given, header)
  await verifyClaims(flow, given, header["alg"])
}

/** Tokens that the same keys sign, those of the provider or the client secret, and that say of themselves what else they are. */
const otherTypes: ReadonlySet<string> = new Set([
  "at+jwt",
  "dpop+jwt",
  "logout+jwt",
  "oauth-authz-req+jwt",
  "secevent+jwt",
])
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

/** RFC 9068 §2.1, RFC 9101 §10.8, RFC 9449 §4.2, RFC 8417 §2.3, Back-Channel Logout §2.4: what is made for another purpose proves no sign-in. */
function assertPurpose({ typ }: Members, { events }: Members): void {
  // RFC 7515 §4.1.9: the name of a media type, in any case, and mostly without its first part.
  const type = typeof typ === "string" ? typ.toLowerCase().replace(/^application\//, "") : ""
  if (otherTypes.has(type)) throw new ProtocolError(`the id_token is a token of another type (${type})`)
  if (isMembers(events) && Object.hasOwn(events, logoutEvent))
    throw new ProtocolError("the id_token is a logout token (events)")
}

/** It is signed with the provider's keys, or with the client secret where that was agreed. */
async function verifyMaker(
  flow: OAuthFlow,
  { response, token, claims }: IdTokenToVerify,
  header: Members,
): Promise<void> {
  const { alg } = header
  const hash = hashOf(alg)
  if (!hash || !String(alg).startsWith("HS")) return verifySignature(flow, response, { token, header, claims })
  const agreed = flow.provider.client["id_token_signed_response_alg"]
  // Algorithm confusion: metadata of the provider must not switch to a shared secret.
  if (alg !== agreed) throw new ProtocolError(`the id_token is signed with ${alg}, which the client does not accept`)
  const [first, payload, signature = ""] = token.split(".")
  const secret = await clientSecretOf(flow)
  const text = `${first}.${payload}`
  if (await verifyMac({ text, mac: fromBase64url(signature), secret, hash })) return
  throw new ProtocolError(`the signature of the id_token is wrong, or the clientSecret is too short for ${alg}`)
}

/** Seconds the provider's clock may differ from ours. */
export function toleranceOf({ provider }: OAuthContext): number {
  return provider.config.clockTolerance ?? defaultTolerance
}

async function verifyClaims(
  flow: OAuthFlow,
  { claims, accessToken, maxAge }: IdTokenToVerify,
  alg: unknown,
): Promise<void> {
  assertTimes(flow, claims, maxAge)
  // §3.1.3.7 (5)
  if (claims.azp !== undefined && claims.azp !== clientIdOf(flow)) {
    throw new ProtocolError("the id_token was issued to another client (azp)")
  }
  // §2: 255 characters at most
  if (claims.sub === "" || claims.sub.length > 255)
    throw new ProtocolError("the subject of the id_token is empty or too long")
  const { at_hash } = claims
  if (at_hash === undefined) return
  // §3.1.3.8
  if (at_hash !== (await halfHash(accessToken, alg))) {
    throw new ProtocolError("the id_token belongs to another access token (at_hash)")
  }
}

function assertTimes(context: OAuthContext, claims: IDToken, maxAge: number | undefined): void {
  const tolerance = toleranceOf(context)
  const present = toSeconds(context.now)
  const { exp, iat, nbf, auth_time } = claims
  if (!Number.isSafeInteger(exp)) throw new ProtocolError("the end of the id_token is not an integer (exp)")
  // RFC 7519 §2: a time may have a fraction of a second.
  for (const time of [iat, nbf, auth_time]) {
    if (time !== undefined && (typeof time !== "number" || !Number.isSafeInteger(Math.floor(time))))
      throw new ProtocolError("a time of the id_token is not a number of seconds")
  }
  if (exp <= present - tolerance) throw new ProtocolError(`the id_token ended ${present - exp} s ago (exp)`)
  if (iat > present + tolerance)
    throw new ProtocolError(`the id_token is issued ${iat - present} s ahead of our clock (iat)`)
  if (nbf !== undefined && nbf > present + tolerance) throw new ProtocolError("the id_token is not valid yet (nbf)")
  if (maxAge === undefined) return
  // §3.1.2.1: a limit that was asked for must be answered. The library has refused a token without auth_time.
  if ((auth_time ?? 0) + maxAge < present - tolerance)
    throw new ProtocolError("the person signed in at the provider too long ago (auth_time)")
}

/** The left half of the hash that belongs to the token's algorithm. */
async function halfHash(text: string, alg: unknown): Promise<string> {
  const hash = hashOf(alg)
  if (!hash) throw new ProtocolError(`at_hash cannot be verified for ${String(alg)}`)
  // The usual algorithm, synchronously where the runtime has native cryptography: no thread is involved.
  const digest =
    hash === "SHA-256" ? await sha256(text) : new Uint8Array(await globalThis.crypto.subtle.digest(hash, utf8(text)))
  return toBase64url(digest.subarray(0, digest.byteLength / 2))
}

/** The hash that belongs to an algorithm (RFC 7518 §3.1, RFC 8037 §3.1). */
function hashOf(alg: unknown): "SHA-256" | "SHA-384" | "SHA-512" | undefined {
  if (alg === "EdDSA" || alg === "Ed25519") return "SHA-512"
  const bits = /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(typeof alg === "string" ? alg : "")?.[1]
  return bits === undefined ? undefined : (`SHA-${bits}` as "SHA-256" | "SHA-384" | "SHA-512")
}
