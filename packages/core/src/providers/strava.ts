/** Strava. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/strava.js"
import { joined, rawIdOf, textOf } from "./parts/values.js"

/** What Strava says of a person. */
export interface StravaProfile extends FurtherClaims {
  id: number
  firstname: string
  lastname: string
  profile: string
  username: string | null
  city: string
  country: string
  sex: string
  profile_medium: string
  created_at: string
  updated_at: string
  premium: boolean
}

/** Sign-in with Strava. */
export function Strava<P extends StravaProfile = StravaProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"strava">> {
  return oauth(
    {
      id: "strava",
      name: "Strava",
      authorization: {
        url: "https://www.strava.com/api/v3/oauth/authorize",
        params: { approval_prompt: "auto", scope: "read" },
      },
      token: "https://www.strava.com/api/v3/oauth/token",
      userinfo: "https://www.strava.com/api/v3/athlete",
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: rawIdOf(profile.id),
        name: joined(profile.firstname, profile.lastname),
        email: null,
        image: picture(profile),
      }),
      style: { brandColor: "#fc4c02", logo: mark },
      console: "https://www.strava.com/settings/api",
      docs: "https://developers.strava.com/docs/authentication/",
      checked: "2026-11-21",
      notes: [
        "Scopes are separated by commas; the person may untick some.",
        "The profile has no e-mail address. In a new application only its owner can sign in.",
      ],
    },
    config,
  )
}

export default Strava

/** Without a picture there is a path that leads nowhere. */
function picture({ profile }: StravaProfile): string | null {
  const address = textOf(profile)
  return address?.startsWith("https://") ? address : null
}
