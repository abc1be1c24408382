/** Services of the catalogue, played by the provider of the tests. */
import { customFetch } from "../../../src/config/markers.js"
import type { ProviderConfig } from "../../../src/types/provider.js"
import type { TestBrowser } from "../../support/browser.js"
import { openOp } from "../../support/op.js"

/** How the application is known there. */
export const client = { clientId: "client", clientSecret: "secret-of-the-client-that-is-long" }

/** A service where somebody can sign in. */
export interface Service {
  readonly provider: ProviderConfig
  /** Leads the browser through the service and back. */
  signIn(browser: TestBrowser): Promise<void>
}

/** An entry of the catalogue that speaks OpenID Connect, and the person who is known there. */
export async function openIdService(
  make: (options: object) => unknown,
  { issuer, person, ...more }: { readonly issuer: string; readonly person: object; readonly profile?: unknown },
): Promise<Service> {
  const op = await openOp({ issuer, person: { ...person } })
  const token = `${issuer.replace(/\/$/, "")}/token`
  const provider = make({ ...client, issuer, token, [customFetch]: op.fetch, ...more }) as ProviderConfig
  return {
    provider,
    async signIn(browser) {
      const { location } = await browser.post(`/auth/signin/${provider.id}`, {})
      const { pathname, search } = op.authorize(location ?? "")
      await browser.get(pathname + search)
    },
  }
}
