/** Foursquare. */
import { withParams } from "../std/url.js"
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/foursquare.js"
import { ask } from "./parts/ask.js"
import { normaliseTokens } from "./parts/tokens.js"
import { idOf, joined, textOf } from "./parts/values.js"

/** What Foursquare says of a person. */
export interface FoursquareProfile extends FurtherClaims {
  meta?: { code: number; requestId: string }
  response?: {
    user?: {
      id?: string
      firstName?: string
      lastName?: string
      photo?: { prefix?: string; suffix?: string }
      contact?: { email?: string; twitter?: string; facebook?: string; verifiedPhone?: string }
      [extra: string]: unknown
    }
  }
}

/** Options of {@link Foursquare}. */
export type FoursquareUserConfig = OAuthUserConfig<FoursquareProfile> & {
  /** Date of the interface, as YYYYMMDD. @default "20230131" */
  apiVersion?: string
}

/** Sign-in with Foursquare. */
export function Foursquare(config: FoursquareUserConfig = {}): OAuth2Config<FoursquareProfile, UsualId<"foursquare">> {
  const { apiVersion = "20230131", ...rest } = config
  const person = "https://api.foursquare.com/v2/users/self"
  return oauth(
    {
      id: "foursquare",
      name: "Foursquare",
      authorization: "https://foursquare.com/oauth2/authenticate",
      token: { url: "https://foursquare.com/oauth2/access_token", conform: normaliseTokens },
      userinfo: {
        url: person,
        // The token stands in the address, beside the date of the interface.
        request: ({ tokens, fetch }) =>
          ask({
            fetch,
            service: "Foursquare",
            url: withParams(person, { v: apiVersion, oauth_token: tokens.access_token }),
          }),
      },
      profile: ({ response }) => ({
        id: idOf(response?.user?.id),
        name: joined(response?.user?.firstName, response?.user?.lastName),
        email: textOf(response?.user?.contact?.email),
        image: picture(response?.user?.photo),
      }),
      style: { brandColor: "#f94877", logo: mark },
      console: "https://foursquare.com/developers/apps",
      docs: "https://docs.foursquare.com/developer/docs/using-oauth-authentication",
      checked: "2026-11-21",
      notes: ["Signing in belongs to the earlier API (v2), which new projects may not get."],
    },
    rest,
  )
}

export default Foursquare

function picture(photo: { prefix?: string; suffix?: string } | undefined): string | null {
  const [prefix, suffix] = [textOf(photo?.prefix), textOf(photo?.suffix)]
  return prefix && suffix && `${prefix}original${suffix}`
}
