/** Figma. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/figma.js"
import { idOf, textOf } from "./parts/values.js"

/** What Figma says of a person. */
export interface FigmaProfile extends FurtherClaims {
  id: string
  email: string
  handle: string
  img_url: string
}

/** Sign-in with Figma. */
export function Figma(config: OAuthUserConfig<FigmaProfile> = {}): OAuth2Config<FigmaProfile, UsualId<"figma">> {
  return oauth(
    {
      id: "figma",
      name: "Figma",
      authorization: { url: "https://www.figma.com/oauth", params: { scope: "files:read" } },
      token: "https://api.figma.com/v1/oauth/token",
      userinfo: "https://api.figma.com/v1/me",
      checks: ["state", "pkce"],
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.handle),
        email: textOf(profile.email),
        image: textOf(profile.img_url),
      }),
      style: { brandColor: "#f24e1e", logo: mark },
      console: "https://www.figma.com/developers/apps",
      docs: "https://developers.figma.com/docs/rest-api/scopes/",
      checked: "2026-11-21",
      notes: [
        '`files:read` is deprecated. An application with narrower scopes sets `authorization: { params: { scope: "current_user:read" } }`, which is all that sign-in needs.',
      ],
    },
    config,
  )
}

export default Figma
