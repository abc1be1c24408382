/** A provider behind a fetch function: discovery, keys and one token that was signed beforehand, so that it adds almost no cost. */
import { exportJWK, generateKeyPair, SignJWT } from "jose"

const issuer = "https://op.test"

/** @returns {Promise<{ issuer: string, clientId: string, fetch: typeof fetch, calls: () => number }>} */
export async function openOp() {
  const clientId = "bench"
  const { privateKey, publicKey } = await generateKeyPair("RS256")
  const key = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" }
  const idToken = await new SignJWT({ name: "Ada", email: "ada0@app.test", email_verified: true })
    .setProtectedHeader({ alg: "RS256", kid: "one" })
    .setIssuer(issuer)
    .setAudience(clientId)
    .setSubject("person-1")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(privateKey)
  const answers = {
    "/.well-known/openid-configuration": {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256"],
      code_challenge_methods_supported: ["S256"],
    },
    "/jwks": { keys: [key] },
    "/token": { access_token: "access", token_type: "bearer", expires_in: 3600, id_token: idToken },
  }
  const texts = Object.fromEntries(Object.entries(answers).map(([path, body]) => [path, JSON.stringify(body)]))
  let calls = 0
  return {
    issuer,
    clientId,
    calls: () => calls,
    async fetch(input) {
      calls += 1
      const { pathname } = new URL(input instanceof Request ? input.url : String(input))
      return new Response(texts[pathname], { headers: { "content-type": "application/json" } })
    },
  }
}
