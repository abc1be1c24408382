/** What providers of all kinds have in common. */
import type { ProviderType } from "./identity.js"

/** Any text; an editor goes on suggesting the texts that stand beside it in a union. */
export type AnyText = string & Record<never, never>

/** The id a provider has unless its caller names another: editors suggest it. */
export type UsualId<Id extends string> = Id | AnyText

/** What every provider has. `Id` is its id, as far as its type knows it. */
export interface CommonProviderOptions<Id extends string = string> {
  /** Names the provider; part of its URLs. */
  id: Id
  /** Label of its button. */
  name: string
  /** The type of the provider. */
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
