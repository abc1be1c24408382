/** ClickUp. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/click-up.js"
import { normaliseTokens } from "./parts/tokens.js"
import { idOf, textOf } from "./parts/values.js"

/** What ClickUp says of a person. */
export interface ClickUpProfile extends FurtherClaims {
  user?: {
    id: number
    username: string
    email: string
    color: string
    profilePicture: string | null
    initials: string
    week_start_day: number | null
    global_font_support: boolean
    timezone: string
  }
}

/** Sign-in with ClickUp. */
export function ClickUp(
  config: OAuthUserConfig<ClickUpProfile> = {},
): OAuth2Config<ClickUpProfile, UsualId<"click-up">> {
  return oauth(
    {
      id: "click-up",
      name: "ClickUp",
      authorization: "https://app.clickup.com/api",
      token: { url: "https://api.clickup.com/api/v2/oauth/token", conform: normaliseTokens },
      userinfo: "https://api.clickup.com/api/v2/user",
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.user?.id),
        name: textOf(profile.user?.username),
        email: textOf(profile.user?.email),
        image: textOf(profile.user?.profilePicture),
      }),
      style: { brandColor: "#7b68ee", logo: mark },
      console: "https://app.clickup.com/settings/apps",
      docs: "https://developer.clickup.com/docs/authentication",
      checked: "2026-11-21",
      notes: [
        "The callback is /callback/click-up.",
        "People choose workspaces when they consent, whatever scope is asked for. Tokens do not end.",
      ],
    },
    config,
  )
}

export default ClickUp
