/** Naver. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/naver.js"
import { idOf, textOf } from "./parts/values.js"

/** What Naver says of a person. */
export interface NaverProfile extends FurtherClaims {
  resultcode: string
  message: string
  response?: {
    id?: string
    nickname?: string
    name?: string
    email?: string
    gender?: "F" | "M" | "U"
    age?: string
    birthday?: string
    profile_image?: string
    birthyear?: string
    mobile?: string
  }
}

/** Sign-in with Naver. */
export function Naver<P extends NaverProfile = NaverProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"naver">> {
  return oauth(
    {
      id: "naver",
      name: "Naver",
      authorization: "https://nid.naver.com/oauth2.0/authorize",
      token: "https://nid.naver.com/oauth2.0/token",
      userinfo: "https://openapi.naver.com/v1/nid/me",
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.response?.id),
        name: textOf(profile.response?.nickname, profile.response?.name),
        email: textOf(profile.response?.email),
        image: textOf(profile.response?.profile_image),
      }),
      style: { brandColor: "#03c75a", logo: mark },
      console: "https://developers.naver.com/apps/",
      docs: "https://developers.naver.com/docs/login/api/api.md",
      checked: "2026-11-21",
      notes: [
        "Choose in the console what the profile holds; the scope does not change it.",
        "An id is unique for one application only.",
      ],
    },
    config,
  )
}

export default Naver
