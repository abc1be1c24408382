/** How the built-in pages look and which pages the application brings itself. */

/** Look of the built-in pages and e-mails. */
export interface Theme {
  /** Light or dark; `auto` follows the browser. @default "auto" */
  colorScheme?: "auto" | "dark" | "light"
  /** Name of the application, as people know it. @default the host, in mails */
  name?: string
  /** Address of a logo. */
  logo?: string
  /** Colour of buttons and marks, any CSS colour. */
  brandColor?: string
  /** Colour of the text on buttons. */
  buttonText?: string
}

/** Pages of the application that stand in for the built-in ones: paths below the origin, or absolute addresses. */
export interface PagesOptions {
  /** The page that lists the providers. Gets `error` and `callbackUrl` in its query. @default the built-in page at `/signin` */
  signIn: string
  /** The page that asks whether to sign out. */
  signOut: string
  /** The page that says what went wrong. Gets `error` in its query. @default the built-in page at `/error` */
  error: string
  /** The page that says that a link was sent. */
  verifyRequest: string
  /** Where a person goes after the first sign-in. */
  newUser: string
}

/** Look of a provider's button. */
export interface OAuthProviderButtonStyles {
  /** Address of a mark, or a `data:` URL. */
  logo?: string
  /** Colour of the button, any CSS colour. */
  brandColor?: string
  /** Background colour of the button. @deprecated use `brandColor` */
  bg?: string
  /** Colour of the text. @deprecated the colour of the text follows `brandColor` */
  text?: string
}

/** Values of `error` on the error page. */
export type ErrorPageParam = "Configuration" | "AccessDenied" | "Verification"

/** Values of `error` on the sign-in page. */
export type SignInPageErrorParam =
  | "Signin"
  | "OAuthSignin"
  | "OAuthCallbackError"
  | "OAuthCreateAccount"
  | "EmailCreateAccount"
  | "Callback"
  | "OAuthAccountNotLinked"
  | "EmailSignin"
  | "CredentialsSignin"
  | "SessionRequired"
