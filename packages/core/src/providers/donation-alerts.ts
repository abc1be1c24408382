/** DonationAlerts. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What DonationAlerts says of a person. */
export interface DonationAlertsProfile extends FurtherClaims {
  data?: {
    id: number
    code: string
    name: string
    avatar: string
    email: string
    language: string
    socket_connection_token: string
  }
}

/** Sign-in with DonationAlerts. */
export function DonationAlerts(
  config: OAuthUserConfig<DonationAlertsProfile> = {},
): OAuth2Config<DonationAlertsProfile, UsualId<"donation-alerts">> {
  return oauth(
    {
      id: "donation-alerts",
      name: "DonationAlerts",
      authorization: { url: "https://www.donationalerts.com/oauth/authorize", params: { scope: "oauth-user-show" } },
      token: "https://www.donationalerts.com/oauth/token",
      userinfo: "https://www.donationalerts.com/api/v1/user/oauth",
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.data?.id),
        name: textOf(profile.data?.name),
        email: textOf(profile.data?.email),
        image: textOf(profile.data?.avatar),
      }),
      style: { brandColor: "#f57d07" },
      console: "https://www.donationalerts.com/application/clients",
      docs: "https://www.donationalerts.com/apidoc",
      checked: "2026-11-21",
      notes: ["Renewing a token repeats the scope."],
    },
    config,
  )
}

export default DonationAlerts
