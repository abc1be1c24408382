/** What outlives one configuration: derived keys, discovery documents, key sets. Bounded; made once by the engine and handed down. */
import { createKeyCache, type KeyCache } from "../crypto/keyring.js"

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
  /** Warnings that were logged: kept by logger (the object key) and code. */
  readonly told: BoundedCache<true>
  /** When something was logged that is not to fill the log, in milliseconds: kept by logger (the object key) and name. */
  readonly reported: BoundedCache<number>
}

/** How many entries each cache holds: enough for every provider there is, for some hundred tenants. */
const limits = { keys: 512, discovery: 256, keySets: 256, told: 256, reported: 256 } as const

/** Makes empty caches. */
export function createCaches(): Caches {
  return {
    keys: createKeyCache(limits.keys),
    discovery: createBoundedCache(limits.discovery),
    keySets: createBoundedCache(limits.keySets),
    told: createBoundedCache(limits.told),
    reported: createBoundedCache(limits.reported),
  }
}

/** Makes an empty cache of at most `limit` entries. */
export function createBoundedCache<V>(limit: number): BoundedCache<V> {
  // Maps keep the order of insertion: an entry that is read is put in again, so the first was used longest ago.
  const entries = new Map<string, { readonly key: object | string; readonly sub: string; readonly value: V }>()
  const identities = new Map<object, { readonly id: number; uses: number }>()
  let lastId = 0

  const nameOf = (key: object | string, sub: string): string | undefined => {
    if (typeof key === "string") return JSON.stringify([key, sub])
    const identity = identities.get(key)
    return identity && JSON.stringify([identity.id, sub])
  }
  const remove = (name: string): void => {
    const entry = entries.get(name)
    if (!entry) return
    entries.delete(name)
    if (typeof entry.key === "string") return
    const identity = identities.get(entry.key)
    if (!identity) return
    identity.uses -= 1
    // An object that is no longer used must stay collectable.
    if (identity.uses === 0) identities.delete(entry.key)
  }
  const identify = (key: object): void => {
    const identity = identities.get(key) ?? { id: ++lastId, uses: 0 }
    identity.uses += 1
    identities.set(key, identity)
  }

  return {
    get(key, sub) {
      const name = nameOf(key, sub)
      const entry = name === undefined ? undefined : entries.get(name)
      if (!entry || name === undefined) return undefined
      entries.delete(name)
      entries.set(name, entry)
      return entry.value
    },
    set(key, sub, value) {
      const previous = nameOf(key, sub)
      if (previous !== undefined) remove(previous)
      if (typeof key !== "string") identify(key)
      entries.set(nameOf(key, sub) as string, { key, sub, value })
      for (const [oldest] of entries) {
        if (entries.size <= limit) break
        remove(oldest)
      }
    },
    delete(key, sub) {
      const name = nameOf(key, sub)
      if (name !== undefined) remove(name)
    },
  }
}
