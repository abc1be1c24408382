/** Wikimedia. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/wikimedia.js"
import { idOf, textOf } from "./parts/values.js"

/** What Wikimedia says of a person. */
export interface WikimediaProfile extends FurtherClaims {
  sub: string
  username: string
  editcount: number
  confirmed_email: boolean
  blocked: boolean
  registered: string
  groups?: string[]
  rights?: string[]
  grants?: string[]
  realname: string
  email: string
}

/** Sign-in with Wikimedia. */
export function Wikimedia<P extends WikimediaProfile = WikimediaProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"wikimedia">> {
  return oauth(
    {
      id: "wikimedia",
      name: "Wikimedia",
      authorization: { url: "https://meta.wikimedia.org/w/rest.php/oauth2/authorize", params: { scope: null } },
      token: "https://meta.wikimedia.org/w/rest.php/oauth2/access_token",
      userinfo: "https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile",
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.username),
        email: textOf(profile.email),
        image: null,
      }),
      emailVerified: ({ confirmed_email }) => confirmed_email,
      style: { brandColor: "#000000", logo: mark },
      console: "https://meta.wikimedia.org/wiki/Special:OAuthConsumerRegistration",
      docs: "https://www.mediawiki.org/wiki/OAuth/For_Developers",
      checked: "2026-11-21",
      notes: [
        "Until the consumer is approved, only its owner can sign in.",
        "The e-mail address is included only if the consumer may read private information.",
      ],
    },
    config,
  )
}

export default Wikimedia
