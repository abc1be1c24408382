/** The key with which the application authenticates at the token endpoint by `private_key_jwt` (RFC 7523 §2.2). */

/** @typedef {{ kid: string, privateKey: CryptoKey, jwks: { keys: readonly JsonWebKey[] } }} SigningKey */

/** Makes a new key pair; `jwks` is what the provider has to know. @returns {Promise<SigningKey>} */
export async function makeSigningKey() {
  const kid = "relying-party"
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])
  const publicKey = await crypto.subtle.exportKey("jwk", pair.publicKey)
  return { kid, privateKey: pair.privateKey, jwks: { keys: [{ ...publicKey, alg: "ES256", kid, use: "sig" }] } }
}
