/** The types of providers. The providers themselves stand beside this door, one file each. */
import type { Profile } from "../types/identity.js"
import type { OAuthConfig, OIDCConfig } from "../types/provider.js"
import type { KnownProviderId } from "./ids.js"

export type { OAuthProviderButtonStyles } from "../types/appearance.js"
export type { ProviderType, RedirectableProviderType } from "../types/identity.js"
export type {
  AccountCallback,
  AssertionToSign,
  AuthorizationEndpoint,
  CommonProviderOptions,
  CredentialInput,
  CredentialsConfig,
  EmailConfig,
  EmailUserConfig,
  EndpointOptions,
  FetchFunction,
  GetUserInfo,
  OAuth2Config,
  OAuthCheck,
  OAuthClientOptions,
  OAuthConfig,
  OAuthUserConfig,
  OIDCCheck,
  OIDCConfig,
  OIDCUserConfig,
  ProfileCallback,
  ProfileTools,
  Provider,
  ProviderConfig,
  ProviderNotes,
  PublicProvider,
  RelyingParty,
  SendVerificationRequestParams,
  SendVerificationRequestParams as EmailProviderSendVerificationRequestParams,
  SignAssertion,
  TokenEndpoint,
  UserinfoEndpoint,
  WebAuthnConfig,
  WebAuthnProviderType,
} from "../types/provider.js"

/** Ids of the providers that come with the package, and any other. */
export type ProviderId = KnownProviderId | (string & {})

/** Ids of the providers that come with the package, under the name that frameworks import. */
export type BuiltInProviderType = KnownProviderId

/** The endpoints a provider of OAuth has. */
export type OAuthEndpointType = "authorization" | "token" | "userinfo"

/** A provider of OAuth as it looks once its options are laid over it. */
export type OAuthConfigInternal<P = Profile> = Omit<OAuthConfig<P>, "options">

/** A provider of OpenID Connect as it looks once its options are laid over it. */
export type OIDCConfigInternal<P = Profile> = Omit<OIDCConfig<P>, "options">
