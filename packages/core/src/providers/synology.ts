/** Synology. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What Synology says of a person. */
export interface SynologyProfile extends FurtherClaims {
  sub: string
  username: string
  email: string
  groups?: string[]
  aud: string
  iss: string
  exp: number
  iat: number
}

/** Options of {@link Synology}. */
export type SynologyUserConfig = OIDCUserConfig<SynologyProfile> & {
  /** Address of the SSO Server. */
  baseUrl?: string
}

/** Sign-in with Synology. `baseUrl` is the address of the SSO Server. */
export function Synology(config: SynologyUserConfig = {}): OIDCConfig<SynologyProfile, UsualId<"synology">> {
  const { baseUrl, ...rest } = config
  return oidc(
    {
      id: "synology",
      name: "Synology",
      ...(baseUrl && { issuer: `${baseUrl.replace(/\/+$/, "")}/webman/sso` }),
      // The usual scope "profile" is refused.
      authorization: { url: "{issuer}/SSOOauth.cgi", params: { scope: "openid email groups" } },
      token: "{issuer}/SSOAccessToken.cgi",
      userinfo: "{issuer}/SSOUserInfo.cgi",
      jwks_endpoint: "{issuer}/openid-jwks.json",
      idToken: false,
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.username),
        email: textOf(profile.email),
        image: null,
      }),
      style: { brandColor: "#000000" },
      docs: "https://kb.synology.com/en-global/DSM/help/SSOServer/sso_server_desc",
      checked: "2026-11-21",
      notes: [
        "`baseUrl` is the URL of the SSO Server; or set `issuer`, which ends in /webman/sso.",
        "The callback has to be https.",
      ],
    },
    rest,
  )
}

export default Synology
