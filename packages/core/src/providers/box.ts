/** Box. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/box.js"
import { idOf, textOf } from "./parts/values.js"

/** What Box says of a person. */
export interface BoxProfile extends FurtherClaims {
  type: string
  id: string
  name: string
  /** The address. */
  login: string
  created_at: string
  modified_at: string
  language: string
  timezone: string
  space_amount: number
  space_used: number
  max_upload_size: number
  status: string
  job_title: string
  phone: string
  address: string
  avatar_url: string
  notification_email?: { email: string; is_confirmed: string } | null
}

/** Sign-in with Box. */
export function Box(config: OAuthUserConfig<BoxProfile> = {}): OAuth2Config<BoxProfile, UsualId<"box">> {
  return oauth(
    {
      id: "box",
      name: "Box",
      authorization: { url: "https://account.box.com/api/oauth2/authorize", params: { scope: null } },
      token: "https://api.box.com/oauth2/token",
      userinfo: "https://api.box.com/2.0/users/me",
      client: { token_endpoint_auth_method: "client_secret_post" },
      // PKCE is ignored: only the state binds an answer to its browser.
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name),
        email: textOf(profile.login),
        image: textOf(profile.avatar_url),
      }),
      style: { brandColor: "#0075c9", logo: mark },
      console: "https://app.box.com/developers/console",
      docs: "https://developer.box.com/guides/authentication/oauth2/",
      checked: "2026-11-21",
      notes: [
        "What the application may do is set in the developer console; no scope is sent.",
        "The picture is shown only to who is signed in at Box.",
      ],
    },
    config,
  )
}

export default Box
