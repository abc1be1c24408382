/** Signing in with a provider of OAuth 2 or OpenID Connect, as one method among others. */
import type { Context } from "../../context/context.js"
import { InvalidProvider } from "../../errors.js"
import type { Method } from "../method.js"
import { begin } from "./begin.js"
import { finish } from "./finish.js"
import type { OAuthContext } from "./server.js"

/** The method of the provider types `oauth` and `oidc`. */
export const oauthMethod: Method = {
  begin: (context, given) => begin(forOAuth(context), given),
  finish: (context) => finish(forOAuth(context)),
}

function forOAuth(context: Context): OAuthContext {
  const { provider } = context
  if (provider?.type === "oauth" || provider?.type === "oidc") return context as OAuthContext
  throw new InvalidProvider(`Provider ${provider?.id ?? "(none)"} is neither oauth nor oidc.`)
}
