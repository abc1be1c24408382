/** Hugging Face. */
import type { OIDCConfig, OIDCUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oidc } from "./define.js"
import { mark } from "./marks/huggingface.js"
import { byClaim } from "./parts/values.js"

/** What Hugging Face says of a person. */
export interface HuggingfaceProfile extends FurtherClaims {
  sub: string
  name: string
  preferred_username: string
  profile: string
  picture: string
  website: string
  email: string
  email_verified: boolean
  isPro: boolean
  canPay: boolean
  orgs?: {
    sub: string
    name: string
    picture: string
    preferred_username: string
    isEnterprise: boolean
    canPay?: boolean
    roleInOrg?: "admin" | "write" | "read" | "contributor"
    pendingSSO?: boolean
    missingMFA?: boolean
    resourceGroups?: { sub: string; name: string; role: "read" | "write" | "admin" | "contributor" }[]
  }[]
}

/** Sign-in with Hugging Face. */
export function Huggingface(
  config: OIDCUserConfig<HuggingfaceProfile> = {},
): OIDCConfig<HuggingfaceProfile, UsualId<"huggingface">> {
  return oidc(
    {
      id: "huggingface",
      name: "Hugging Face",
      issuer: "https://huggingface.co",
      checks: ["state", "pkce"],
      emailVerified: byClaim,
      style: { brandColor: "#ffd21e", logo: mark },
      console: "https://huggingface.co/settings/applications/new",
      docs: "https://huggingface.co/docs/hub/en/oauth",
      checked: "2026-11-21",
      notes: [
        "The scopes profile and email have to be enabled on the application.",
        'An application without secret sets `client: { token_endpoint_auth_method: "none" }`.',
      ],
    },
    config,
  )
}

export default Huggingface
