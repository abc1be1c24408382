/** Osso. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What Osso says of a person. */
export interface OssoProfile extends FurtherClaims {
  id: string
  email: string
  idp: string
  requested?: { domain: string | null; email: string | null }
}

/** Sign-in with Osso. `issuer` is the URL of the instance. */
export function Osso(config: OAuthUserConfig<OssoProfile> = {}): OAuth2Config<OssoProfile, UsualId<"osso">> {
  return oauth(
    {
      id: "osso",
      name: "Osso",
      authorization: { url: "{issuer}/oauth/authorize", params: { scope: "openid profile email" } },
      token: "{issuer}/oauth/token",
      userinfo: "{issuer}/oauth/me",
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: null,
      }),
      style: { brandColor: "#1f2a44" },
      docs: "https://ossoapp.com/docs/",
      checked: "2026-11-21",
      notes: [
        "`issuer` is the URL of the instance.",
        "The request for a sign-in adds `domain` or `email`; then Osso finds the SAML connection.",
        "The project has not moved since 2021.",
      ],
    },
    config,
  )
}

export default Osso
