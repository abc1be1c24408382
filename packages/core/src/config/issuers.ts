/** Accounts are found by the id of their provider and the id that the provider gave: one id must not stand for two issuers. */

import type { Caches } from "./caches.js"
import { defaultProfile } from "./callbacks.js"
import type { Report } from "./report.js"
import type { ResolvedProvider } from "./settings.js"

/** Providers that share an adapter with those of other configurations. */
interface Shared {
  readonly providers: ReadonlyMap<string, ResolvedProvider>
  readonly adapter: object
  readonly caches: Pick<Caches, "issuers">
}

/**
 * Warns of ids that stand for another issuer in another configuration with the same adapter, and of those that stand for several
 * by `issuerOf`: OpenID Connect Core §2 keeps `sub` apart within one issuer alone, and that is what the default `profile` takes.
 */
export function checkIssuers({ providers, adapter, caches: { issuers } }: Shared, report: Report): void {
  const ids = new Set<string>()
  for (const provider of providers.values()) {
    if (provider.type !== "oauth" && provider.type !== "oidc") continue
    const { id, issuer = provider.token?.url } = provider
    if (provider.config.issuerOf && provider.profile === defaultProfile) ids.add(id)
    if (issuer === undefined) continue
    const first = issuers.get(adapter, id) ?? issuer
    issuers.set(adapter, id, first)
    if (first !== issuer) ids.add(id)
  }
  if (ids.size > 0) report.warn("id-of-several-issuers", `Providers: ${[...ids].map((id) => `"${id}"`).join(", ")}.`)
}
