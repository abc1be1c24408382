/** Shikimori. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { ask } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What Shikimori says of a person. */
export interface ShikimoriProfile extends FurtherClaims {
  id: number
  nickname: string
  avatar: string
  image?: Record<string, string>
  last_online_at: string
  url: string
  name: string | null
  sex: string | null
  website: string | null
  birth_on: string | null
  full_years: number | null
  locale: string
}

/** Options of {@link Shikimori}. */
export type ShikimoriUserConfig = OAuthUserConfig<ShikimoriProfile> & {
  /** @default "https://shikimori.io" */
  baseUrl?: string
  /** Name of the registration. @default "latchkey" */
  applicationName?: string
}

/** Sign-in with Shikimori. */
export function Shikimori(config: ShikimoriUserConfig = {}): OAuth2Config<ShikimoriProfile, UsualId<"shikimori">> {
  const { baseUrl = "https://shikimori.io", applicationName = "latchkey", ...rest } = config
  const base = baseUrl.replace(/\/+$/, "")
  return oauth(
    {
      id: "shikimori",
      name: "Shikimori",
      authorization: { url: `${base}/oauth/authorize`, params: { scope: "user_rates" } },
      token: `${base}/oauth/token`,
      userinfo: {
        url: `${base}/api/users/whoami`,
        request: ({ tokens, fetch }) =>
          ask({
            fetch,
            service: "Shikimori",
            url: `${base}/api/users/whoami`,
            token: tokens.access_token,
            headers: { "user-agent": applicationName },
          }),
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.nickname),
        email: null,
        image: textOf(profile.image?.x160, profile.avatar),
      }),
      style: { brandColor: "#343434" },
      console: "https://shikimori.io/oauth/applications",
      docs: "https://shikimori.io/oauth",
      checked: "2026-11-21",
      notes: [
        "`applicationName` is the registered name of the application: calls with another name are refused.",
        "The host has moved several times; `baseUrl` changes it. The profile has no e-mail address.",
      ],
    },
    rest,
  )
}

export default Shikimori
