/** Nextcloud. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/nextcloud.js"
import { ask } from "./parts/ask.js"
import { idOf, textOf } from "./parts/values.js"

/** What Nextcloud says of a person. */
export interface NextcloudProfile extends FurtherClaims {
  id: string
  email: string | null
  displayname: string
  phone: string
  address: string
  website: string
  twitter: string
  fediverse: string
  organisation: string
  role: string
  headline: string
  biography: string
  groups?: string[]
  language: string
  locale: string
  enabled: boolean
  storageLocation: string
  /** Added: where the picture is. */
  avatar_url?: string
}

/** Sign-in with Nextcloud. `issuer` is the URL of the instance. */
export function Nextcloud(
  config: OAuthUserConfig<NextcloudProfile> = {},
): OAuth2Config<NextcloudProfile, UsualId<"nextcloud">> {
  return oauth(
    {
      id: "nextcloud",
      name: "Nextcloud",
      authorization: "{issuer}/apps/oauth2/authorize",
      token: "{issuer}/apps/oauth2/api/v1/token",
      userinfo: {
        request: async ({ provider, tokens, fetch }) => {
          const person = idOf(tokens["user_id"])
          if (person === "") throw new Error("The token response of Nextcloud names no user.")
          const base = provider.issuer?.replace(/\/+$/, "")
          const { ocs } = await ask<{ ocs?: { data?: NextcloudProfile } }>({
            fetch,
            service: "Nextcloud",
            // The token response says who it is for.
            url: `${base}/ocs/v1.php/cloud/users/${encodeURIComponent(person)}`,
            token: tokens.access_token,
            headers: { "ocs-apirequest": "true" },
          })
          return { ...ocs?.data, avatar_url: `${base}/avatar/${encodeURIComponent(String(ocs?.data?.id))}/512` }
        },
      },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.displayname),
        email: textOf(profile.email),
        image: textOf(profile.avatar_url),
      }),
      style: { brandColor: "#0082c9", logo: mark },
      docs: "https://docs.nextcloud.com/server/latest/admin_manual/configuration_server/oauth2.html",
      checked: "2026-11-21",
      notes: ["`issuer` is the URL of the instance, with its path if it has one."],
    },
    config,
  )
}

export default Nextcloud
