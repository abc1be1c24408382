/** Battle.net. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/battlenet.js"
import { idOf, textOf } from "./parts/values.js"

/** What Battle.net says of a person. */
export interface BattleNetProfile extends FurtherClaims {
  sub: string
  battle_tag: string
  /** Spelling used by the userinfo endpoint. */
  battletag: string
  /** Userinfo. */
  id: number
}

/** The issuers there are. */
export type BattleNetIssuer =
  | "https://oauth.battle.net"
  | "https://oauth.battlenet.com.cn"
  | "https://www.battlenet.com.cn/oauth"
  | `https://${"us" | "eu" | "kr" | "tw"}.battle.net/oauth`

/** Sign-in with Battle.net. `issuer` chooses the region. */
export function BattleNet<P extends BattleNetProfile = BattleNetProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"battlenet">> {
  return oidc(
    {
      id: "battlenet",
      name: "Battle.net",
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.battle_tag, profile.battletag),
        email: null,
        image: null,
      }),
      style: { brandColor: "#148eff", logo: mark },
      console: "https://develop.battle.net/access/clients",
      docs: "https://develop.battle.net/documentation/guides/using-oauth",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://oauth.battle.net, or https://oauth.battlenet.com.cn in China.",
        "The profile has neither an e-mail address nor a picture.",
      ],
    },
    config,
  )
}

export default BattleNet
