/** Concept2. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { rawIdOf, textOf } from "./parts/values.js"

/** What Concept2 says of a person. */
export interface Concept2Profile extends FurtherClaims {
  data?: {
    id: number
    username: string
    first_name: string
    last_name: string
    gender: string
    dob: string
    email: string
    country: string
    profile_image: string
    age_restricted: boolean
    email_permission: boolean | null
    max_heart_rate: number | null
    weight: number | null
    logbook_privacy: string | null
  }
}

/** Sign-in with Concept2. */
export function Concept2(
  config: OAuthUserConfig<Concept2Profile> = {},
): OAuth2Config<Concept2Profile, UsualId<"concept2">> {
  return oauth(
    {
      id: "concept2",
      name: "Concept2",
      authorization: { url: "https://log.concept2.com/oauth/authorize", params: { scope: "user:read,results:write" } },
      token: "https://log.concept2.com/oauth/access_token",
      userinfo: "https://log.concept2.com/api/users/me",
      profile: (profile) => ({
        id: rawIdOf(profile.data?.id),
        name: textOf(profile.data?.username),
        email: textOf(profile.data?.email),
        image: textOf(profile.data?.profile_image),
      }),
      style: { brandColor: "#0a5ba8" },
      console: "https://log.concept2.com/developers/keys",
      docs: "https://log.concept2.com/developers/documentation/",
      checked: "2026-11-21",
      notes: ["Scopes are separated by commas. Sign-in alone needs `user:read`; `results:write` writes workouts."],
    },
    config,
  )
}

export default Concept2
