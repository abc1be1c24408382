/** For each kind of error: which page it leads to, its public value, and its status. */

/** The stable names of errors. */
export type ErrorType =
  | "AuthError"
  | "AccessDenied"
  | "AccountNotLinked"
  | "AdapterError"
  | "CallbackRouteError"
  | "CredentialsSignin"
  | "DuplicateConditionalUI"
  | "EmailAddressRefused"
  | "EmailCreateAccountError"
  | "EmailSignInError"
  | "ErrorPageLoop"
  | "EventError"
  | "ExperimentalFeatureNotEnabled"
  | "InvalidCallbackUrl"
  | "InvalidCheck"
  | "InvalidConfiguration"
  | "InvalidEndpoints"
  | "InvalidProvider"
  | "JWTSessionError"
  | "MissingAdapter"
  | "MissingAdapterMethods"
  | "MissingAuthorize"
  | "MissingCSRF"
  | "MissingSecret"
  | "MissingWebAuthnAutocomplete"
  | "OAuthAccountNotLinked"
  | "OAuthCallbackError"
  | "OAuthCreateAccountError"
  | "OAuthProfileParseError"
  | "OAuthSignInError"
  | "ProviderUnavailable"
  | "ReauthenticationRequired"
  | "SessionTokenError"
  | "SignInError"
  | "SignOutError"
  | "TooManyRequests"
  | "UnknownAction"
  | "UnreadableRequest"
  | "UnsupportedStrategy"
  | "UntrustedHost"
  | "Verification"
  | "WebAuthnVerificationError"

/** One line of the table: what an error means to the outside. */
export interface ErrorRow {
  /** The page that shows it; `none` answers in place. */
  readonly page: "signIn" | "error" | "none"
  /** The public value of the `error` parameter: a member of the specification's closed lists. */
  readonly value: string
  /** The value while a sign-in is begun, where it differs from that on the way back. */
  readonly valueAtBegin?: string
  /** Status for script callers. */
  readonly status: number
  /** A fault gets an incident id and the level `error`; the rest are refusals. */
  readonly fault: boolean
}

const configuration: ErrorRow = { page: "error", value: "Configuration", status: 500, fault: true }

/** The table of all errors, one row for each type. */
// biome-ignore format: a table, each row stays on one line
export const errorTable: Readonly<Record<ErrorType, ErrorRow>> = {
  AuthError:                     configuration,
  AccessDenied:                  { page: "error",  value: "AccessDenied",          status: 403, fault: false },
  AccountNotLinked:              { page: "signIn", value: "OAuthAccountNotLinked", status: 409, fault: false },
  AdapterError:                  { page: "signIn", value: "Callback", valueAtBegin: "Signin", status: 503, fault: true },
  CallbackRouteError:            { page: "signIn", value: "Callback", valueAtBegin: "Signin", status: 500, fault: true },
  CredentialsSignin:             { page: "signIn", value: "CredentialsSignin",     status: 401, fault: false },
  DuplicateConditionalUI:        configuration,
  EmailAddressRefused:           { page: "signIn", value: "EmailSignin",           status: 400, fault: false },
  EmailCreateAccountError:       { page: "signIn", value: "EmailCreateAccount",    status: 503, fault: true },
  EmailSignInError:              { page: "signIn", value: "EmailSignin",           status: 503, fault: true },
  ErrorPageLoop:                 configuration,
  EventError:                    configuration,
  ExperimentalFeatureNotEnabled: configuration,
  InvalidCallbackUrl:            configuration,
  InvalidCheck:                  { page: "signIn", value: "OAuthCallbackError",    status: 400, fault: true },
  InvalidConfiguration:          configuration,
  InvalidEndpoints:              configuration,
  InvalidProvider:               { page: "error",  value: "Configuration",         status: 404, fault: false },
  JWTSessionError:               { page: "none",   value: "Configuration",         status: 503, fault: true },
  MissingAdapter:                configuration,
  MissingAdapterMethods:         configuration,
  MissingAuthorize:              configuration,
  MissingCSRF:                   { page: "signIn", value: "Signin",                status: 403, fault: false },
  MissingSecret:                 configuration,
  MissingWebAuthnAutocomplete:   configuration,
  OAuthAccountNotLinked:         { page: "signIn", value: "OAuthAccountNotLinked", status: 409, fault: false },
  OAuthCallbackError:            { page: "signIn", value: "OAuthCallbackError",    status: 502, fault: true },
  OAuthCreateAccountError:       { page: "signIn", value: "OAuthCreateAccount",    status: 503, fault: true },
  OAuthProfileParseError:        { page: "signIn", value: "OAuthCallbackError",    status: 502, fault: true },
  OAuthSignInError:              { page: "signIn", value: "OAuthSignin",           status: 503, fault: true },
  ProviderUnavailable:           { page: "signIn", value: "Callback", valueAtBegin: "OAuthSignin", status: 503, fault: true },
  ReauthenticationRequired:      { page: "signIn", value: "SessionRequired",       status: 401, fault: false },
  SessionTokenError:             { page: "none",   value: "Configuration",         status: 503, fault: true },
  SignInError:                   { page: "signIn", value: "Signin",                status: 400, fault: false },
  SignOutError:                  { page: "error",  value: "Configuration",         status: 503, fault: true },
  TooManyRequests:               { page: "signIn", value: "Signin",                status: 429, fault: false },
  UnknownAction:                 { page: "none",   value: "Configuration",         status: 404, fault: false },
  UnreadableRequest:             { page: "none",   value: "Configuration",         status: 400, fault: false },
  UnsupportedStrategy:           configuration,
  UntrustedHost:                 configuration,
  Verification:                  { page: "error",  value: "Verification",          status: 403, fault: false },
  WebAuthnVerificationError:     { page: "signIn", value: "Signin",                status: 401, fault: false },
}
