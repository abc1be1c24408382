/** Mailchimp. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { ask } from "./parts/ask.js"
import { normaliseTokens } from "./parts/tokens.js"
import { rawIdOf, textOf } from "./parts/values.js"

/** What Mailchimp says of a person. */
export interface MailchimpProfile extends FurtherClaims {
  /** Data centre. */
  dc: string
  role: string
  accountname: string
  user_id: number
  login?: { email: string; avatar: string | null; login_id: number; login_name: string; login_email: string }
  login_url: string
  api_endpoint: string
}

const metadata = "https://login.mailchimp.com/oauth2/metadata"

/** Sign-in with Mailchimp. */
export function Mailchimp(
  config: OAuthUserConfig<MailchimpProfile> = {},
): OAuth2Config<MailchimpProfile, UsualId<"mailchimp">> {
  return oauth(
    {
      id: "mailchimp",
      name: "Mailchimp",
      authorization: "https://login.mailchimp.com/oauth2/authorize",
      token: { url: "https://login.mailchimp.com/oauth2/token", conform: normaliseTokens },
      userinfo: {
        url: metadata,
        request: ({ tokens, fetch }) => {
          const headers = { authorization: `OAuth ${tokens.access_token}` }
          return ask({ fetch, service: "Mailchimp", url: metadata, headers })
        },
      },
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: rawIdOf(profile.login?.login_id),
        name: textOf(profile.accountname),
        email: textOf(profile.login?.email),
        image: null,
      }),
      style: { brandColor: "#ffe01b" },
      console: "https://admin.mailchimp.com/account/oauth2/",
      docs: "https://mailchimp.com/developer/marketing/guides/access-user-data-oauth-2/",
      checked: "2026-11-21",
      notes: [
        "On your own machine the callback is written with 127.0.0.1, not localhost.",
        "Tokens do not expire. `api_endpoint` of the profile is the API host of the account.",
      ],
    },
    config,
  )
}

export default Mailchimp
