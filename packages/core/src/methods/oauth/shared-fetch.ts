/** A cache of what many requests need of a provider: one request fetches it, all others share it until it is too old. */
import type { BoundedCache } from "../../std/cache.js"
import type { Awaitable } from "../../types/identity.js"
import type { FetchFunction } from "../../types/provider.js"

/** What is remembered, and how it is got. */
export interface SharedFetch<V> {
  readonly cache: BoundedCache<unknown>
  /** Providers with different `fetch` functions never share an entry. */
  readonly fetch: FetchFunction
  readonly name: string
  readonly now: Date
  /** Seconds a value serves. */
  readonly maxAge: number
  /** Seconds between two replacements asked for before that. */
  readonly cooldown: number
  readonly load: () => Promise<V>
}

interface Entry<V> {
  readonly value?: V
  /** When the value was got, in milliseconds. */
  readonly at: number
  /** When a replacement was last asked for. */
  readonly replacedAt?: number
  /** The one call that is pending, and when it began. */
  readonly pending?: Promise<V>
  readonly pendingSince?: number
}

/** A request may use a value that was fetched after it began. */
const earlierRequests = 60_000
/** No call takes so many milliseconds: one that is still pending has been abandoned by the runtime. */
const longestCall = 60_000

/** The value, from memory where it is young enough. Whoever asks while it is fetched waits for the same call. */
export function getShared<V>(wanted: SharedFetch<V>): Awaitable<V> {
  const entry = entryOf(wanted)
  if (entry?.pending && isPending(entry, wanted)) return share(wanted, entry.pending)
  if (entry?.value !== undefined && isFresh(entry, wanted)) return entry.value
  return load(wanted, undefined)
}

/** A newer value than `old`, if there is one to be had: at most one call in each cooldown. Else `old` itself. */
export function refresh<V>(wanted: SharedFetch<V>, old: V): Promise<V> {
  const entry = entryOf(wanted)
  if (entry?.pending && isPending(entry, wanted)) return share(wanted, entry.pending)
  if (entry?.value !== undefined && entry.value !== old) return Promise.resolve(entry.value)
  const waited = wanted.now.getTime() - (entry?.replacedAt ?? Number.NEGATIVE_INFINITY)
  if (waited >= 0 && waited < wanted.cooldown * 1000) return Promise.resolve(old)
  return load(wanted, (entry && settledPart(entry)) ?? { at: wanted.now.getTime() })
}

/**
 * Waits for the call that another request makes. Where that request is cancelled when its client leaves, its call ends
 * with it without a rejection (Workers refuse to wait for it): the first request that notices makes the call anew.
 */
async function share<V>(wanted: SharedFetch<V>, pending: Promise<V>): Promise<V> {
  try {
    return await pending
  } catch (error) {
    const entry = entryOf(wanted)
    // A call that failed by itself has left the entry.
    if (!entry?.pending) throw error
    return entry.pending === pending ? load(wanted, settledPart(entry)) : share(wanted, entry.pending)
  }
}

function load<V>(wanted: SharedFetch<V>, kept: Entry<V> | undefined): Promise<V> {
  const { cache, fetch, name, now } = wanted
  const at = now.getTime()
  const replacedAt = kept ? { replacedAt: at } : {}
  const pending = wanted.load().then(
    (value) => {
      cache.set(fetch, name, { value, at, ...replacedAt } satisfies Entry<V>)
      return value
    },
    (error: unknown) => {
      // A failure is not remembered; a value that still serves is.
      if (kept) cache.set(fetch, name, { ...kept, ...replacedAt } satisfies Entry<V>)
      else cache.delete(fetch, name)
      throw error
    },
  )
  cache.set(fetch, name, { ...(kept ?? { at }), pending, pendingSince: at } satisfies Entry<V>)
  return pending
}

/** What was got before the call that is under way, if anything was. */
function settledPart<V>({ value, at }: Entry<V>): Entry<V> | undefined {
  return value === undefined ? undefined : { value, at }
}

function entryOf<V>({ cache, fetch, name }: SharedFetch<V>): Entry<V> | undefined {
  return cache.get(fetch, name) as Entry<V> | undefined
}

function isPending<V>({ pendingSince = 0 }: Entry<V>, { now }: SharedFetch<V>): boolean {
  return now.getTime() - pendingSince < longestCall
}

function isFresh<V>(entry: Entry<V>, { now, maxAge }: SharedFetch<V>): boolean {
  const age = now.getTime() - entry.at
  return age > -earlierRequests && age < maxAge * 1000
}
