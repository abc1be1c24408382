/** start.gg. */
import type { TokenSet } from "../types/identity.js"
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/startgg.js"
import { ask, askForTokens, type CodeExchange, codeForm, secretOf } from "./parts/ask.js"
import { entriesOf, idOf, textOf } from "./parts/values.js"

/** What start.gg says of a person. */
export interface StartGGProfile extends FurtherClaims {
  data?: {
    currentUser?: {
      id?: number
      slug?: string
      email?: string
      player?: { gamerTag?: string } | null
      images?: { url?: string }[]
    }
  }
}

const tokens = "https://api.start.gg/oauth/access_token"
const graph = "https://api.start.gg/gql/alpha"
const scope = "user.identity user.email"
const query = '{ currentUser { id slug email player { gamerTag } images(type: "profile") { url } } }'

/** Sign-in with start.gg. */
export function StartGG(
  config: OAuthUserConfig<StartGGProfile> = {},
): OAuth2Config<StartGGProfile, UsualId<"startgg">> {
  return oauth(
    {
      id: "startgg",
      name: "start.gg",
      authorization: { url: "https://start.gg/oauth/authorize", params: { scope } },
      token: { url: tokens, request: exchange },
      userinfo: {
        url: graph,
        request: ({ tokens: { access_token: token }, fetch }) =>
          ask({ fetch, service: "start.gg", url: graph, token, json: { query } }),
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.data?.currentUser?.id),
        name: textOf(profile.data?.currentUser?.player?.gamerTag, profile.data?.currentUser?.slug),
        email: textOf(profile.data?.currentUser?.email),
        image: textOf(entriesOf(profile.data?.currentUser?.images)[0]?.url),
      }),
      style: { brandColor: "#3f80ff", logo: mark },
      console: "https://start.gg/admin/profile/developer",
      docs: "https://developer.start.gg/docs/oauth/oauth-overview/",
      checked: "2026-11-21",
      notes: ["The token request repeats the scopes: always these two, also if you set others."],
    },
    config,
  )
}

export default StartGG

/** The scope is part of the token request. */
function exchange(given: CodeExchange): Promise<{ tokens: TokenSet }> {
  const { provider, fetch } = given
  const client = { client_id: provider.clientId, client_secret: secretOf(provider), scope }
  return askForTokens({ fetch, service: "start.gg", url: tokens, form: { ...client, ...codeForm(given) } })
}
