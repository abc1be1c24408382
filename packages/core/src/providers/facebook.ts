/** Facebook. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/facebook.js"
import { idOf, textOf } from "./parts/values.js"

/** What Facebook says of a person. */
export interface FacebookProfile extends FurtherClaims {
  id: string
  name: string
  email: string
  picture?: { data?: { height?: number; is_silhouette?: boolean; url?: string; width?: number } }
}

/** Sign-in with Facebook. */
export function Facebook<P extends FacebookProfile = FacebookProfile>(
  config: OAuthUserConfig<P> = {},
): OAuth2Config<P, UsualId<"facebook">> {
  return oauth(
    {
      id: "facebook",
      name: "Facebook",
      authorization: { url: "https://www.facebook.com/v25.0/dialog/oauth", params: { scope: "email" } },
      token: "https://graph.facebook.com/oauth/access_token",
      userinfo: { url: "https://graph.facebook.com/me", params: { fields: "id,name,email,picture" } },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: textOf(profile.picture?.data?.url),
      }),
      style: { brandColor: "#0866ff", logo: mark },
      console: "https://developers.facebook.com/apps",
      docs: "https://developers.facebook.com/docs/facebook-login/guides/advanced/manual-flow",
      checked: "2026-11-21",
      notes: [
        "The e-mail address is missing for accounts made with a telephone number, and if the person declines.",
        "For Facebook Login for Business add `config_id` to the parameters of `authorization`.",
        "An application in production cannot have a callback on localhost.",
      ],
    },
    config,
  )
}

export default Facebook
