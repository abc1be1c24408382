/** FACEIT. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/faceit.js"
import { byClaim, idOf, textOf } from "./parts/values.js"

/** What FACEIT says of a person. */
export interface FACEITProfile extends FurtherClaims {
  guid: string
  nickname: string
  email: string
  email_verified: boolean
  picture: string
  given_name: string
  family_name: string
  birthdate: string
  locale: string
  memberships?: string[]
}

/** Sign-in with FACEIT. */
export function FACEIT(config: OAuthUserConfig<FACEITProfile> = {}): OAuth2Config<FACEITProfile, UsualId<"faceit">> {
  return oauth(
    {
      id: "faceit",
      name: "FACEIT",
      authorization: {
        url: "https://accounts.faceit.com",
        params: { redirect_popup: "true", scope: "openid profile email" },
      },
      token: "https://api.faceit.com/auth/v1/oauth/token",
      userinfo: "https://api.faceit.com/auth/v1/resources/userinfo",
      profile: (profile) => ({
        id: idOf(profile.guid),
        name: textOf(profile.nickname, profile.name),
        email: textOf(profile.email),
        image: textOf(profile.picture),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#ff5500", logo: mark },
      console: "https://developers.faceit.com",
      docs: "https://docs.faceit.com/getting-started/authentication/oauth2",
      checked: "2026-11-21",
    },
    config,
  )
}

export default FACEIT
