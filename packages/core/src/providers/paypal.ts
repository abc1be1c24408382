/** PayPal. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/paypal.js"
import { entriesOf, idOf, textOf } from "./parts/values.js"

/** What PayPal says of a person. */
export interface PayPalProfile extends FurtherClaims {
  user_id: string
  sub?: string
  name?: string
  given_name?: string
  family_name?: string
  picture?: string
  email?: string
  email_verified?: boolean
  /** In place of `email`. */
  emails?: { value?: string; primary?: boolean; confirmed?: boolean }[]
  payer_id?: string
  verified_account?: boolean | string
  account_type?: string
  zoneinfo?: string
  locale?: string
  phone_number?: string
  address?: Record<string, unknown>
}

/** Options of {@link PayPal}. */
export type PayPalUserConfig = OAuthUserConfig<PayPalProfile> & {
  /** @default "live" */
  environment?: "live" | "sandbox"
}

/** Sign-in with PayPal. */
export function PayPal(config: PayPalUserConfig = {}): OAuth2Config<PayPalProfile, UsualId<"paypal">> {
  const { environment = "live", ...rest } = config
  const part = environment === "sandbox" ? "sandbox." : ""
  const [web, api] = [`https://www.${part}paypal.com`, `https://api-m.${part}paypal.com`]
  return oauth(
    {
      id: "paypal",
      name: "PayPal",
      authorization: { url: `${web}/signin/authorize`, params: { scope: "openid profile email" } },
      token: `${api}/v1/oauth2/token`,
      userinfo: { url: `${api}/v1/identity/oauth2/userinfo`, params: { schema: "paypalv1.1" } },
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.user_id, profile.sub),
        name: textOf(profile.name),
        email: textOf(profile.email, primary(profile)?.value),
        image: textOf(profile.picture),
      }),
      emailVerified: (profile) => profile.email_verified ?? isConfirmed(profile),
      style: { brandColor: "#003087", logo: mark },
      console: "https://developer.paypal.com/dashboard/applications",
      docs: "https://developer.paypal.com/docs/log-in-with-paypal/integrate/reference/",
      checked: "2026-11-21",
      notes: [
        '`environment: "sandbox"` is for tests.',
        "Choose in the dashboard what the profile holds; a live application needs approval.",
        "The callback has to be https and not localhost.",
      ],
    },
    rest,
  )
}

export default PayPal

function primary({ emails }: PayPalProfile): { value?: string; confirmed?: boolean } | undefined {
  return entriesOf(emails).find((entry) => entry.primary === true)
}

/** What the list says of the address in the profile, which need not be its primary one. */
function isConfirmed(profile: PayPalProfile): boolean | undefined {
  const { value, confirmed } = primary(profile) ?? {}
  const address = textOf(profile.email, value)
  return address === null || address === value ? confirmed : undefined
}
