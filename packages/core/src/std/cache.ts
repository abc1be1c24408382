/** A cache of a bounded size. */

/** A bounded map: the least recently used entry is removed first. An object as key stays collectable. */
export interface BoundedCache<V> {
  get(key: object | string, sub: string): V | undefined
  set(key: object | string, sub: string, value: V): void
  delete(key: object | string, sub: string): void
  /** Deletes all entries for whose value `isMeant` returns true, whatever their keys. */
  sweep(isMeant: (value: V) => boolean): void
}

/** Makes an empty cache of at most `limit` entries. */
export function createBoundedCache<V>(limit: number): BoundedCache<V> {
  // Maps keep the order of insertion: an entry that is read is put in again, so the first was used longest ago.
  const entries = new Map<string, V>()
  const ids = new WeakMap<object, number>()
  let lastId = 0

  const idOf = (key: object): number => {
    const known = ids.get(key)
    if (known !== undefined) return known
    ids.set(key, ++lastId)
    return lastId
  }
  // The length keeps the two texts apart whatever they hold.
  const nameOf = (key: object | string, sub: string): string =>
    typeof key === "string" ? `${sub.length} ${sub}${key}` : `${sub.length} ${sub}#${idOf(key)}`

  return {
    get(key, sub) {
      const name = nameOf(key, sub)
      const value = entries.get(name)
      if (value === undefined) return undefined
      entries.delete(name)
      entries.set(name, value)
      return value
    },
    set(key, sub, value) {
      const name = nameOf(key, sub)
      entries.delete(name)
      entries.set(name, value)
      for (const oldest of entries.keys()) {
        if (entries.size <= limit) break
        entries.delete(oldest)
      }
    },
    delete(key, sub) {
      entries.delete(nameOf(key, sub))
    },
    sweep(isMeant) {
      for (const [name, value] of entries) if (isMeant(value)) entries.delete(name)
    },
  }
}
