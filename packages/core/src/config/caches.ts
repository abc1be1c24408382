/** What outlives one configuration: derived keys, discovery documents, key sets. Bounded; made once by the engine and handed down. */
import type { KeyCache } from "../crypto/keyring.js"

/** A bounded map: the entry that was used longest ago goes first. */
export interface BoundedCache<V> {
  get(key: object | string, sub: string): V | undefined
  set(key: object | string, sub: string, value: V): void
  delete(key: object | string, sub: string): void
}

/** The process-wide caches. Documents and key sets are kept by fetch function (the object key) and issuer or address. */
export interface Caches {
  readonly keys: KeyCache
  readonly discovery: BoundedCache<unknown>
  readonly keySets: BoundedCache<unknown>
}
