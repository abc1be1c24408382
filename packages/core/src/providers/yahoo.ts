/** Yahoo. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim, idOf, textOf } from "./parts/values.js"

/** What Yahoo says of a person. */
export interface YahooProfile extends FurtherClaims {
  sub: string
  name: string
  given_name: string
  family_name: string
  nickname: string
  locale: string
  email: string
  email_verified: boolean
  picture: string
  profile_images?: { image32: string; image64: string; image128: string; image192: string }
  birthdate: string
}

/** Sign-in with Yahoo. */
export function Yahoo(config: OIDCUserConfig<YahooProfile> = {}): OIDCConfig<YahooProfile, UsualId<"yahoo">> {
  return oidc(
    {
      id: "yahoo",
      name: "Yahoo",
      issuer: "https://api.login.yahoo.com",
      authorization: {
        url: "https://api.login.yahoo.com/oauth2/request_auth",
        params: { scope: "openid profile email" },
      },
      token: "https://api.login.yahoo.com/oauth2/get_token",
      userinfo: "https://api.login.yahoo.com/openid/v1/userinfo",
      jwks_endpoint: "https://api.login.yahoo.com/openid/v1/certs",
      idToken: false,
      checks: ["state", "nonce"],
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: textOf(profile.picture, profile.profile_images?.image192),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#6001d2" },
      console: "https://developer.yahoo.com/apps/",
      docs: "https://developer.yahoo.com/sign-in-with-yahoo/",
      checked: "2026-11-21",
      notes: ["The callback has to be https and not localhost."],
    },
    config,
  )
}

export default Yahoo
