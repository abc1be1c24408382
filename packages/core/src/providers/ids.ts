/** Ids of the providers in this folder. Kept in step with its files by `ids.test.ts`. */

/** Ids of the providers that come with the package. */
// biome-ignore format: one line for each file
export const providerIds = [
  "apple",
  "auth0",
  "credentials",
  "discord",
  "email",
  "github",
  "gitlab",
  "google",
  "keycloak",
  "microsoft-entra-id",
  "nodemailer",
  "passkey",
  "resend",
  "webauthn",
] as const

/** An id of a provider that comes with the package. */
export type KnownProviderId = (typeof providerIds)[number]
