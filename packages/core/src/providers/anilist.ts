/** AniList. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/anilist.js"
import { ask } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What AniList says of a person. */
export interface AniListProfile extends FurtherClaims {
  data?: { Viewer?: { id?: number; name?: string; avatar?: { large?: string; medium?: string }; siteUrl?: string } }
}

const graph = "https://graphql.anilist.co"
const query = "{ Viewer { id name avatar { large } siteUrl } }"

/** Sign-in with AniList. */
export function AniList(
  config: OAuthUserConfig<AniListProfile> = {},
): OAuth2Config<AniListProfile, UsualId<"anilist">> {
  return oauth(
    {
      id: "anilist",
      name: "AniList",
      authorization: { url: "https://anilist.co/api/v2/oauth/authorize", params: { scope: null } },
      token: "https://anilist.co/api/v2/oauth/token",
      userinfo: {
        url: graph,
        request: ({ tokens, fetch }) =>
          ask({ fetch, service: "AniList", url: graph, token: tokens.access_token, json: { query } }),
      },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.data?.Viewer?.id),
        name: textOf(profile.data?.Viewer?.name),
        email: null,
        image: textOf(profile.data?.Viewer?.avatar?.large),
      }),
      style: { brandColor: "#02a9ff", logo: mark },
      console: "https://anilist.co/settings/developer",
      docs: "https://docs.anilist.co/guide/auth/authorization-code",
      checked: "2026-11-21",
      notes: ["The profile has no e-mail address. Tokens last a year and cannot be renewed."],
    },
    config,
  )
}

export default AniList
