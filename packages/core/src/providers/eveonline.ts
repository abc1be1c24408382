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

/** Options of {@link EVEOnline}. */
export type EVEOnlineUserConfig<P = EVEOnlineProfile> = OAuthUserConfig<P> & {
  /**
   * The id of an account has the owner of the character behind the character: whoever buys the character is somebody else.
   * Ids of accounts change when it is set.
   * @default false
   */
  separateOwners?: boolean
}

/** Sign-in with EVE Online. */
export function EVEOnline<P extends EVEOnlineProfile = EVEOnlineProfile>(
  config: EVEOnlineUserConfig<P> = {},
): OAuth2Config<P, UsualId<"eveonline">> {
  const { separateOwners = false, ...rest } = config
  return oauth(
    {
      id: "eveonline",
      name: "EVE Online",
      authorization: { url: "https://login.eveonline.com/v2/oauth/authorize", params: { scope: "publicData" } },
      token: "https://login.eveonline.com/v2/oauth/token",
      userinfo: { request: ({ tokens }) => claimsOf(tokens) },
      checks: ["state"],
      profile: (profile) => ({
        id: separateOwners ? characterOfOwner(profile) : character(profile),
        name: textOf(profile.name, profile.CharacterName),
        email: null,
        image: picture(profile),
      }),
      style: { brandColor: "#000000" },
      console: "https://developers.eveonline.com/applications",
      docs: "https://developers.eveonline.com/docs/services/sso/",
      checked: "2026-11-21",
      notes: [
        "An account is a character, not a person. Whoever buys the character signs in as its user. Set `separateOwners: true`: `owner`, which changes then, is a part of the id. Existing accounts have to be moved, as the page about users and accounts says.",
        "The profile is read from the access token, because the profile endpoint is being retired.",
      ],
    },
    rest as OAuthUserConfig<P>,
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

/** Without an owner there is no id. */
function characterOfOwner(profile: EVEOnlineProfile): string {
  const parts = [character(profile), idOf(profile.owner, profile.CharacterOwnerHash)]
  return parts.includes("") ? "" : parts.join(":")
}

function picture(profile: EVEOnlineProfile): string | null {
  const id = character(profile)
  return id === "" ? null : `https://images.evetech.net/characters/${id}/portrait?size=128`
}
