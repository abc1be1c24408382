/** Kick. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/kick.js"
import { entriesOf, idOf, textOf } from "./parts/values.js"

/** What Kick says of a person. */
export interface KickProfile extends FurtherClaims {
  data?: { user_id: number; name: string; email: string; profile_picture: string }[]
  message: string
}

/** Sign-in with Kick. */
export function Kick(config: OAuthUserConfig<KickProfile> = {}): OAuth2Config<KickProfile, UsualId<"kick">> {
  return oauth(
    {
      id: "kick",
      name: "Kick",
      authorization: { url: "https://id.kick.com/oauth/authorize", params: { scope: "user:read" } },
      token: "https://id.kick.com/oauth/token",
      userinfo: "https://api.kick.com/public/v1/users",
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(entriesOf(profile.data)[0]?.user_id),
        name: textOf(entriesOf(profile.data)[0]?.name),
        email: textOf(entriesOf(profile.data)[0]?.email),
        image: textOf(entriesOf(profile.data)[0]?.profile_picture),
      }),
      style: { brandColor: "#53fc18", logo: mark },
      console: "https://kick.com/settings/developer",
      docs: "https://docs.kick.com/getting-started/generating-tokens-oauth2-flow",
      checked: "2026-11-21",
    },
    config,
  )
}

export default Kick
