/** Vercel. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/vercel.js"
import { byClaim, idOf, textOf } from "./parts/values.js"

/** What Vercel says of a person. */
export interface VercelProfile extends FurtherClaims {
  sub: string
  name: string
  preferred_username: string
  email: string
  email_verified: boolean
  picture: string
}

/** Sign-in with Vercel. */
export function Vercel(config: OAuthUserConfig<VercelProfile> = {}): OAuth2Config<VercelProfile, UsualId<"vercel">> {
  return oauth(
    {
      id: "vercel",
      name: "Vercel",
      authorization: { url: "https://vercel.com/oauth/authorize", params: { scope: "openid email profile" } },
      token: "https://api.vercel.com/login/oauth/token",
      userinfo: "https://api.vercel.com/login/oauth/userinfo",
      client: { token_endpoint_auth_method: "client_secret_post" },
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.name, profile.preferred_username),
        email: textOf(profile.email),
        image: textOf(profile.picture),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#000000", logo: mark },
      console: "https://vercel.com/dashboard",
      docs: "https://vercel.com/docs/sign-in-with-vercel",
      checked: "2026-11-21",
      notes: ["The settings of the application decide what the profile holds."],
    },
    config,
  )
}

export default Vercel
