/** The values of the query `error` that the sign-in page has words for, written out here so that a test sees one that is added or dropped. */
export const signInPageValues: readonly string[] = [
  "Signin",
  "OAuthSignin",
  "OAuthCallbackError",
  "OAuthCreateAccount",
  "EmailCreateAccount",
  "Callback",
  "OAuthAccountNotLinked",
  "EmailSignin",
  "CredentialsSignin",
  "SessionRequired",
]
