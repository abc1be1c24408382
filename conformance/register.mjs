/** Registers the application with the suite as OpenID Connect Dynamic Client Registration has it; some modules begin with that. */

/**
 * @param {string} issuer
 * @param {{ callback: string, login: string }} addresses
 * @returns {Promise<{ clientId: string, clientSecret: string }>}
 */
export async function register(issuer, { callback, login }) {
  const discovered = await fetch(new URL(".well-known/openid-configuration", issuer))
  const { registration_endpoint: endpoint } = await discovered.json()
  const response = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Latchkey",
      contacts: ["somebody@example.com"],
      redirect_uris: [callback],
      initiate_login_uri: login,
      response_types: ["code"],
      grant_types: ["authorization_code"],
      token_endpoint_auth_method: "client_secret_basic",
      id_token_signed_response_alg: "RS256",
    }),
  })
  if (response.status !== 201) throw new Error(`the registration was answered with ${response.status}, expected 201`)
  const { client_id: clientId, client_secret: clientSecret } = await response.json()
  return { clientId, clientSecret }
}
