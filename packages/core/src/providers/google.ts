/** Google. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/google.js"
import { byClaim } from "./parts/values.js"

/** What Google says of a person. */
export interface GoogleProfile extends FurtherClaims {
  aud: string
  azp: string
  email: string
  email_verified: boolean
  exp: number
  family_name?: string
  given_name: string
  /** Domain of a Workspace account. */
  hd?: string
  iat: number
  iss: string
  jti?: string
  locale?: string
  name: string
  nbf?: number
  picture: string
  sub: string
}

/** Sign-in with Google. */
export function Google<P extends GoogleProfile = GoogleProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"google">> {
  return oidc(
    {
      id: "google",
      name: "Google",
      issuer: "https://accounts.google.com",
      emailVerified: byClaim,
      style: { brandColor: "#1a73e8", logo: mark },
      console: "https://console.cloud.google.com/apis/credentials",
      docs: "https://developers.google.com/identity/openid-connect/openid-connect",
      checked: "2026-11-21",
      notes: [
        'A refresh token comes with the first consent only; `authorization: { params: { access_type: "offline", prompt: "consent" } }` asks for it each time.',
        "`hd` as a parameter is a hint: compare the claim `hd` of the profile in the signIn callback.",
      ],
    },
    config,
  )
}

export default Google
