/** The types of OAuth and OpenID Connect providers, under the path applications import them from. */
export type { OAuthProviderButtonStyles } from "../types/appearance.js"
export type {
  AccountCallback,
  AuthorizationEndpoint,
  OAuth2Config,
  OAuthClientOptions,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  ProfileCallback,
  TokenEndpoint,
  UserinfoEndpoint,
} from "../types/provider.js"
