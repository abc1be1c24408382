/** Etsy. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/etsy.js"
import { ask, secretOf } from "./parts/ask.js"
import { idOf, joined, textOf } from "./parts/values.js"

/** What Etsy says of a person. */
export interface EtsyProfile extends FurtherClaims {
  user_id: number
  primary_email: string | null
  first_name: string | null
  last_name: string | null
  image_url_75x75: string | null
}

const users = "https://openapi.etsy.com/v3/application/users"

/** Sign-in with Etsy. */
export function Etsy(config: OAuthUserConfig<EtsyProfile> = {}): OAuth2Config<EtsyProfile, UsualId<"etsy">> {
  return oauth(
    {
      id: "etsy",
      name: "Etsy",
      authorization: { url: "https://www.etsy.com/oauth/connect", params: { scope: "email_r shops_r" } },
      token: "https://api.etsy.com/v3/public/oauth/token",
      userinfo: {
        url: users,
        request: async ({ provider, tokens, fetch }) => {
          const headers = { "x-api-key": [provider.clientId, secretOf(provider)].filter(Boolean).join(":") }
          const given = { fetch, service: "Etsy", token: tokens.access_token, headers }
          const { user_id } = await ask<{ user_id?: number }>({ ...given, url: `${users}/me` })
          return ask({ ...given, url: `${users}/${encodeURIComponent(String(user_id))}` })
        },
      },
      client: { token_endpoint_auth_method: "none" },
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.user_id),
        name: joined(profile.first_name, profile.last_name),
        email: textOf(profile.primary_email),
        image: textOf(profile.image_url_75x75),
      }),
      style: { brandColor: "#f16521", logo: mark },
      console: "https://www.etsy.com/developers/your-apps",
      docs: "https://developers.etsy.com/documentation/essentials/authentication/",
      checked: "2026-11-21",
      notes: [
        "`clientId` is the keystring. The token request needs no secret; API calls need the shared secret as well, so set it as `clientSecret`.",
      ],
    },
    config,
  )
}

export default Etsy
