/** Zoho. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { normaliseTokens } from "./parts/tokens.js"
import { joined, rawIdOf, textOf } from "./parts/values.js"

/** What Zoho says of a person. */
export interface ZohoProfile extends FurtherClaims {
  First_Name: string
  Last_Name: string
  Email: string
  Display_Name: string
  ZUID: number
}

/** Options of {@link Zoho}. */
export type ZohoUserConfig = OAuthUserConfig<ZohoProfile> & {
  /** Where the accounts live. @default "https://accounts.zoho.com" */
  accountsServer?: string
}

/** Sign-in with Zoho. */
export function Zoho(config: ZohoUserConfig = {}): OAuth2Config<ZohoProfile, UsualId<"zoho">> {
  const { accountsServer = "https://accounts.zoho.com", ...rest } = config
  const accounts = accountsServer.replace(/\/+$/, "")
  return oauth(
    {
      id: "zoho",
      name: "Zoho",
      authorization: { url: `${accounts}/oauth/v2/auth`, params: { scope: "AaaServer.profile.Read" } },
      token: { url: `${accounts}/oauth/v2/token`, conform: normaliseTokens },
      userinfo: `${accounts}/oauth/user/info`,
      profile: (profile) => ({
        id: rawIdOf(profile.ZUID),
        name: joined(profile.First_Name, profile.Last_Name),
        email: textOf(profile.Email),
        image: null,
      }),
      style: { brandColor: "#c8202f" },
      console: "https://api-console.zoho.com",
      docs: "https://www.zoho.com/accounts/protocol/oauth/web-server-applications.html",
      checked: "2026-11-21",
      notes: [
        "`accountsServer` is the data centre of the people who sign in: https://accounts.zoho.eu, .in, .com.au, .jp, .sa, .uk, or https://accounts.zohocloud.ca.",
        'Scopes are separated by commas; `access_type: "offline"` asks for a refresh token.',
      ],
    },
    rest,
  )
}

export default Zoho
