/** Defining a provider: the definition says what is known of it, the options what a caller wants otherwise. */
import type { OAuth2Config, OAuthUserConfig, OIDCConfig, OIDCUserConfig } from "../types/provider.js"

/** Claims beyond those a profile type names: what they hold is for the application to know. */
// biome-ignore lint/suspicious/noExplicitAny: existing applications read claims of their own without a cast
export type FurtherClaims = Record<string, any>

/** Defines a provider of OAuth 2. `options` are laid over the definition when the configuration is read. */
export function oauth<P, Id extends string>(
  definition: Omit<OAuth2Config<P, Id>, "type" | "options">,
  options: OAuthUserConfig<P> = {},
): OAuth2Config<P, Id> {
  return { ...definition, type: "oauth", options }
}

/** Defines a provider of OpenID Connect. `options` are laid over the definition when the configuration is read. */
export function oidc<P, Id extends string>(
  definition: Omit<OIDCConfig<P, Id>, "type" | "options">,
  options: OIDCUserConfig<P> = {},
): OIDCConfig<P, Id> {
  return { ...definition, type: "oidc", options }
}
