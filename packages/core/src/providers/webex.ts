/** Webex. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What Webex says of a person. */
export interface WebexProfile extends FurtherClaims {
  id: string
  emails?: string[]
  displayName: string
  avatar: string
  nickName: string
  userName: string
  firstName: string
  lastName: string
  orgId: string
  created: string
  type: string
}

/** Options of {@link Webex}. */
export type WebexUserConfig<P = WebexProfile> = OAuthUserConfig<P> & {
  /** Root of the interface. @default "https://webexapis.com/v1" */
  apiBaseUrl?: string
}

/** Sign-in with Webex. */
export function Webex<P extends WebexProfile = WebexProfile>(
  config: WebexUserConfig<P> = {},
): OAuth2Config<P, UsualId<"webex">> {
  const { apiBaseUrl = "https://webexapis.com/v1", ...rest } = config
  const base = apiBaseUrl.replace(/\/+$/, "")
  return oauth(
    {
      id: "webex",
      name: "Webex",
      authorization: { url: `${base}/authorize`, params: { scope: "spark:kms spark:people_read" } },
      token: `${base}/access_token`,
      userinfo: `${base}/people/me`,
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.displayName),
        email: Array.isArray(profile.emails) ? textOf(profile.emails[0]) : null,
        image: textOf(profile.avatar),
      }),
      style: { brandColor: "#00bceb" },
      console: "https://developer.webex.com/my-apps",
      docs: "https://developer.webex.com/docs/login-with-webex",
      checked: "2026-11-21",
    },
    rest,
  )
}

export default Webex
