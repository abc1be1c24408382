/** Ping Identity. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { idOf, membersOf, textOf } from "./parts/values.js"

/** What Ping Identity says of a person. */
export interface PingProfile extends FurtherClaims {
  iss: string
  sub: string
  aud: string
  iat: number
  exp: number
  acr: string
  amr?: unknown[]
  auth_time: number
  at_hash: string
  sid: string
  preferred_username: string
  given_name: string
  picture: string | { href?: string }
  updated_at: number
  name: string
  family_name: string
  email: string
  env: string
  org: string
  "p1.region": string
}

/** Sign-in with Ping Identity. `issuer` is that of the environment. */
export function PingId(config: OIDCUserConfig<PingProfile> = {}): OIDCConfig<PingProfile, UsualId<"ping-id">> {
  return oidc(
    {
      id: "ping-id",
      name: "Ping Identity",
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.name, profile.preferred_username),
        email: textOf(profile.email),
        image: textOf(profile.picture, membersOf(profile.picture)["href"]),
      }),
      style: { brandColor: "#b3282d" },
      console: "https://console.pingone.com",
      docs: "https://docs.pingidentity.com/pingone/",
      checked: "2026-11-21",
      notes: ["`issuer` is https://auth.pingone.<region>/<environment>/as."],
    },
    config,
  )
}

export default PingId
