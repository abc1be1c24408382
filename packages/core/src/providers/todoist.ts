/** Todoist. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/todoist.js"
import { idOf, textOf } from "./parts/values.js"

/** What Todoist says of a person. */
export interface TodoistProfile extends FurtherClaims {
  avatar_big: string
  email: string
  full_name: string
  id: string
  avatar_small: string
  avatar_medium: string
  avatar_s640: string
  lang: string
  is_premium: boolean
  tz_info?: Record<string, unknown>
}

/** Sign-in with Todoist. */
export function TodoistProvider<P extends TodoistProfile = TodoistProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"todoist">> {
  return oauth(
    {
      id: "todoist",
      name: "Todoist",
      authorization: { url: "https://todoist.com/oauth/authorize", params: { scope: "data:read" } },
      token: "https://todoist.com/oauth/access_token",
      userinfo: "https://api.todoist.com/api/v1/user",
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.full_name),
        email: textOf(profile.email),
        image: textOf(profile.avatar_big),
      }),
      style: { brandColor: "#e44332", logo: mark },
      console: "https://app.todoist.com/app/settings/integrations/app-management",
      docs: "https://developer.todoist.com/api/v1/",
      checked: "2026-11-21",
      notes: ["Scopes are separated by commas."],
    },
    config,
  )
}

export default TodoistProvider
