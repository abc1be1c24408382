/** How the built-in pages look and which pages the application brings itself. */

/** Look of the built-in pages and e-mails. */
export interface Theme {
  /** Light or dark; `auto` follows the browser. @default "auto" */
  colorScheme?: "auto" | "dark" | "light"
  /** Name of the application, as people know it: the pages say "Sign in to Acme". @default none, in mails the host */
  name?: string
  /**
   * Address of a logo: a path of this origin, a `data:` URL, or any http(s) address, whose origin is then added to the
   * content security policy.
   */
  logo?: string
  /** Colour of buttons and marks, any CSS colour. @default built in */
  brandColor?: string
  /** Colour of the text on buttons. @default black or white, whichever can be read better on `brandColor` */
  buttonText?: string
  /** How round corners are. @default "medium" */
  radius?: "none" | "small" | "medium" | "large" | "full"
  /** Typeface; all of them come with the visitor's system, nothing is loaded. @default "system" */
  font?: "system" | "rounded" | "humanist" | "serif" | "mono"
}

/** Pages of the application that stand in for the built-in ones: paths below the origin, or absolute addresses. */
export interface PagesOptions {
  /** The page that offers the ways to sign in. Gets `error` and `callbackUrl` in its query. @default built in */
  signIn: string
  /** The page that asks whether to sign out. @default built in */
  signOut: string
  /** The page that says what went wrong. Gets `error` in its query. @default built in */
  error: string
  /** The page that says that a link was sent. @default built in */
  verifyRequest: string
  /** Where a person goes after the first sign-in. @default the return address */
  newUser: string
}

/** Look of a provider's button. */
export interface OAuthProviderButtonStyles {
  /** Address of a mark, or a `data:` URL. */
  logo?: string
  /** Colour of the button, any CSS colour. */
  brandColor?: string
  /** Name on the button, where people know the service by another one than the provider's. @default the provider's name */
  label?: string
  /** What the button says: "Continue with GitHub", or "Sign in with Microsoft" where the owner asks for that. @default "continue" */
  verb?: "continue" | "signIn"
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
