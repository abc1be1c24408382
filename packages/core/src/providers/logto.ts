/** Logto. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim, idOf, textOf } from "./parts/values.js"

/** What Logto says of a person. */
export interface LogtoProfile extends FurtherClaims {
  sub: string
  name: string
  username: string
  picture: string
  email: string
  email_verified: boolean
  phone_number: string
  phone_number_verified: boolean
  address: string
  custom_data?: Record<string, unknown>
  identities?: Record<string, unknown>
  sso_identities?: Record<string, unknown>[]
  organizations?: string[]
  organization_data?: Record<string, unknown>[]
  organization_roles?: string[]
}

/** Sign-in with Logto. `issuer` ends in /oidc. */
export function Logto(config: OIDCUserConfig<LogtoProfile> = {}): OIDCConfig<LogtoProfile, UsualId<"logto">> {
  return oidc(
    {
      id: "logto",
      name: "Logto",
      authorization: { params: { scope: "offline_access openid email profile" } },
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.name, profile.username),
        email: textOf(profile.email),
        image: textOf(profile.picture),
      }),
      emailVerified: byClaim,
      style: { brandColor: "#5d34f2" },
      console: "https://cloud.logto.io",
      docs: "https://docs.logto.io/quick-starts/next-auth",
      checked: "2026-11-21",
      notes: [
        "`issuer` is the endpoint of Logto followed by /oidc.",
        'A refresh token also needs the parameter `prompt: "consent"`.',
      ],
    },
    config,
  )
}

export default Logto
