/** Dropbox. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/dropbox.js"
import { ask } from "./parts/ask.js"
import { byClaim, idOf, textOf } from "./parts/values.js"

/** What Dropbox says of a person. */
export interface DropboxProfile extends FurtherClaims {
  account_id: string
  name?: { given_name: string; surname: string; familiar_name: string; display_name: string; abbreviated_name: string }
  email: string
  email_verified: boolean
  profile_photo_url: string
  disabled: boolean
  country: string
  locale: string
  referral_link: string
  is_paired: boolean
  account_type?: { ".tag": string }
  root_info?: Record<string, unknown>
}

const account = "https://api.dropboxapi.com/2/users/get_current_account"

/** Sign-in with Dropbox. */
export function Dropbox(
  config: OAuthUserConfig<DropboxProfile> = {},
): OAuth2Config<DropboxProfile, UsualId<"dropbox">> {
  return oauth(
    {
      id: "dropbox",
      name: "Dropbox",
      authorization: {
        url: "https://www.dropbox.com/oauth2/authorize",
        params: { token_access_type: "offline", scope: "account_info.read" },
      },
      token: "https://api.dropboxapi.com/oauth2/token",
      userinfo: {
        url: account,
        // A call without arguments: a POST that has no body and no type.
        request: ({ tokens, fetch }) =>
          ask({ fetch, service: "Dropbox", url: account, token: tokens.access_token, method: "POST" }),
      },
      profile: (profile) => ({
        id: idOf(profile.account_id),
        name: textOf(profile.name?.display_name),
        email: textOf(profile.email),
        image: textOf(profile.profile_photo_url),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#0061fe", logo: mark },
      console: "https://www.dropbox.com/developers/apps",
      docs: "https://developers.dropbox.com/oauth-guide",
      checked: "2026-11-21",
      notes: ['`token_access_type: "online"` leaves out the refresh token.'],
    },
    config,
  )
}

export default Dropbox
