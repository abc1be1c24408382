/** Withings. */
import type { TokenSet } from "../types/identity.js"
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { askForTokens, type CodeExchange, codeForm, secretOf } from "./parts/ask.js"
import { idOf } from "./parts/values.js"

/** What Withings says of a person. */
export interface WithingsProfile extends FurtherClaims {
  userid: string | number
}

const tokens = "https://wbsapi.withings.net/v2/oauth2"

/** Sign-in with Withings. */
export function Withings(
  config: OAuthUserConfig<WithingsProfile> = {},
): OAuth2Config<WithingsProfile, UsualId<"withings">> {
  return oauth(
    {
      id: "withings",
      name: "Withings",
      authorization: { url: "https://account.withings.com/oauth2_user/authorize2", params: { scope: "user.info" } },
      token: { url: tokens, request: exchange },
      userinfo: {
        // Withings says nothing about a person but the id in the token response.
        request: ({ tokens: answer }) => ({ userid: answer["userid"] }),
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.userid),
        name: null,
        email: null,
        image: null,
      }),
      style: { brandColor: "#00b8c4" },
      console: "https://developer.withings.com/dashboard/",
      docs: "https://developer.withings.com/api-reference/#tag/oauth2",
      checked: "2026-11-21",
      notes: ["The profile has only an id: no name, e-mail address or picture.", "Scopes are separated by commas."],
    },
    config,
  )
}

export default Withings

/** The form names an action; the answer always has status 200 and nests what it tells. */
function exchange(given: CodeExchange): Promise<{ tokens: TokenSet }> {
  const { provider, fetch } = given
  const client = { action: "requesttoken", client_id: provider.clientId, client_secret: secretOf(provider) }
  return askForTokens({ fetch, service: "Withings", url: tokens, form: { ...client, ...codeForm(given) } }, (body) =>
    body["status"] === 0 ? body["body"] : { error: `withings_${body["status"]}`, error_description: body["error"] },
  )
}
