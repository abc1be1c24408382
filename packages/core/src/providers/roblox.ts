/** Roblox. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/roblox.js"

/** What Roblox says of a person. */
export interface RobloxProfile extends FurtherClaims {
  sub: string
  name: string
  nickname: string
  preferred_username: string
  created_at: number
  profile: string
  picture: string | null
}

/** Sign-in with Roblox. */
export function Roblox(config: OIDCUserConfig<RobloxProfile> = {}): OIDCConfig<RobloxProfile, UsualId<"roblox">> {
  return oidc(
    {
      id: "roblox",
      name: "Roblox",
      issuer: "https://apis.roblox.com/oauth/",
      authorization: { params: { scope: "openid profile" } },
      checks: ["pkce", "state"],
      style: { brandColor: "#335fff", logo: mark },
      console: "https://create.roblox.com/dashboard/credentials",
      docs: "https://create.roblox.com/docs/cloud/reference/oauth2",
      checked: "2026-11-21",
      notes: [
        "The profile has no e-mail address.",
        "`name` is the display name; `preferred_username` the name of the account.",
      ],
    },
    config,
  )
}

export default Roblox
