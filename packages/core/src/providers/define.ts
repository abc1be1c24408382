/** Defining a provider: the definition says what is known of it, the options what a caller wants otherwise. */
import { concealBut } from "../std/conceal.js"
import { noteIssuer } from "../std/own-issuer.js"
import { withSubject } from "../std/own-statement.js"
import type {
  EmailConfig,
  EmailUserConfig,
  OAuth2Config,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
} from "../types/provider.js"

/** Claims beyond those a profile type names: what they hold is for the application to know. */
// biome-ignore lint/suspicious/noExplicitAny: applications written for Auth.js read further claims without a cast, which `unknown` would forbid
export type FurtherClaims = Record<string, any>

/** Options that are no secret: whoever prints a provider sees them, of the others only that they are there. */
const open = ["id", "name", "clientId", "issuer", "from", "maxAge"]

/** Defines a provider of OAuth 2. `options` are laid over the definition when the configuration is read. */
export function oauth<P, Id extends string>(
  definition: Omit<OAuth2Config<P, Id>, "type" | "options">,
  options: OAuthUserConfig<P> = {},
): OAuth2Config<P, Id> {
  return {
    ...withSubject(definition),
    type: "oauth",
    options: noteIssuer(concealBut(options, open), definition.issuer),
  }
}

/** Defines a provider of OpenID Connect. `options` are laid over the definition when the configuration is read. */
export function oidc<P, Id extends string>(
  definition: Omit<OIDCConfig<P, Id>, "type" | "options">,
  options: OIDCUserConfig<P> = {},
): OIDCConfig<P, Id> {
  return { ...withSubject(definition), type: "oidc", options: noteIssuer(concealBut(options, open), definition.issuer) }
}

/**
 * Defines a provider of e-mail links. What is given stands on the provider as well, its secrets apart: `apiKey`, `secret`
 * and `server`, whose address may hold a password, stand in `options` alone.
 */
export function email<Id extends string>(
  definition: Omit<EmailConfig<Id>, "type" | "options">,
  options: EmailUserConfig & { readonly id?: Id },
): EmailConfig<Id> {
  const { apiKey: _key, secret: _secret, server: _server, ...shown } = options
  return { ...definition, ...shown, type: "email", options: concealBut(options, open) }
}
