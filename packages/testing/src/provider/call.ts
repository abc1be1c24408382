/** Requests that a test provider receives. */
import type { FaultPlace } from "./faults.js"

/** A request that a provider received. */
export interface ProviderCall {
  /** `page`: what a person's browser asks for on the way. */
  readonly endpoint: Exclude<FaultPlace, "id_token"> | "page"
  /** HTTP method. */
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The fields of a form. */
  readonly body: URLSearchParams
}

/** How a client authenticates at the token endpoint. */
export type ClientAuthentication = "client_secret_basic" | "client_secret_post" | "none"
