/** Linear. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/linear.js"
import { ask } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What Linear says of a person. */
export interface LinearProfile extends FurtherClaims {
  data?: { viewer?: { id?: string; name?: string; email?: string; avatarUrl?: string; active?: boolean } }
}

const graph = "https://api.linear.app/graphql"
const query = "{ viewer { id name email avatarUrl active createdAt updatedAt } }"

/** Sign-in with Linear. */
export function Linear(config: OAuthUserConfig<LinearProfile> = {}): OAuth2Config<LinearProfile, UsualId<"linear">> {
  return oauth(
    {
      id: "linear",
      name: "Linear",
      authorization: { url: "https://linear.app/oauth/authorize", params: { scope: "read" } },
      token: "https://api.linear.app/oauth/token",
      userinfo: {
        url: graph,
        request: ({ tokens, fetch }) =>
          ask({ fetch, service: "Linear", url: graph, token: tokens.access_token, json: { query } }),
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.data?.viewer?.id),
        name: textOf(profile.data?.viewer?.name),
        email: textOf(profile.data?.viewer?.email),
        image: textOf(profile.data?.viewer?.avatarUrl),
      }),
      style: { brandColor: "#5e6ad2", logo: mark },
      console: "https://linear.app/settings/api/applications/new",
      docs: "https://linear.app/developers/oauth-2-0-authentication",
      checked: "2026-11-21",
      notes: ["`read` has to be among the scopes."],
    },
    config,
  )
}

export default Linear
