/** Notion. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/notion.js"
import { ask } from "./parts/ask.js"
import { normaliseTokens } from "./parts/tokens.js"
import { idOf, membersOf, textOf } from "./parts/values.js"

/** What Notion says of a person. */
export interface NotionProfile extends FurtherClaims {
  /** `user` */
  object: string
  id: string
  /** `person` */
  type: string
  name: string
  avatar_url: string | null
  person?: { email?: string }
}

/** Options of {@link NotionProvider}. */
export type NotionProviderUserConfig<P = NotionProfile> = OAuthUserConfig<P> & {
  /** Taken for compatibility: the callback of the application is used. */
  redirectUri?: string
}

/** Sign-in with Notion. */
export function NotionProvider<P extends NotionProfile = NotionProfile>(
  config: NotionProviderUserConfig<P> = {},
): OAuth2Config<P, UsualId<"notion">> {
  const { redirectUri: _, ...rest } = config
  const bot = "https://api.notion.com/v1/users/me"
  return oauth(
    {
      id: "notion",
      name: "Notion",
      authorization: { url: "https://api.notion.com/v1/oauth/authorize", params: { owner: "user" } },
      token: { url: "https://api.notion.com/v1/oauth/token", conform: normaliseTokens },
      userinfo: {
        url: bot,
        request: async ({ tokens, fetch }) => {
          // The token response tells the person already; the token itself belongs to a bot.
          const user = userOf(tokens["owner"])
          if (user) return user
          const headers = { "notion-version": "2022-06-28" }
          const answer = await ask({ fetch, service: "Notion", url: bot, token: tokens.access_token, headers })
          return userOf(membersOf(membersOf(answer)["bot"])["owner"]) ?? {}
        },
      },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name),
        email: textOf(profile.person?.email),
        image: textOf(profile.avatar_url),
      }),
      style: { brandColor: "#000000", logo: mark },
      console: "https://www.notion.so/my-integrations",
      docs: "https://developers.notion.com/docs/authorization",
      checked: "2026-11-21",
      notes: [
        "The integration has to be public, with the capability to read users including addresses.",
        "The profile of an integration that a whole workspace owns is not a person.",
      ],
    },
    rest,
  )
}

export default NotionProvider

function userOf(owner: unknown): object | undefined {
  const { user } = membersOf(owner)
  return typeof user === "object" && user !== null ? user : undefined
}
