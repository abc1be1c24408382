/** What one sign-in at a provider goes by: worked out once when it begins or comes back, then handed from step to step. */
import type { AuthorizationServer, Client, ClientAuth } from "oauth4webapi"
import { clientAuthenticationOf, clientOf } from "./client.js"
import { type Outbound, openOutbound } from "./outbound.js"
import { redirectUri } from "./redirect.js"
import { type OAuthContext, serverOf } from "./server.js"

/** The request, and everything that follows from the provider it is about. */
export interface OAuthFlow extends OAuthContext {
  /** As configured and discovered. After the exchange of the code: under the issuer that this person's token names. */
  readonly server: AuthorizationServer
  readonly client: Client
  /** Makes the client authentication of the token endpoint; asked for where it is sent, because a secret may be signed anew. */
  readonly authenticate: () => Promise<ClientAuth>
  /** Where the provider sends the person back to. */
  readonly redirectUri: string
  /** The way out; one deadline spans all calls. */
  readonly outbound: Outbound
}

/** Works out what a sign-in goes by. May discover the provider's server, so nothing is opened before an answer is known to be ours. */
export async function openFlow(
  context: OAuthContext,
  outbound: Outbound = openOutbound(context.provider, context.log),
): Promise<OAuthFlow> {
  const server = await serverOf(context, outbound)
  return {
    ...context,
    server,
    client: clientOf(context),
    authenticate: () => clientAuthenticationOf(context, server),
    redirectUri: redirectUri(context),
    outbound,
  }
}
