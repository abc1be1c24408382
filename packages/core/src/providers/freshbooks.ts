/** FreshBooks. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { joined, rawIdOf, textOf } from "./parts/values.js"

/** What FreshBooks says of a person. */
export interface FreshbooksProfile extends FurtherClaims {
  response?: {
    id?: number
    identity_id?: number
    first_name?: string
    last_name?: string
    email?: string
    [extra: string]: unknown
  }
}

/** Sign-in with FreshBooks. */
export function Freshbooks(
  config: OAuthUserConfig<FreshbooksProfile> = {},
): OAuth2Config<FreshbooksProfile, UsualId<"freshbooks">> {
  return oauth(
    {
      id: "freshbooks",
      name: "FreshBooks",
      authorization: "https://auth.freshbooks.com/service/auth/oauth/authorize",
      token: "https://api.freshbooks.com/auth/oauth/token",
      userinfo: "https://api.freshbooks.com/auth/api/v1/users/me",
      profile: (profile) => ({
        id: rawIdOf(profile.response?.id),
        name: joined(profile.response?.first_name, profile.response?.last_name),
        email: textOf(profile.response?.email),
        image: null,
      }),
      style: { brandColor: "#0075dd" },
      console: "https://my.freshbooks.com/#/developer",
      docs: "https://www.freshbooks.com/api/authentication",
      checked: "2026-11-21",
      notes: ["The callback has to be https."],
    },
    config,
  )
}

export default Freshbooks
