/** Polar. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { byClaim, idOf, textOf } from "./parts/values.js"

/** What Polar says of a person. */
export interface PolarProfile extends FurtherClaims {
  id: string
  email: string
  username: string
  avatar_url: string
  public_name: string
  github_username: string
  account_id: string
  email_verified: boolean
  profile_settings?: Record<string, unknown>
}

/** Sign-in with Polar. */
export function Polar(config: OAuthUserConfig<PolarProfile> = {}): OAuth2Config<PolarProfile, UsualId<"polar">> {
  return oauth(
    {
      id: "polar",
      name: "Polar",
      authorization: { url: "https://polar.sh/oauth2/authorize", params: { scope: "openid profile email" } },
      token: "https://api.polar.sh/v1/oauth2/token",
      userinfo: "https://api.polar.sh/v1/oauth2/userinfo",
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.id, profile.sub),
        name: textOf(profile.public_name, profile.username, profile.name),
        email: textOf(profile.email),
        image: textOf(profile.avatar_url, profile.picture),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#0062ff" },
      console: "https://polar.sh/settings",
      docs: "https://docs.polar.sh/integrate/oauth2/introduction",
      checked: "2026-11-21",
    },
    config,
  )
}

export default Polar
