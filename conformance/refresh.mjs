/**
 * Refreshing an access token is the application's own: the engine hands the tokens of a sign-in to the `jwt` callback.
 * This one refreshes at the first read of the session, and checks the answer as OpenID Connect Core §12.2 asks.
 */
import * as oauth from "oauth4webapi"

export function refreshing({ issuer, clientId, clientSecret }, said) {
  const client = { client_id: clientId }

  async function refreshed(token) {
    const address = new URL(issuer)
    const server = await oauth.processDiscoveryResponse(address, await oauth.discoveryRequest(address))
    const authentication = oauth.ClientSecretBasic(clientSecret)
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, token.refresh)
    const answer = await oauth.processRefreshTokenResponse(server, client, response)
    const claims = oauth.getValidatedIdTokenClaims(answer)
    if (claims && claims.sub !== token.subject) throw new Error("the refreshed id_token names another subject")
    await oauth.processUserInfoResponse(
      server,
      client,
      token.subject,
      await oauth.userInfoRequest(server, client, answer.access_token),
    )
    said.push("refreshed the access token")
    return { ...token, refresh: answer.refresh_token ?? token.refresh, isFresh: true }
  }

  return {
    async jwt({ token, account }) {
      if (account) return { ...token, refresh: account.refresh_token, subject: account.providerAccountId }
      if (!token.refresh || token.isFresh) return token
      return refreshed(token).catch((error) => {
        said.push(`refused the refreshed tokens: ${error.message}`)
        return { ...token, refresh: undefined }
      })
    },
  }
}
