/** FusionAuth. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/fusionauth.js"
import { byDenial, idOf, joined, textOf } from "./parts/values.js"

/** What FusionAuth says of a person. */
export interface FusionAuthProfile extends FurtherClaims {
  aud: string
  exp: number
  iat: number
  iss: string
  sub: string
  jti: string
  authenticationType: string
  email: string
  email_verified: boolean
  preferred_username: string
  name: string
  given_name: string
  middle_name: string
  family_name: string
  at_hash: string
  c_hash: string
  scope: string
  sid: string
  picture: string
}

/** Options of {@link FusionAuth}. */
export type FusionAuthUserConfig<P = FusionAuthProfile> = OIDCUserConfig<P> & {
  /** Names the tenant where there are several. */
  tenantId?: string
}

/** Sign-in with FusionAuth. `issuer` is that of the tenant. */
export function FusionAuth<P extends FusionAuthProfile = FusionAuthProfile>(
  config: FusionAuthUserConfig<P> = {},
): OIDCConfig<P, UsualId<"fusionauth">> {
  const { tenantId, ...rest } = config
  return oidc(
    {
      id: "fusionauth",
      name: "FusionAuth",
      ...(tenantId && {
        wellKnown: `{issuer}/.well-known/openid-configuration?tenantId=${encodeURIComponent(tenantId)}`,
      }),
      authorization: { params: { scope: "openid offline_access email profile", ...(tenantId && { tenantId }) } },
      token: { url: "{issuer}/oauth2/token", conform: withoutChallenge },
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(
          profile.name,
          profile.preferred_username,
          joined(profile.given_name, profile.middle_name, profile.family_name),
        ),
        email: textOf(profile.email),
        image: textOf(profile.picture),
      }),
      // FusionAuth says `true` of everybody where the verification of addresses is not enabled for the tenant.
      emailVerified: byDenial,
      style: { brandColor: "#f58320", logo: mark },
      console: "https://fusionauth.io/docs/get-started/core-concepts/applications",
      docs: "https://fusionauth.io/docs/lifecycle/authenticate-users/oauth/",
      checked: "2026-11-21",
      notes: [
        "`issuer` is the issuer that is configured for the tenant.",
        "`tenantId` is needed if there are several tenants.",
        "`email_verified: true` proves nothing by itself: FusionAuth says it of every address where the tenant does not verify addresses. Where yours does, set `emailVerified: (profile) => profile.email_verified === true`.",
      ],
    },
    rest,
  )
}

export default FusionAuth

/** The header may stand beside a success, where it would be taken for a refusal. */
function withoutChallenge(response: Response): Response | undefined {
  if (response.status === 401) return undefined
  const headers = new Headers(response.headers)
  headers.delete("www-authenticate")
  return new Response(response.body, { status: response.status, headers })
}
