/** Spotify. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/spotify.js"
import { entriesOf, idOf, textOf } from "./parts/values.js"

/** What Spotify says of a person. */
export interface SpotifyProfile extends FurtherClaims {
  id: string
  display_name: string
  email: string
  images?: { url: string }[]
  href: string
  uri: string
  type: string
  external_urls?: Record<string, unknown>
  /** Removed for development-mode apps. */
  country: string
  /** Removed for development-mode apps. */
  product: string
}

/** Sign-in with Spotify. */
export function Spotify<P extends SpotifyProfile = SpotifyProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"spotify">> {
  return oauth(
    {
      id: "spotify",
      name: "Spotify",
      authorization: { url: "https://accounts.spotify.com/authorize", params: { scope: "user-read-email" } },
      token: "https://accounts.spotify.com/api/token",
      userinfo: "https://api.spotify.com/v1/me",
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.display_name),
        email: textOf(profile.email),
        image: textOf(entriesOf(profile.images)[0]?.url),
      }),
      // Spotify does not prove addresses.
      emailVerified: () => false,
      style: { brandColor: "#1db954", logo: mark },
      console: "https://developer.spotify.com/dashboard",
      docs: "https://developer.spotify.com/documentation/web-api/concepts/authorization",
      checked: "2026-11-21",
      notes: [
        "An application in development mode receives no e-mail address.",
        "On your own machine the callback is written http://127.0.0.1:<port>: localhost is refused.",
      ],
    },
    config,
  )
}

export default Spotify
