/** What a configuration came to, for tools such as the command line: facts alone, nothing that leads to a secret. */
import type { Settings } from "../config/settings.js"
import type { Adapter } from "../types/adapter.js"
import type { ProviderType } from "../types/identity.js"
import type { AuthService } from "./public.js"
import { settingsOf } from "./service.js"

/** What a configuration came to. */
export interface AuthInspection
  extends Readonly<
    Pick<
      Settings,
      "basePath" | "strategy" | "problems" | "generalProblems" | "providerProblems" | "warnings" | "warningDetails"
    >
  > {
  /** By id. */
  readonly providers: ReadonlyMap<string, { readonly id: string; readonly type: ProviderType }>
  readonly store: {
    /** Is there an adapter at all? */
    readonly isPresent: boolean
    /** Does the adapter offer the operation, on itself or its prototype? */
    has(operation: keyof Adapter): boolean
  }
  /** The data layer, as it was handed in. */
  readonly adapter: Adapter | undefined
}

/** Tells what the configuration of a service came to; `undefined` for anything that `createAuth` did not make. */
export function inspectAuth(auth: AuthService): AuthInspection
export function inspectAuth(auth: unknown): AuthInspection | undefined
export function inspectAuth(auth: unknown): AuthInspection | undefined {
  const settings = settingsOf(auth)
  if (!settings) return undefined
  const { basePath, strategy, problems, generalProblems, providerProblems, warnings, warningDetails, store } = settings
  return {
    basePath,
    strategy,
    problems,
    generalProblems,
    providerProblems,
    warnings,
    warningDetails,
    providers: new Map([...settings.providers.values()].map(({ id, type }) => [id, { id, type }])),
    store: { isPresent: store.isPresent, has: (operation) => store.has(operation) },
    adapter: store.isPresent ? settings.config.adapter : undefined,
  }
}
