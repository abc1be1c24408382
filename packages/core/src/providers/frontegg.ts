/** Frontegg. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim, idOf, textOf } from "./parts/values.js"

/** What Frontegg says of a person. */
export interface FronteggProfile extends FurtherClaims {
  sub: string
  name: string
  email: string
  email_verified: boolean
  profilePictureUrl: string
  roles?: string[]
}

/** Sign-in with Frontegg. `issuer` is the domain of the environment. */
export function Frontegg(
  config: OIDCUserConfig<FronteggProfile> = {},
): OIDCConfig<FronteggProfile, UsualId<"frontegg">> {
  return oidc(
    {
      id: "frontegg",
      name: "Frontegg",
      wellKnown: "{issuer}/oauth/.well-known/openid-configuration",
      authorization: "{issuer}/oauth/authorize",
      token: "{issuer}/oauth/token",
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: textOf(profile.profilePictureUrl, profile.picture),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#2d3748" },
      console: "https://portal.frontegg.com",
      docs: "https://docs.frontegg.com/docs/how-to-use-our-docs",
      checked: "2026-11-21",
      notes: ["`issuer` is the domain of the environment: https://<subdomain>.frontegg.com."],
    },
    config,
  )
}

export default Frontegg
