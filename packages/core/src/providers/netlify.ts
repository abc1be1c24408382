/** Netlify. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/netlify.js"
import { idOf, textOf } from "./parts/values.js"

/** What Netlify says of a person. */
export interface NetlifyProfile extends FurtherClaims {
  id: string
  uid: string | null
  full_name: string
  avatar_url: string
  email: string
  affiliate_id: string
  site_count: number
  created_at: string
  last_login: string
  login_providers?: string[]
  onboarding_progress?: { slides: string }
}

/** Sign-in with Netlify. */
export function Netlify(
  config: OAuthUserConfig<NetlifyProfile> = {},
): OAuth2Config<NetlifyProfile, UsualId<"netlify">> {
  return oauth(
    {
      id: "netlify",
      name: "Netlify",
      authorization: { url: "https://app.netlify.com/authorize", params: { scope: null } },
      token: "https://api.netlify.com/oauth/token",
      userinfo: "https://api.netlify.com/api/v1/user",
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.full_name),
        email: textOf(profile.email),
        image: textOf(profile.avatar_url),
      }),
      style: { brandColor: "#32e6e2", logo: mark },
      console: "https://app.netlify.com/user/applications",
      docs: "https://docs.netlify.com/api/get-started/",
      checked: "2026-11-21",
    },
    config,
  )
}

export default Netlify
