/** Hydra. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/hydra.js"

/** What Hydra says of a person. */
export interface OryHydraProfile extends FurtherClaims {
  iss: string
  ver: string
  sub: string
  aud: string
  iat: string
  exp: string
  jti: string
  amr: string
  email: string
}

/** Sign-in with Hydra. `issuer` is the project or your own server. */
export function OryHydra<P extends OryHydraProfile = OryHydraProfile>(
  config: OIDCUserConfig<P> = {},
): OIDCConfig<P, UsualId<"hydra">> {
  return oidc(
    {
      id: "hydra",
      name: "Hydra",
      checks: ["pkce", "state"],
      style: { brandColor: "#5528ff", logo: mark },
      console: "https://console.ory.sh",
      docs: "https://www.ory.sh/docs/hydra/5min-tutorial",
      checked: "2026-11-21",
      notes: [
        "`issuer` is https://<project>.projects.oryapis.com, or the public URL of your own server.",
        "The consent application decides which claims are sent.",
        "Also found under the path `providers/ory-hydra`; the id is `hydra` in both.",
      ],
    },
    config,
  )
}

export default OryHydra
