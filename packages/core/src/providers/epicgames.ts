/** Epic Games. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/epicgames.js"
import { idOf, textOf } from "./parts/values.js"

/** What Epic Games says of a person. */
export interface EpicGamesProfile extends FurtherClaims {
  sub: string
  preferred_username: string
}

/** Sign-in with Epic Games. */
export function EpicGames(
  config: OAuthUserConfig<EpicGamesProfile> = {},
): OAuth2Config<EpicGamesProfile, UsualId<"epicgames">> {
  return oauth(
    {
      id: "epicgames",
      name: "Epic Games",
      authorization: { url: "https://www.epicgames.com/id/authorize", params: { scope: "basic_profile" } },
      token: "https://api.epicgames.dev/epic/oauth/v2/token",
      userinfo: "https://api.epicgames.dev/epic/oauth/v2/userInfo",
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.preferred_username),
        email: null,
        image: null,
      }),
      style: { brandColor: "#2f2d2e", logo: mark },
      console: "https://dev.epicgames.com/portal",
      docs: "https://dev.epicgames.com/docs/web-api-ref/authentication",
      checked: "2026-11-21",
      notes: ["The profile has neither an e-mail address nor a picture."],
    },
    config,
  )
}

export default EpicGames
