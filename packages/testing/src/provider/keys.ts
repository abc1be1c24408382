/** The signing keys of a test provider, and tokens signed with them. */
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose"

/** A signing key. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  /** With its private part. */
  readonly privateJwk: JWK
  readonly publicJwk: JWK
}

/** Makes a key for RS256, the algorithm every client knows. */
export async function makeSigningKey(): Promise<SigningKey> {
  const kid = globalThis.crypto.randomUUID()
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true })
  const about = { kid, alg: "RS256", use: "sig" }
  return {
    kid,
    privateKey,
    privateJwk: { ...(await exportJWK(privateKey)), ...about },
    publicJwk: { ...(await exportJWK(publicKey)), ...about },
  }
}

/** Signs claims with a key. */
export function sign(claims: JWTPayload, { kid, privateKey }: SigningKey): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid }).sign(privateKey)
}

/** The claims of a token that the provider itself has made. */
export const claimsOf = (token: string): JWTPayload => decodeJwt(token)
