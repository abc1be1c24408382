/** Eventbrite. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { entriesOf, idOf, textOf } from "./parts/values.js"

/** What Eventbrite says of a person. */
export interface EventbriteProfile extends FurtherClaims {
  id: string
  name: string
  first_name: string
  last_name: string
  emails?: { email: string; verified: boolean; primary: boolean }[]
  image_id: string
}

/** Sign-in with Eventbrite. */
export function Eventbrite<P extends EventbriteProfile = EventbriteProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"eventbrite">> {
  return oauth(
    {
      id: "eventbrite",
      name: "Eventbrite",
      authorization: { url: "https://www.eventbrite.com/oauth/authorize", params: { scope: "user.profile" } },
      token: "https://www.eventbrite.com/oauth/token",
      userinfo: "https://www.eventbriteapi.com/v3/users/me/",
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name),
        email: textOf(primary(profile)?.email),
        image: picture(profile),
      }),
      emailVerified: (profile) => primary(profile)?.verified,
      style: { brandColor: "#f05537" },
      console: "https://www.eventbrite.com/account-settings/apps",
      docs: "https://www.eventbrite.com/platform/api#/introduction/authentication",
      checked: "2026-11-21",
    },
    config,
  )
}

export default Eventbrite

function primary({ emails }: EventbriteProfile): { email: string; verified: boolean } | undefined {
  return entriesOf(emails).find((entry) => entry.primary === true)
}

function picture({ image_id }: EventbriteProfile): string | null {
  const id = textOf(image_id)
  return id && `https://img.evbuc.com/${encodeURIComponent(`https://cdn.evbuc.com/images/${id}/1/original.jpg`)}`
}
