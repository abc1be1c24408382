/** The id_token (OpenID Connect Core §3.1.3.7): whose it must be, who signed it, and whether its claims fit this flow. */
import type { AuthorizationServer, IDToken } from "oauth4webapi"
import { verifyMac } from "../../crypto/mac.js"
import { sha256 } from "../../crypto/token.js"
import { fromBase64url, fromUtf8, toBase64url, utf8 } from "../../std/bytes.js"
import { toSeconds } from "../../std/time.js"
import { clientIdOf, clientSecretOf } from "./client.js"
import { Unfit } from "./faults.js"
import { type SignedAnswer, verifySignature } from "./key-set.js"
import { noIssuer, type OAuthContext } from "./server.js"

const defaultTolerance = 30

interface Peeked {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/** Reads a token without believing it. */
function peek(token: string): Peeked {
  try {
    const [header = "", claims = ""] = token.split(".")
    return { header: objectOf(header), claims: objectOf(claims) }
  } catch {
    throw new Unfit("the id_token cannot be read")
  }
}

function objectOf(part: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(fromUtf8(fromBase64url(part)))
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new TypeError("no object")
}

/** The server as this token must name it. Where the issuer depends on the token's own claims, the provider says which. */
export function issuerFor(
  context: OAuthContext,
  server: AuthorizationServer,
  token: string | undefined,
): AuthorizationServer {
  const { issuerOf } = context.provider.config
  if (!issuerOf || token === undefined) return server
  // Not believed yet: the library compares the result with the token, and the signature is verified after.
  const issuer = issuerOf(peek(token).claims, context.provider.issuer ?? server.issuer)
  if (issuer === undefined) throw new Unfit("the id_token is of a tenant that is not served")
  return { ...server, issuer }
}

/** Says whether the provider's id_token can be judged at all: somebody must be named who may have made it. */
export function readsIdToken({ provider }: OAuthContext, server: AuthorizationServer): boolean {
  return provider.type === "oidc" || server.issuer !== noIssuer
}

/** Verifies who made the token: the provider with its keys, or whoever holds the client's secret where that was agreed. */
export async function verifyMaker(context: OAuthContext, answer: SignedAnswer, token: string): Promise<void> {
  const { alg } = peek(token).header
  const hash = typeof alg === "string" ? macs.get(alg) : undefined
  if (!hash) return verifySignature(context, answer)
  const agreed = context.provider.client["id_token_signed_response_alg"]
  // Algorithm confusion: what the provider announces is no agreement on a shared secret.
  if (alg !== agreed) throw new Unfit(`the id_token is signed with ${alg}, which is not agreed on`)
  const [header, payload, signature = ""] = token.split(".")
  const secret = await clientSecretOf(context)
  const text = `${header}.${payload}`
  if (await verifyMac({ text, mac: fromBase64url(signature), secret, hash })) return
  throw new Unfit(`the signature of the id_token is wrong, or the clientSecret is too short for ${alg}`)
}

const macs: ReadonlyMap<string, "SHA-256" | "SHA-384" | "SHA-512"> = new Map([
  ["HS256", "SHA-256"],
  ["HS384", "SHA-384"],
  ["HS512", "SHA-512"],
])

/** What the claims are judged by, beside what the library judges: `iss`, `aud`, `nonce` and the presence of the rest. */
export interface Judgement {
  readonly claims: IDToken
  readonly token: string
  readonly accessToken: string
  /** Seconds since the person last proved who they are, where the request limits them. */
  readonly maxAge: number | undefined
}

/** Seconds the provider's clock may differ from ours. */
export function toleranceOf({ provider }: OAuthContext): number {
  return provider.config.clockTolerance ?? defaultTolerance
}

/** Judges times, authorized party, subject and the hash of the access token. */
export async function judgeClaims(
  context: OAuthContext,
  { claims, token, accessToken, maxAge }: Judgement,
): Promise<void> {
  assertTimes(context, claims, maxAge)
  // §3.1.3.7 (5)
  if (claims.azp !== undefined && claims.azp !== clientIdOf(context)) {
    throw new Unfit("the id_token was issued to another client (azp)")
  }
  // §2: 255 characters at most
  if (claims.sub === "" || claims.sub.length > 255) throw new Unfit("the subject of the id_token is empty or too long")
  const { at_hash } = claims
  if (at_hash === undefined) return
  // §3.1.3.8
  if (at_hash !== (await halfHash(accessToken, peek(token).header["alg"]))) {
    throw new Unfit("the id_token belongs to another access token (at_hash)")
  }
}

function assertTimes(context: OAuthContext, claims: IDToken, maxAge: number | undefined): void {
  const tolerance = toleranceOf(context)
  const present = toSeconds(context.now)
  const { exp, iat, nbf, auth_time } = claims
  for (const time of [exp, iat, nbf, auth_time]) {
    if (time !== undefined && !Number.isSafeInteger(time)) throw new Unfit("a time of the id_token is no whole number")
  }
  if (exp <= present - tolerance) throw new Unfit(`the id_token ended ${present - exp} s ago (exp)`)
  if (iat > present + tolerance) throw new Unfit(`the id_token is issued ${iat - present} s ahead of our clock (iat)`)
  if (nbf !== undefined && nbf > present + tolerance) throw new Unfit("the id_token is not valid yet (nbf)")
  if (maxAge === undefined) return
  // §3.1.2.1: a limit that was asked for must be answered
  if (auth_time === undefined) throw new Unfit("the id_token lacks auth_time, which max_age asks for")
  if (auth_time + maxAge < present - tolerance)
    throw new Unfit("the person proved who they are too long ago (auth_time)")
}

/** The left half of the hash that belongs to the token's algorithm. */
async function halfHash(text: string, alg: unknown): Promise<string> {
  const hash = hashOf(String(alg))
  if (!hash) throw new Unfit(`at_hash cannot be judged for ${String(alg)}`)
  // Nearly all of them: where the runtime has cryptography of its own, without a detour through its threads.
  const digest = hash === "SHA-256" ? await sha256(text) : await digestOf(hash, text)
  return toBase64url(digest.subarray(0, digest.byteLength / 2))
}

async function digestOf(hash: string, text: string): Promise<Uint8Array> {
  return new Uint8Array(await globalThis.crypto.subtle.digest(hash, utf8(text)))
}

function hashOf(alg: string): string | undefined {
  if (alg === "EdDSA" || alg === "Ed25519") return "SHA-512"
  const bits = /^(?:RS|PS|ES|HS)(256|384|512)$/.exec(alg)?.[1]
  return bits && `SHA-${bits}`
}
