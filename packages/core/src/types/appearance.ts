/** How the built-in pages look and which pages the application brings itself. */

/** Look of the built-in pages and e-mails. */
export interface Theme {
  /** @default "auto" */
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
  /** @default the built-in page at `/signin` */
  signIn: string
  signOut: string
  /** @default the built-in page at `/error` */
  error: string
  verifyRequest: string
  /** Where a person goes after the first sign-in. */
  newUser: string
}

/** Look of a provider's button. */
export interface OAuthProviderButtonStyles {
  /** Address of a mark, or a `data:` URL. */
  logo?: string
  brandColor?: string
  /** @deprecated use `brandColor` */
  bg?: string
  /** @deprecated the colour of the text follows `brandColor` */
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
