/** Coinbase. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/coinbase.js"
import { idOf, textOf } from "./parts/values.js"

/** What Coinbase says of a person. */
export interface CoinbaseProfile extends FurtherClaims {
  data?: {
    id: string
    name: string
    username?: string | null
    profile_location?: string | null
    profile_bio?: string | null
    profile_url?: string | null
    avatar_url: string
    resource: string
    resource_path: string
    email?: string
    time_zone?: string
    native_currency?: string
    country?: Record<string, unknown>
    created_at?: string
  }
}

/** Sign-in with Coinbase. */
export function Coinbase(
  config: OAuthUserConfig<CoinbaseProfile> = {},
): OAuth2Config<CoinbaseProfile, UsualId<"coinbase">> {
  return oauth(
    {
      id: "coinbase",
      name: "Coinbase",
      authorization: {
        url: "https://login.coinbase.com/oauth2/auth",
        params: { scope: "wallet:user:email wallet:user:read" },
      },
      token: "https://login.coinbase.com/oauth2/token",
      userinfo: "https://api.coinbase.com/v2/user",
      client: { token_endpoint_auth_method: "client_secret_post" },
      profile: (profile) => ({
        id: idOf(profile.data?.id),
        name: textOf(profile.data?.name),
        email: textOf(profile.data?.email),
        image: textOf(profile.data?.avatar_url),
      }),
      style: { brandColor: "#0052ff", logo: mark },
      console: "https://www.coinbase.com/settings/api",
      docs: "https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/overview",
      checked: "2026-11-21",
      notes: ["New applications are for approved partners only.", "A refresh token needs the scope `offline_access`."],
    },
    config,
  )
}

export default Coinbase
