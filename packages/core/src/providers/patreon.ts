/** Patreon. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/patreon.js"
import { idOf, textOf } from "./parts/values.js"

/** What Patreon says of a person. */
export interface PatreonProfile extends FurtherClaims {
  data?: {
    type?: string
    id?: string
    attributes?: {
      full_name?: string
      email?: string
      is_email_verified?: boolean
      image_url?: string
      [extra: string]: unknown
    }
  }
  links?: { self: string }
  included?: unknown[]
}

/** Sign-in with Patreon. */
export function Patreon<P extends PatreonProfile = PatreonProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"patreon">> {
  return oauth(
    {
      id: "patreon",
      name: "Patreon",
      authorization: { url: "https://www.patreon.com/oauth2/authorize", params: { scope: "identity identity[email]" } },
      token: "https://www.patreon.com/api/oauth2/token",
      userinfo: {
        url: "https://www.patreon.com/api/oauth2/v2/identity",
        params: { "fields[user]": "email,full_name,image_url,is_email_verified" },
      },
      profile: (profile) => ({
        id: idOf(profile.data?.id),
        name: textOf(profile.data?.attributes?.full_name),
        email: textOf(profile.data?.attributes?.email),
        image: textOf(profile.data?.attributes?.image_url),
      }),
      emailVerified: ({ data }) => data?.attributes?.is_email_verified,
      style: { brandColor: "#ff424d", logo: mark },
      console: "https://www.patreon.com/portal/registration/register-clients",
      docs: "https://docs.patreon.com/#apiv2-oauth",
      checked: "2026-11-21",
      notes: ["Test with another account than the one that owns the client: that one gets every scope."],
    },
    config,
  )
}

export default Patreon
