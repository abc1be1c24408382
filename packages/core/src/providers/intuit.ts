/** Intuit. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { idOf, joined, textOf } from "./parts/values.js"

/** What Intuit says of a person. */
export interface IntuitProfile extends FurtherClaims {
  sub: string
  email: string
  emailVerified: boolean
  givenName: string
  familyName: string
  phoneNumber: string
  phoneNumberVerified: boolean
  address?: { streetAddress: string; locality: string; region: string; postalCode: string; country: string }
}

/** Sign-in with Intuit. */
export function Intuit(config: OIDCUserConfig<IntuitProfile> = {}): OIDCConfig<IntuitProfile, UsualId<"intuit">> {
  return oidc(
    {
      id: "intuit",
      name: "Intuit",
      issuer: "https://oauth.platform.intuit.com/op/v1",
      authorization: { url: "https://appcenter.intuit.com/connect/oauth2", params: { scope: "openid profile email" } },
      token: "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer",
      userinfo: "https://accounts.platform.intuit.com/v1/openid_connect/userinfo",
      jwks_endpoint: "https://oauth.platform.intuit.com/op/v1/jwks",
      idToken: false,
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: joined(profile.givenName, profile.familyName),
        email: textOf(profile.email),
        image: null,
      }),
      emailVerified: ({ emailVerified }) => emailVerified,
      style: { brandColor: "#236cff" },
      console: "https://developer.intuit.com/app/developer/dashboard",
      docs: "https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/openid-connect",
      checked: "2026-11-21",
      notes: [
        "An application in the sandbox sets `userinfo` to https://sandbox-accounts.platform.intuit.com/v1/openid_connect/userinfo.",
      ],
    },
    config,
  )
}

export default Intuit
