/** Secrets, newest first, and the keys derived from them, each for one purpose. */
import { MissingSecret } from "../errors.js"
import { createBoundedCache } from "../std/cache.js"
import { conceal } from "../std/conceal.js"
import { isThenable } from "../std/deadline.js"
import type { Awaitable } from "../types/identity.js"
import type { DerivedKey } from "./cipher.js"
import { cipher } from "./native.js"

export type { DerivedKey } from "./cipher.js"

/** The secrets of one configuration and their keys. */
export interface Keyring {
  /** Newest first: the first seals, any opens. Never empty. */
  readonly secrets: readonly string[]
  /** The key of the secret at `index` for `salt`; derived once and kept. Synchronous where the runtime allows. */
  derive(index: number, salt: string): Awaitable<DerivedKey>
}

/** Derived keys, kept for all configurations of the process. */
export interface KeyCache {
  /** The kept key, else a new one: derived once, also when many ask at the same time. A failure is not kept. */
  derive(secret: string, salt: string): Awaitable<DerivedKey>
}

/** Makes the keys of a list of secrets. Without a secret, `derive` throws `MissingSecret`. */
export function createKeyring(secrets: readonly string[], cache: KeyCache): Keyring {
  const own = Object.freeze([...secrets])
  // The last one asked for: requests ask for the first secret and the session's salt nearly every time.
  let last: { readonly index: number; readonly salt: string; readonly key: DerivedKey } | undefined
  return conceal({
    secrets: own,
    derive(index, salt) {
      if (last?.salt === salt && last.index === index) return last.key
      const secret = own[index]
      if (!secret) throw new MissingSecret(`secret: expected a string at position ${index}`)
      const key = cache.derive(secret, salt)
      if (!isThenable(key)) last = { index, salt, key }
      return key
    },
  })
}

/** Makes a cache of at most `limit` keys; the least recently used one is removed first. */
export function createKeyCache(
  limit: number,
  derive: (secret: string, salt: string) => Awaitable<DerivedKey> = cipher.derive,
): KeyCache {
  const kept = createBoundedCache<Awaitable<DerivedKey>>(limit)
  return {
    derive(secret, salt) {
      const known = kept.get(secret, salt)
      if (known) return known
      const made = derive(secret, salt)
      kept.set(secret, salt, made)
      if (isThenable(made)) {
        // Kept as a value once it is there, so that later callers need not wait.
        made.then(
          (key) => kept.get(secret, salt) === made && kept.set(secret, salt, key),
          () => kept.get(secret, salt) === made && kept.delete(secret, salt),
        )
      }
      return made
    },
  }
}
