/** United Effects. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"

/** What United Effects says of a person. */
export interface UnitedEffectsProfile extends FurtherClaims {
  sub: string
  email: string
}

/** Sign-in with United Effects. `issuer` includes the auth group. */
export function UnitedEffects<P extends UnitedEffectsProfile = UnitedEffectsProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"united-effects">> {
  return oidc(
    {
      id: "united-effects",
      name: "United Effects",
      authorization: { params: { scope: "openid email profile", resource: "{issuer}" } },
      style: { brandColor: "#1c7c7d" },
      docs: "https://docs.unitedeffects.com/integrations/nextauthjs",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://auth.unitedeffects.com/<auth group>.",
        "The profile has neither a name nor a picture.",
      ],
    },
    config,
  )
}

export default UnitedEffects
