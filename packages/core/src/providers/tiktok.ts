/** TikTok. */
import type { TokenSet } from "../types/identity.js"
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/tiktok.js"
import { askForTokens, type CodeExchange, codeForm, secretOf } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What TikTok says of a person. */
export interface TiktokProfile extends FurtherClaims {
  data?: {
    user?: {
      /** The person, for this application. */
      open_id?: string
      /** The person, for all applications of one developer. */
      union_id?: string
      avatar_url?: string
      display_name?: string
      username?: string
      [extra: string]: unknown
    }
  }
  /** Stands beside a success as well, with the code `ok`. */
  error?: { code: string; message: string; log_id: string }
}

const tokens = "https://open.tiktokapis.com/v2/oauth/token/"

/** Sign-in with TikTok. */
export function TikTok(config: OAuthUserConfig<TiktokProfile> = {}): OAuth2Config<TiktokProfile, UsualId<"tiktok">> {
  return oauth(
    {
      id: "tiktok",
      name: "TikTok",
      authorization: {
        url: "https://www.tiktok.com/v2/auth/authorize",
        params: { client_key: "{clientId}", scope: "user.info.basic" },
      },
      token: { url: tokens, request: exchange },
      userinfo: {
        url: "https://open.tiktokapis.com/v2/user/info/",
        params: { fields: "open_id,avatar_url,display_name" },
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: idOf(profile.data?.user?.open_id),
        name: textOf(profile.data?.user?.display_name),
        email: null,
        image: textOf(profile.data?.user?.avatar_url),
      }),
      style: { brandColor: "#000000", logo: mark },
      console: "https://developers.tiktok.com/apps/",
      docs: "https://developers.tiktok.com/doc/login-kit-web/",
      checked: "2026-11-21",
      notes: [
        "`clientId` is the client key.",
        "Further fields need further scopes (user.info.profile, user.info.stats), separated by commas, and `fields` of `userinfo`.",
        "The callback has to be https and not localhost. The profile has no e-mail address.",
      ],
    },
    config,
  )
}

export default TikTok

/** The client has another name there, and a charset behind the type of the form is refused. */
function exchange(given: CodeExchange): Promise<{ tokens: TokenSet }> {
  const { provider, fetch } = given
  const client = { client_key: provider.clientId, client_secret: secretOf(provider) }
  return askForTokens({ fetch, service: "TikTok", url: tokens, form: { ...client, ...codeForm(given) } })
}
