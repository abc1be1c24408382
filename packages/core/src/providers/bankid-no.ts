/** BankID Norge. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What BankID Norge says of a person. */
export interface BankIDNorwayProfile extends FurtherClaims {
  exp: number
  iat: number
  auth_time: number
  jti: string
  iss: string
  aud: string
  sub: string
  typ: "ID"
  azp: string
  session_state: string
  at_hash: string
  name: string
  given_name: string
  family_name: string
  birthdate: string
  updated_at: number
  acr: string
  sid: string
  amr: "BID" | "BIM" | "BIS"
  bankid_altsub: string
  originator: string
  additionalCertInfo?: {
    certValidFrom: number
    serialNumber: string
    keyAlgorithm: string
    keySize: string
    policyOid: string
    certQualified: boolean
    certValidTo: number
    versionNumber: string
    subjectName: string
  }
  tid: string
  email: string
  nnin_altsub: string
}

/** Sign-in with BankID Norge. */
export function BankIDNorway(
  config: OIDCUserConfig<BankIDNorwayProfile> = {},
): OIDCConfig<BankIDNorwayProfile, UsualId<"bankid-no">> {
  return oidc(
    {
      id: "bankid-no",
      name: "BankID Norge",
      issuer: "https://auth.bankid.no/auth/realms/prod",
      authorization: { params: { ui_locales: "no", login_hint: "BIS" } },
      client: { token_endpoint_auth_method: "client_secret_post", userinfo_signed_response_alg: "RS256" },
      checks: ["pkce", "state", "nonce"],
      idToken: false,
      profile: (profile) => ({
        id: idOf(profile.sub),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: null,
      }),
      style: { brandColor: "#39134c" },
      console: "https://confluence.bankid.no",
      docs: "https://developer.bankid.no/",
      checked: "2026-11-21",
      notes: [
        "The profile is a signed answer of the userinfo endpoint; its signature is verified.",
        "`login_hint` chooses the method: BID, BIS or BIM.",
        "The realm for tests is https://auth.current.bankid.no/auth/realms/current, given as `issuer`.",
      ],
    },
    config,
  )
}

export default BankIDNorway
