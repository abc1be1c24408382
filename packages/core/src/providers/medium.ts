/** Medium. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/medium.js"
import { normaliseTokens } from "./parts/tokens.js"
import { idOf, textOf } from "./parts/values.js"

/** What Medium says of a person. */
export interface MediumProfile extends FurtherClaims {
  data?: { id: string; username: string; name: string; url: string; imageUrl: string }
}

/** Sign-in with Medium. */
export function Medium(config: OAuthUserConfig<MediumProfile> = {}): OAuth2Config<MediumProfile, UsualId<"medium">> {
  return oauth(
    {
      id: "medium",
      name: "Medium",
      authorization: { url: "https://medium.com/m/oauth/authorize", params: { scope: "basicProfile" } },
      token: { url: "https://api.medium.com/v1/tokens", conform: normaliseTokens },
      userinfo: "https://api.medium.com/v1/me",
      checks: ["state", "pkce"],
      profile: (profile) => ({
        id: idOf(profile.data?.id),
        name: textOf(profile.data?.name),
        email: null,
        image: textOf(profile.data?.imageUrl),
      }),
      style: { brandColor: "#000000", logo: mark },
      docs: "https://github.com/Medium/medium-api-docs",
      checked: "2026-11-21",
      notes: [
        "Medium has accepted no new applications since 2023; existing ones still work.",
        "The profile has no e-mail address.",
      ],
    },
    config,
  )
}

export default Medium
