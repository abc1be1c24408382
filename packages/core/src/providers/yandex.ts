/** Yandex. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What Yandex says of a person. */
export interface YandexProfile extends FurtherClaims {
  login: string
  id: string
  client_id: string
  psuid: string
  emails?: string[]
  default_email: string
  is_avatar_empty: boolean
  default_avatar_id: string
  birthday: string | null
  first_name: string
  last_name: string
  display_name: string
  real_name: string
  sex: "male" | "female" | null
  default_phone?: { id: number; number: string }
}

/** Sign-in with Yandex. */
export function Yandex(config: OAuthUserConfig<YandexProfile> = {}): OAuth2Config<YandexProfile, UsualId<"yandex">> {
  return oauth(
    {
      id: "yandex",
      name: "Yandex",
      authorization: {
        url: "https://oauth.yandex.ru/authorize",
        params: { scope: "login:info login:email login:avatar" },
      },
      token: "https://oauth.yandex.ru/token",
      userinfo: { url: "https://login.yandex.ru/info", params: { format: "json" } },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.display_name, profile.real_name, profile.first_name),
        email: textOf(profile.default_email, Array.isArray(profile.emails) ? profile.emails[0] : null),
        image: picture(profile),
      }),
      style: { brandColor: "#ffcc00" },
      console: "https://oauth.yandex.com/client/new",
      docs: "https://yandex.com/dev/id/doc/en/",
      checked: "2026-11-21",
      notes: ["The scopes have to be enabled for the application."],
    },
    config,
  )
}

export default Yandex

function picture({ is_avatar_empty, default_avatar_id }: YandexProfile): string | null {
  const id = is_avatar_empty === true ? null : textOf(default_avatar_id)
  return id && `https://avatars.yandex.net/get-yapic/${id}/islands-200`
}
