/** Bitbucket. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/bitbucket.js"
import { ask } from "./parts/ask.js"
import { byClaim, entriesOf, idOf, textOf } from "./parts/values.js"

/** What Bitbucket says of a person. */
export interface BitbucketProfile extends FurtherClaims {
  display_name: string
  links?: Record<string, { href?: string } | undefined>
  created_on: string
  type: string
  /** In braces. */
  uuid: string
  has_2fa_enabled: boolean | null
  username: string
  is_staff: boolean
  account_id: string
  nickname: string
  account_status: string
  location: string | null
  /** The primary address, from the list of addresses. */
  email?: string
  /** Set beside the address. */
  email_verified?: boolean
}

/** An entry of a person's list of addresses. */
export interface BitbucketEmail {
  email: string
  is_primary: boolean
  is_confirmed: boolean
}

const person = "https://api.bitbucket.org/2.0/user"

/** Sign-in with Bitbucket. */
export function Bitbucket(
  config: OAuthUserConfig<BitbucketProfile> = {},
): OAuth2Config<BitbucketProfile, UsualId<"bitbucket">> {
  return oauth(
    {
      id: "bitbucket",
      name: "Bitbucket",
      authorization: { url: "https://bitbucket.org/site/oauth2/authorize", params: { scope: "account" } },
      token: "https://bitbucket.org/site/oauth2/access_token",
      userinfo: {
        url: person,
        request: async ({ tokens, fetch }) => {
          const given = { fetch, service: "Bitbucket", token: tokens.access_token }
          const profile = await ask<BitbucketProfile>({ ...given, url: person })
          // The address stands in a list of its own, which an application may not be allowed to read.
          const list = await ask<{ values?: BitbucketEmail[] }>({ ...given, url: `${person}/emails` }).catch(
            () => undefined,
          )
          const primary = entriesOf(list?.values).find(({ is_primary }) => is_primary === true)
          return primary ? { ...profile, email: primary.email, email_verified: primary.is_confirmed === true } : profile
        },
      },
      profile: (profile) => ({
        id: idOf(profile.account_id),
        name: textOf(profile.display_name, profile.username),
        email: textOf(profile.email),
        image: textOf(profile.links?.avatar?.href),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#205081", logo: mark },
      console: "https://bitbucket.org/account/workspaces/",
      docs: "https://support.atlassian.com/bitbucket-cloud/docs/use-oauth-on-bitbucket-cloud/",
      checked: "2026-11-21",
      notes: ["The consumer needs the permission to read the account and its addresses."],
    },
    config,
  )
}

export default Bitbucket
