/** Azure Active Directory, the earlier name of Microsoft Entra ID. */
import type { OIDCConfig, UsualId } from "../types/provider.js"
import {
  issuerFromEnvironment,
  MicrosoftEntraID,
  type MicrosoftEntraIDProfile,
  type MicrosoftEntraIDUserConfig,
} from "./microsoft-entra-id.js"

/** What Azure Active Directory says of a person. */
export type AzureADProfile = MicrosoftEntraIDProfile

/** Sign-in with Microsoft Entra ID under the id `azure-ad`. New applications take `microsoft-entra-id`. */
export function AzureAD(config: MicrosoftEntraIDUserConfig = {}): OIDCConfig<AzureADProfile, UsualId<"azure-ad">> {
  const issuer = config.issuer ?? issuerFromEnvironment(config.id ?? "azure-ad")
  const provider = MicrosoftEntraID({ ...config, ...(issuer !== undefined && { issuer }) })
  return {
    ...provider,
    id: "azure-ad",
    name: "Azure Active Directory",
    notes: [
      "The earlier name of Microsoft Entra ID: it does what `microsoft-entra-id` does.",
      ...(provider.notes ?? []),
    ],
  }
}

export default AzureAD
