/** Beyond Identity. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What Beyond Identity says of a person. */
export interface BeyondIdentityProfile extends FurtherClaims {
  sub: string
  name: string
  preferred_username: string
  email: string
}

/** Sign-in with Beyond Identity. `issuer` is that of the application. */
export function BeyondIdentity(
  config: OIDCUserConfig<BeyondIdentityProfile> = {},
): OIDCConfig<BeyondIdentityProfile, UsualId<"beyondidentity">> {
  return oidc(
    {
      id: "beyondidentity",
      name: "Beyond Identity",
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: null,
        preferred_username: profile.preferred_username,
      }),
      style: { brandColor: "#5077c5" },
      console: "https://admin.beyondidentity.com",
      docs: "https://developer.beyondidentity.com/",
      checked: "2026-11-21",
      notes: [
        "`issuer` is that of the application: https://auth-<us or eu>.beyondidentity.com/v1/tenants/<tenant>/realms/<realm>/applications/<application>.",
      ],
    },
    config,
  )
}

export default BeyondIdentity
