/** Railway. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/railway.js"
import { idOf, textOf } from "./parts/values.js"

/** What Railway says of a person. */
export interface RailwayProfile extends FurtherClaims {
  sub: string
  email: string
  name: string
  picture: string
}

/** Sign-in with Railway. */
export function Railway(
  config: OAuthUserConfig<RailwayProfile> = {},
): OAuth2Config<RailwayProfile, UsualId<"railway">> {
  return oauth(
    {
      id: "railway",
      name: "Railway",
      authorization: { url: "https://backboard.railway.com/oauth/auth", params: { scope: "openid email profile" } },
      token: "https://backboard.railway.com/oauth/token",
      userinfo: "https://backboard.railway.com/oauth/me",
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: textOf(profile.picture),
      }),
      style: { brandColor: "#0b0d0e", logo: mark },
      console: "https://railway.com/workspace/developer",
      docs: "https://docs.railway.com/reference/oauth/login-with-railway",
      checked: "2026-11-21",
    },
    config,
  )
}

export default Railway
