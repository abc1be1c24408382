/** NetSuite. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { idOf, textOf } from "./parts/values.js"

/** What NetSuite says of a person. */
export interface NetSuiteProfile extends FurtherClaims {
  id: number
  name: string
  email: string
  location: number
  role: number
  roleId: string
  roleCenter: string
  contact: number
  subsidiary: number
  department: number
}

/** Options of {@link NetSuite}. */
export type NetSuiteUserConfig<P = NetSuiteProfile> = OAuthUserConfig<P> & {
  /** The account, as it stands in host names. */
  accountID?: string
  /** @default "restlets rest_webservices" */
  scope?: string
  /** When people are asked for their consent. */
  prompt?: "none" | "login" | "consent" | "login consent"
}

/** Sign-in with NetSuite. Needs `accountID` and `userinfo`. */
export function NetSuite<P extends NetSuiteProfile = NetSuiteProfile>(
  config: NetSuiteUserConfig<P> = {},
): OAuth2Config<P, UsualId<"netsuite">> {
  const { accountID, scope = "restlets rest_webservices", prompt, ...rest } = config
  const account = accountID?.replace("_", "-").toLowerCase()
  return oauth(
    {
      id: "netsuite",
      name: "NetSuite",
      // Without the account there is no URL; the validation of the configuration reports that.
      ...(account && {
        authorization: {
          url: `https://${account}.app.netsuite.com/app/login/oauth2/authorize.nl`,
          params: { scope, ...(prompt && { prompt }) },
        },
        token: `https://${account}.suitetalk.api.netsuite.com/services/rest/auth/oauth2/v1/token`,
      }),
      checks: ["state"],
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.name),
        email: textOf(profile.email),
        image: null,
      }),
      style: { brandColor: "#181a1b" },
      console: "https://system.netsuite.com",
      docs: "https://docs.oracle.com/en/cloud/saas/netsuite/ns-online-help/chapter_157769826287.html",
      checked: "2026-11-21",
      notes: [
        "`userinfo` is the URL of your own RESTlet or Suitelet that returns runtime.getCurrentUser().",
        "`accountID` is written as in host names: 1234567, or 1234567-sb1.",
        "The callback has to be https.",
      ],
    },
    rest,
  )
}

export default NetSuite
