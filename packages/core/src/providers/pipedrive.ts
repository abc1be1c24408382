/** Pipedrive. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What Pipedrive says of a person. */
export interface PipedriveProfile extends FurtherClaims {
  success: boolean
  data?: {
    id?: number
    name?: string
    email?: string
    icon_url?: string
    company_id?: number
    company_name?: string
    company_domain?: string
    [extra: string]: unknown
  }
}

/** Sign-in with Pipedrive. */
export function Pipedrive<P extends PipedriveProfile = PipedriveProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"pipedrive">> {
  return oauth(
    {
      id: "pipedrive",
      name: "Pipedrive",
      authorization: "https://oauth.pipedrive.com/oauth/authorize",
      token: "https://oauth.pipedrive.com/oauth/token",
      userinfo: "https://api.pipedrive.com/v1/users/me",
      profile: (profile) => ({
        id: idOf(profile.data?.id),
        name: textOf(profile.data?.name),
        email: textOf(profile.data?.email),
        image: textOf(profile.data?.icon_url),
      }),
      style: { brandColor: "#017737" },
      console: "https://developers.pipedrive.com",
      docs: "https://pipedrive.readme.io/docs/marketplace-getting-user-data",
      checked: "2026-11-21",
      notes: [
        "The permissions of the application are set in the Developer Hub; the scope does not change them.",
        "`api_domain` of the token response is the API host of the company.",
      ],
    },
    config,
  )
}

export default Pipedrive
