/** Atlassian. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/atlassian.js"
import { idOf, textOf } from "./parts/values.js"

/** What Atlassian says of a person. */
export interface AtlassianProfile extends FurtherClaims {
  account_id: string
  name: string
  email: string
  picture: string
  account_type: string
  account_status: string
  nickname: string
  zoneinfo: string
  locale: string
  extended_profile?: { job_title?: string; organization?: string; department?: string; location?: string }
}

/** Sign-in with Atlassian. */
export function Atlassian(
  config: OAuthUserConfig<AtlassianProfile> = {},
): OAuth2Config<AtlassianProfile, UsualId<"atlassian">> {
  return oauth(
    {
      id: "atlassian",
      name: "Atlassian",
      authorization: {
        url: "https://auth.atlassian.com/authorize",
        params: { audience: "api.atlassian.com", scope: "read:me" },
      },
      token: "https://auth.atlassian.com/oauth/token",
      userinfo: "https://api.atlassian.com/me",
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.account_id),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: textOf(profile.picture),
      }),
      style: { brandColor: "#0052cc", logo: mark },
      console: "https://developer.atlassian.com/console/myapps/",
      docs: "https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/",
      checked: "2026-11-21",
      notes: [
        "A refresh token needs the scope `offline_access`.",
        '`authorization: { params: { prompt: "consent" } }` asks for consent at every sign-in.',
        "The address may be missing, depending on what the person shows.",
      ],
    },
    config,
  )
}

export default Atlassian
