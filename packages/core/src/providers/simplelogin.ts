/** SimpleLogin. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/simplelogin.js"
import { byClaim, idOf, textOf } from "./parts/values.js"

/** What SimpleLogin says of a person. */
export interface SimpleLoginProfile extends FurtherClaims {
  id: number
  sub: string
  email: string
  email_verified: boolean
  name: string
  avatar_url: string | undefined
  client: string
}

/** Sign-in with SimpleLogin. */
export function SimpleLogin<P extends SimpleLoginProfile = SimpleLoginProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"simplelogin">> {
  return oidc(
    {
      id: "simplelogin",
      name: "SimpleLogin",
      issuer: "https://app.simplelogin.io",
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: textOf(profile.avatar_url, profile.picture),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#e3156a", logo: mark },
      console: "https://app.simplelogin.io/developer",
      docs: "https://simplelogin.io/docs/siwsl/intro/",
      checked: "2026-11-21",
      notes: [
        "The e-mail address may be an alias made for your application.",
        "Callbacks have to be https, apart from localhost.",
      ],
    },
    config,
  )
}

export default SimpleLogin
