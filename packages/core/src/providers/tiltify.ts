/** Tiltify. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { ask } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What Tiltify says of a person. */
export interface TiltifyProfile extends FurtherClaims {
  data?: {
    id?: string
    username?: string
    slug?: string
    url?: string
    email?: string
    avatar?: { src?: string }
    [extra: string]: unknown
  }
}

const person = "https://v5api.tiltify.com/api/public/current-user"

/** Sign-in with Tiltify. */
export function Tiltify(
  config: OAuthUserConfig<TiltifyProfile> = {},
): OAuth2Config<TiltifyProfile, UsualId<"tiltify">> {
  return oauth(
    {
      id: "tiltify",
      name: "Tiltify",
      authorization: { url: "https://v5api.tiltify.com/oauth/authorize", params: { scope: "public" } },
      token: "https://v5api.tiltify.com/oauth/token",
      userinfo: {
        url: person,
        request: ({ provider, tokens, fetch }) => {
          const headers = { "client-id": provider.clientId ?? "" }
          return ask({ fetch, service: "Tiltify", url: person, token: tokens.access_token, headers })
        },
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.data?.id),
        name: textOf(profile.data?.username),
        email: textOf(profile.data?.email),
        image: textOf(profile.data?.avatar?.src),
      }),
      style: { brandColor: "#2ecc71" },
      console: "https://app.tiltify.com/developers",
      docs: "https://developers.tiltify.com/",
      checked: "2026-11-21",
    },
    config,
  )
}

export default Tiltify
