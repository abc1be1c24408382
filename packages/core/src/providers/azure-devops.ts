/** Azure DevOps. */
import type { OAuth2Config, OAuthUserConfig, UsualId } from "../types/provider.js"
import { type FurtherClaims, oauth } from "./define.js"
import { mark } from "./marks/azure-devops.js"
import { idOf, textOf } from "./parts/values.js"

/** What Azure DevOps says of a person. */
export interface AzureDevOpsProfile extends FurtherClaims {
  id: string
  displayName: string
  emailAddress: string
  coreAttributes?: { Avatar?: { value?: { value?: string } } }
}

/** Options of {@link AzureDevOpsProvider}. */
export type AzureDevOpsProviderUserConfig<P = AzureDevOpsProfile> = OAuthUserConfig<P> & {
  /** The scopes of the registration. @default "vso.profile" */
  scope?: string
}

/** Sign-in with Azure DevOps. The service ends. */
export function AzureDevOpsProvider<P extends AzureDevOpsProfile = AzureDevOpsProfile>(
  config: AzureDevOpsProviderUserConfig<P> = {},
): OAuth2Config<P, UsualId<"azure-devops">> {
  const { scope = "vso.profile", ...rest } = config
  return oauth(
    {
      id: "azure-devops",
      name: "Azure DevOps",
      discontinued:
        "Azure DevOps OAuth takes no applications any more and ends in 2026. Use `microsoft-entra-id` with the scope 499b84ac-1321-427f-aa17-267ca6975798/.default.",
      authorization: { url: "https://app.vssps.visualstudio.com/oauth2/authorize", params: { scope } },
      token: "https://app.vssps.visualstudio.com/oauth2/token",
      userinfo: {
        url: "https://app.vssps.visualstudio.com/_apis/profile/profiles/me",
        params: { details: "true", coreAttributes: "Avatar", "api-version": "6.0" },
      },
      profile: (profile) => ({
        id: idOf(profile.id),
        name: textOf(profile.displayName),
        email: textOf(profile.emailAddress),
        image: picture(profile),
      }),
      style: { brandColor: "#0078d7", logo: mark },
      docs: "https://learn.microsoft.com/en-us/azure/devops/integrate/get-started/authentication/oauth",
      checked: "2026-11-21",
      notes: ["No application has been registered since April 2025."],
    },
    rest,
  )
}

export default AzureDevOpsProvider

function picture({ coreAttributes }: AzureDevOpsProfile): string | null {
  const bytes = textOf(coreAttributes?.Avatar?.value?.value)
  return bytes && `data:image/jpeg;base64,${bytes}`
}
