/** Where a sign-in asks a provider for another scope than Auth.js does, and why. */

/** The scopes of both authorization requests; `null` where none is sent. */
export interface Difference {
  readonly ours: string | null
  readonly authJs: string | null
  readonly why: string
}

export const differences: Readonly<Record<string, Difference>> = {
  box: {
    ours: null,
    authJs: "openid profile email",
    why: "Box answers `invalid_scope` to scopes that are not its own: https://github.com/nextauthjs/next-auth/issues/7991",
  },
  "boxyhq-saml": {
    ours: null,
    authJs: "openid profile email",
    why: "With `openid` Jackson answers as an OpenID provider and not as the OAuth 2 service that the entry is for; the documentation of Auth.js says to send an empty scope.",
  },
  bungie: {
    ours: null,
    authJs: "openid profile email",
    why: "Bungie's documentation demands that the parameter is left out: https://github.com/Bungie-net/api/wiki/OAuth-Documentation",
  },
  dribbble: {
    ours: "public",
    authJs: "undefined",
    why: "Auth.js writes the word `undefined` where no scope is configured; `public` is what Dribbble grants without one.",
  },
  instagram: {
    ours: "instagram_business_basic",
    authJs: "user_profile",
    why: "The interface that knew `user_profile` ended on 4 December 2024: https://github.com/nextauthjs/next-auth/issues/12481",
  },
}
