/** What a provider is: five configurations, and what the browser may know of them. Those of OAuth stand in `oauth.ts`. */
import type { Wording } from "../texts/wording.js"
import type { OAuthProviderButtonStyles, Theme } from "./appearance.js"
import type { AdapterUser, Awaitable, SemverString, User } from "./identity.js"
import type { OAuth2Config, OIDCConfig, ProviderAddresses } from "./oauth.js"
import type { CommonProviderOptions, ProviderNotes } from "./provider-common.js"

export * from "./oauth.js"
export * from "./provider-common.js"

/** What an e-mail sender is given. */
export interface SendVerificationRequestParams {
  /** The address, normalised. */
  identifier: string
  /** The link. */
  url: string
  /** When the link ends. */
  expires: Date
  /** The provider, with its options merged. */
  provider: EmailConfig
  /** The plain token, part of `url`. */
  token: string
  /** The theme of the configuration, for the look of the mail. */
  theme: Theme
  /** The language of the request that asked for the link, and the texts in it. */
  wording?: Wording | undefined
  /** The request that asked for the link, its body as JSON. */
  request: Request
}

/** A provider that proves an address by a link. */
export interface EmailConfig<Id extends string = string> extends CommonProviderOptions<Id>, ProviderNotes {
  /** The type of providers that prove an address by a link. */
  type: "email"
  /** Sender address. */
  from?: string | undefined
  /** Lifetime of the link in seconds. @default 3600 */
  maxAge?: number | undefined
  /** Hashes the tokens of this provider. @default the configuration's `secret` */
  secret?: string | undefined
  /** Key of the mail service. */
  apiKey?: string | undefined
  /** Transport of SMTP senders. */
  server?: unknown
  /** Sends the link. A method: a sender may be typed with a narrower provider than any. */
  sendVerificationRequest(params: SendVerificationRequestParams): Awaitable<void>
  /**
   * Makes the token of a link. Tries of one that is shorter than 19 characters are limited like those of a password. Links with
   * the default sign in at the provider that mailed them alone, where there are several; others wherever the address is accepted.
   * @default 32 random bytes in hex; with several e-mail providers a mark of the provider behind them
   */
  generateVerificationToken?: (() => Awaitable<string>) | undefined
  /**
   * Makes one address of what was typed, or throws. With several e-mail providers it is asked about the address of a followed
   * link as well, where that does not say which of them mailed it; one is refused where it throws.
   * @default spaces around it go, letters become lower case; refused when Unicode normalisation (NFKC) would change it, and when it is not exactly one address of the usual form
   */
  normalizeIdentifier?: ((identifier: string) => string) | undefined
  /**
   * When a followed link shows a page with a button instead of signing in at once; the button's form carries the CSRF
   * token, as every POST of a link has to. With short codes and `other-browser`, showing the page counts as a wrong guess.
   * @default "never"
   */
  confirm?: "never" | "other-browser" | "always" | undefined
  /** Look of its button. */
  style?: OAuthProviderButtonStyles | undefined
  /** What a caller gave to the provider function; merged over the rest. */
  options?: EmailUserConfig | undefined
}

/** What a caller may override of an e-mail provider. */
export type EmailUserConfig = Omit<Partial<EmailConfig>, "options" | "type">

/** An attribute as text or number, or held by an object as the element types of other libraries allow. */
type Attribute<Value> = Value | { readonly value: Value | undefined } | undefined

/** The attributes of an input that are known by name. */
export interface InputAttributes {
  /** Text of the label beside the input. */
  label?: string | undefined
  /** Type of the input, such as `text` or `password`. */
  type?: Attribute<string>
  /** Text in the empty input. */
  placeholder?: Attribute<string>
  /** Initial value. */
  value?: Attribute<string | number | readonly string[]>
  /** The form cannot be sent without it. */
  required?: Attribute<boolean>
  /** What the browser may fill in, such as `username`. */
  autocomplete?: Attribute<string>
}

/** A field of a form: attributes of its input. */
export interface CredentialInput extends InputAttributes {
  [attribute: string]: unknown
}

/** A provider whose proof the application checks itself. */
export interface CredentialsConfig<
  C extends Record<string, CredentialInput> = Record<string, CredentialInput>,
  Id extends string = string,
> extends CommonProviderOptions<Id>,
    ProviderNotes {
  /** The type of providers whose proof the application checks. */
  type: "credentials"
  /** Fields of the form. */
  credentials: C
  /**
   * The field that says who wants to sign in, or the fields that say it together, such as a tenant and a name: failed tries
   * are counted by what is typed there.
   * @default each whose name says that it is an address, a user name, a phone or a number of a member; otherwise the only other one that may say who it is
   */
  accountField?: (keyof C & string) | readonly (keyof C & string)[] | undefined
  /** Returns the user, or `null` when the credentials are wrong. The `id` becomes the account's `providerAccountId`. */
  authorize: (
    credentials: Partial<Record<keyof C, unknown>> & Record<string, unknown>,
    request: Request,
  ) => Awaitable<User | null>
  /** Look of its button. */
  style?: OAuthProviderButtonStyles | undefined
  /** What a caller gave to the provider function; merged over the rest. */
  options?: Partial<CredentialsConfig<C>> | undefined
}

/** The party a credential is bound to (WebAuthn §4, Relying Party). */
export interface RelyingParty {
  /** The effective domain. @default the host name of the request */
  id: string
  /** Name of the application, as authenticators show it. @default the host of the request */
  name: string
  /** Origin, or origins, that ceremonies may come from. @default the origin of the request */
  origin: string
}

/** Who a WebAuthn ceremony is for. */
export type GetUserInfo = (
  options: WebAuthnCallbackOptions,
  request: { readonly query: Readonly<Record<string, string>>; readonly url: string },
) => Awaitable<{ user: User | AdapterUser; exists: true } | { user: Omit<User, "id">; exists: false } | null>

/** What WebAuthn callbacks may look at. */
export interface WebAuthnCallbackOptions {
  /** The provider, with its options merged. */
  readonly provider: WebAuthnConfig
  /** Address of the request. */
  readonly url: URL
  /** Read access to the data layer. */
  readonly adapter: { getUserByEmail?: (email: string) => Awaitable<AdapterUser | null> }
}

/** The modules that verify WebAuthn ceremonies. */
export interface WebAuthnModules {
  /** `@simplewebauthn/server`, 13 or later. */
  readonly server: object
  /** `@simplewebauthn/server/helpers`. */
  readonly helpers: object
}

/** A provider of WebAuthn. */
export interface WebAuthnConfig<Id extends string = string> extends CommonProviderOptions<Id>, ProviderNotes {
  /** The type of WebAuthn providers. */
  type: WebAuthnProviderType
  /** Who this application is to authenticators. Arrays: the first element counts; ceremonies may come from each `origin` of a list. */
  relayingParty?:
    | {
        id?: string | string[] | undefined
        name?: string | string[] | undefined
        origin?: string | string[] | undefined
      }
    | undefined
  /** Chooses the relying party of a request. @default `relayingParty`, else the origin of the request */
  getRelayingParty?: (
    options: WebAuthnCallbackOptions,
    request: { readonly query: Readonly<Record<string, string>>; readonly url: string },
  ) => RelyingParty
  /**
   * Finds the user a ceremony is for; `null` for nobody. What it returns about a new person is sealed into a cookie: a picture
   * as a `data:` URL does not fit, and more than 1,024 bytes of JSON show visitors that the address is not registered.
   * @default the user with the address in the query, or a new one
   */
  getUserInfo?: GetUserInfo | undefined
  /** Functions of the WebAuthn library in its version 9 form; only for applications that bring their own. */
  simpleWebAuthn?: unknown
  /**
   * Loads the library that verifies ceremonies. `Passkey` and `WebAuthn` of this package bring it. A provider object
   * without it, such as one of Auth.js, is served by the package as it is found at run time; a bundle has none.
   */
  loadLibrary?: (() => Promise<WebAuthnModules>) | undefined
  /** Offers passkeys while the person types. Only one provider can. @default true */
  enableConditionalUI?: boolean | undefined
  /** Version of a browser library that is no longer loaded. @deprecated the script is part of the page; nothing is loaded from elsewhere */
  simpleWebAuthnBrowserVersion?: SemverString | false | undefined
  /** Fields of the form on the sign-in page. */
  formFields?: Record<string, CredentialInput | InputAttributes> | undefined
  /** Options for signing in, as the WebAuthn library takes them. */
  authenticationOptions?: Readonly<Record<string, unknown>> | undefined
  /** Options for registering, as the WebAuthn library takes them. */
  registrationOptions?: Readonly<Record<string, unknown>> | undefined
  /** Options for verifying a sign-in, as the WebAuthn library takes them. */
  verifyAuthenticationOptions?: Readonly<Record<string, unknown>> | undefined
  /** Options for verifying a registration, as the WebAuthn library takes them. */
  verifyRegistrationOptions?: Readonly<Record<string, unknown>> | undefined
  /** Look of its button. */
  style?: OAuthProviderButtonStyles | undefined
  /** What a caller gave to the provider function; merged over the rest. */
  options?: Partial<WebAuthnConfig> | undefined
}

/** The type of WebAuthn providers. */
export type WebAuthnProviderType = "webauthn"

// biome-ignore lint/suspicious/noExplicitAny: profiles and fields differ by provider; a list of them has no common parameter
type AnyContent = any

/** A provider configuration of any type. `Id` is its id, as far as its type knows it. */
export type ProviderConfig<Id extends string = string> =
  | OAuth2Config<AnyContent, Id>
  | OIDCConfig<AnyContent, Id>
  | EmailConfig<Id>
  | CredentialsConfig<AnyContent, Id>
  | WebAuthnConfig<Id>
/** An entry of `providers`: a configuration, or a function that makes one from options. */
export type Provider<Id extends string = string> = ProviderConfig<Id> | ((...options: never[]) => ProviderConfig<Id>)

/** A provider as the browser may know it. */
export interface PublicProvider extends ProviderAddresses {
  /** Id of the provider. */
  id: string
  /** Label of its button. */
  name: string
  /** Type of the provider. */
  type: string
}
