/** Vipps. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { byClaim } from "./parts/values.js"

/** What Vipps says of a person. */
export interface VippsProfile extends FurtherClaims {
  accounts?: { account_name: string; account_number: number; bank_name: string }[]
  address?: {
    address_type: string
    country: string
    formatted: string
    postal_code: string
    region: string
    street_address: string
  }
  other_addresses?: {
    address_type: string
    country: string
    formatted: string
    postal_code: string
    region: string
    street_address: string
  }[]
  birthdate: string
  email: string
  email_verified: boolean
  family_name: string
  given_name: string
  name: string
  nin: string
  phone_number: string
  sid: string
  sub: string
  delegatedConsents?: {
    language: string
    heading: string
    termsDescription: string
    confirmConsentButtonText: string
    links: {
      termsLinkText: string
      termsLinkUrl: string
      privacyStatementLinkText: string
      privacyStatementLinkUrl: string
    }
    timeOfConsent: string
    consents: { id: string; accepted: boolean; required: boolean; textDisplayedToUser: string }[]
  }
}

/** Sign-in with Vipps. */
export function Vipps(config: OIDCUserConfig<VippsProfile> = {}): OIDCConfig<VippsProfile, UsualId<"vipps">> {
  return oidc(
    {
      id: "vipps",
      name: "Vipps",
      issuer: "https://api.vipps.no/access-management-1.0/access/",
      authorization: { params: { scope: "openid name email" } },
      idToken: false,
      checks: ["pkce", "state", "nonce"],
      emailVerified: byClaim,
      style: { brandColor: "#ff5b24" },
      console: "https://portal.vippsmobilepay.com",
      docs: "https://developer.vippsmobilepay.com/docs/APIs/login-api/",
      checked: "2026-11-21",
      notes: [
        "For Vipps (Norway, Sweden) and MobilePay (Denmark, Finland).",
        "The test environment is the issuer https://apitest.vipps.no/access-management-1.0/access/.",
        "The method of client authentication is chosen in the portal; for `client_secret_post` set `client`.",
      ],
    },
    config,
  )
}

export default Vipps
