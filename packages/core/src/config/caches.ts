/** What outlives one configuration, and is shared by all of a process. */
import { createKeyCache, type KeyCache } from "../crypto/keyring.js"
import { createTryMemory, type TryMemory } from "../ports/try-store.js"
import { type BoundedCache, createBoundedCache } from "../std/cache.js"

/** What outlives one configuration. Documents and key sets are kept by fetch function (the object key) and issuer or address. */
export interface Caches {
  readonly keys: KeyCache
  readonly discovery: BoundedCache<unknown>
  readonly keySets: BoundedCache<unknown>
  /** Warnings that were logged: kept by logger (the object key) and code. */
  readonly loggedOnce: BoundedCache<true>
  /** When something was logged that is not to fill the log, in milliseconds: kept by logger (the object key) and name. */
  readonly reported: BoundedCache<number>
  /** Tries at signing in, where no store keeps them: by keyed hashes. */
  readonly tries: TryMemory
  /** Records of sessions that are believed for a moment: kept by store of records (the object key) and key. */
  readonly believed: BoundedCache<unknown>
  /** Which issuer the id of a provider stands for: kept by adapter (the object key) and id. */
  readonly issuers: BoundedCache<string>
  /** Requests for which calls of the application have answered cookies: by the service that was called. */
  readonly changedSources: WeakMap<object, Map<object, ChangedSource>>
}

/** The `Cookie` header of a request, as it came and as the browser will send it. */
export interface ChangedSource {
  readonly sent: string
  readonly now: string
}

/** Makes empty caches, each large enough for every provider there is and for some hundred tenants. */
export function createCaches(): Caches {
  return {
    keys: createKeyCache(512),
    discovery: createBoundedCache(256),
    keySets: createBoundedCache(256),
    loggedOnce: createBoundedCache(256),
    reported: createBoundedCache(256),
    tries: createTryMemory(10_000),
    believed: createBoundedCache(10_000),
    issuers: createBoundedCache(1_024),
    changedSources: new WeakMap(),
  }
}
