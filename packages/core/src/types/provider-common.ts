/** What providers of all kinds have in common. */
import type { ProviderType } from "./identity.js"

/** What every provider has. */
export interface CommonProviderOptions {
  /** Names the provider; part of its URLs. */
  id: string
  /** Label of its button. */
  name: string
  type: ProviderType
}

/** What is known of a provider beside its protocol: rendered into its documentation page. */
export interface ProviderNotes {
  /** Where an application is registered. */
  console?: string
  /** The provider's own documentation. */
  docs?: string
  /** Day on which the entry was last held against what is known of the service, as `YYYY-MM-DD`. */
  checked?: string
  /** What one has to know. */
  notes?: readonly string[]
  /** Set when nobody can sign in there any more: one sentence that says so, and one that says what to use instead. */
  discontinued?: string
}

/** A replacement for `fetch`, for proxies, certificates and tests. */
export type FetchFunction = (input: string | URL | Request, init?: RequestInit) => Promise<Response>
