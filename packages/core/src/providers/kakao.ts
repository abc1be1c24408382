/** Kakao. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What Kakao says of a person. */
export interface KakaoProfile extends FurtherClaims {
  id: number
  has_signed_up: boolean
  connected_at: string
  synched_at: string
  properties?: Record<string, unknown>
  kakao_account?: {
    profile?: {
      nickname?: string
      thumbnail_image_url?: string
      profile_image_url?: string
      is_default_image?: boolean
    }
    name?: string
    email?: string
    is_email_valid?: boolean
    is_email_verified?: boolean
    [extra: string]: unknown
  }
}

/** Sign-in with Kakao. */
export function Kakao<P extends KakaoProfile = KakaoProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"kakao">> {
  return oauth(
    {
      id: "kakao",
      name: "Kakao",
      authorization: { url: "https://kauth.kakao.com/oauth/authorize", params: { scope: null } },
      token: "https://kauth.kakao.com/oauth/token",
      userinfo: "https://kapi.kakao.com/v2/user/me",
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.kakao_account?.profile?.nickname),
        email: textOf(profile.kakao_account?.email),
        image: textOf(profile.kakao_account?.profile?.profile_image_url),
      }),
      emailVerified: ({ kakao_account: account }) =>
        account?.is_email_verified === undefined
          ? undefined
          : account.is_email_valid === true && account.is_email_verified,
      style: { brandColor: "#fee500" },
      console: "https://developers.kakao.com/console/app",
      docs: "https://developers.kakao.com/docs/latest/en/kakaologin/rest-api",
      checked: "2026-11-21",
      notes: [
        "`clientId` is the REST API key.",
        "Choose in the console what the profile holds; no scope is sent, because Kakao refuses one that is not enabled (KOE205).",
        "Only business applications receive the e-mail address.",
      ],
    },
    config,
  )
}

export default Kakao
