/** Lichess. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/lichess.js"
import { ask } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What Lichess says of a person. */
export interface LichessProfile extends FurtherClaims {
  id: string
  username: string
  perfs?: Record<string, unknown>
  createdAt: number
  profile?: { country?: string; location?: string; bio?: string; realName?: string }
  url: string
  seenAt: number
  patron: boolean
  title: string
  /** Added from an answer of its own. */
  email?: string
}

const account = "https://lichess.org/api/account"

/** Sign-in with Lichess. */
export function Lichess(
  config: OAuthUserConfig<LichessProfile> = {},
): OAuth2Config<LichessProfile, UsualId<"lichess">> {
  return oauth(
    {
      id: "lichess",
      name: "Lichess",
      authorization: { url: "https://lichess.org/oauth", params: { scope: "email:read" } },
      token: "https://lichess.org/api/token",
      userinfo: {
        url: account,
        request: async ({ tokens, fetch }) => {
          const given = { fetch, service: "Lichess", token: tokens.access_token }
          const profile = await ask<LichessProfile>({ ...given, url: account })
          // Without its scope the address is refused.
          const { email } = await ask<{ email?: string }>({ ...given, url: `${account}/email` }).catch(() => ({
            email: undefined,
          }))
          return { ...profile, ...(email !== undefined && { email }) }
        },
      },
      client: { token_endpoint_auth_method: "none" },
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.username),
        email: textOf(profile.email),
        image: null,
      }),
      style: { brandColor: "#000000", logo: mark },
      docs: "https://lichess.org/api#tag/OAuth",
      checked: "2026-11-21",
      notes: [
        "There is no registration: `clientId` is any string that names your application, and there is no secret.",
      ],
    },
    config,
  )
}

export default Lichess
