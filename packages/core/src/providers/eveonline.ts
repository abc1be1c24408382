/** EVE Online. */
import { fromBase64url, fromUtf8 } from "../std/bytes.js"
import type { TokenSet } from "../types/identity.js"
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, membersOf, textOf } from "./parts/values.js"

/** What EVE Online says of a person. */
export interface EVEOnlineProfile extends FurtherClaims {
  /** `CHARACTER:EVE:<id>` */
  sub?: string
  name?: string
  /** Changes when the character is sold. */
  owner?: string
  scp?: string | string[]
  /** Of the answer that tokens have replaced. */
  CharacterID?: number
  CharacterName?: string
  CharacterOwnerHash?: string
}

/** Sign-in with EVE Online. */
export function EVEOnline<P extends EVEOnlineProfile = EVEOnlineProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"eveonline">> {
  return oauth(
    {
      id: "eveonline",
      name: "EVE Online",
      authorization: { url: "https://login.eveonline.com/v2/oauth/authorize", params: { scope: "publicData" } },
      token: "https://login.eveonline.com/v2/oauth/token",
      userinfo: { request: ({ tokens }) => claimsOf(tokens) },
      checks: ["state"],
      profile: (profile) => ({
        id: character(profile),
        name: textOf(profile.name, profile.CharacterName),
        email: null,
        image: picture(profile),
      }),
      style: { brandColor: "#000000" },
      console: "https://developers.eveonline.com/applications",
      docs: "https://developers.eveonline.com/docs/services/sso/",
      checked: "2026-11-21",
      notes: [
        "An account is a character, not a person. Whoever buys the character signs in as its user; `owner` changes then: keep it, and compare it in the signIn callback.",
        "The profile is read from the access token, because the profile endpoint is being retired.",
      ],
    },
    config,
  )
}

export default EVEOnline

/** The access token came straight from the token endpoint, over TLS and for our own code. */
function claimsOf({ access_token = "" }: TokenSet): EVEOnlineProfile {
  const claims: unknown = JSON.parse(fromUtf8(fromBase64url(access_token.split(".")[1] ?? "")))
  return { ...membersOf(claims) }
}

function character({ sub, CharacterID }: EVEOnlineProfile): string {
  return idOf(/^CHARACTER:EVE:(\d+)$/.exec(textOf(sub) ?? "")?.[1], CharacterID)
}

function picture(profile: EVEOnlineProfile): string | null {
  const id = character(profile)
  return id === "" ? null : `https://images.evetech.net/characters/${id}/portrait?size=128`
}
