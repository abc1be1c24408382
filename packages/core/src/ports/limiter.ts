/** How often something was tried. Every decision is one atomic step of the store that counts. */

import { randomBytes } from "../std/random.js"
import type { LimitWindow, PersonLimit } from "../types/limits.js"
import type { RecordKey, StoredRecord } from "../types/records.js"
import type { TryStore } from "./try-store.js"

/** Whether a try may be made. */
export type Verdict =
  | {
      readonly kind: "go"
      /** One try, or several of a network. */
      giveBack(tries?: number): Promise<void>
      readonly forget?: Forget
      /** Others were counted at the person before this one. */
      readonly isFurther?: boolean
    }
  | { readonly kind: "wait"; readonly until: Date }

/** Forgets all tries under the key. `false`: some spelled the name in another way, and may mean somebody else. */
type Forget = () => Promise<boolean>

/** A thing that is counted, such as "guesses at this person". Its key is a keyed hash. */
export interface Counter<Limit> {
  readonly key: string
  /** The key of the tries at the same person by everybody else, where this counts those of one known browser. */
  readonly person?: string
  /** The name as it is spelled, hashed: `key` may be that of several names. */
  readonly spelling?: string
  readonly limit: Limit
  readonly now: Date
}

const countKind = "limit-count"
const waitKind = "limit-wait"
/** Of many at once each round lets one pass, so a try that loses so often is one of too many. */
const mostRounds = 100

/** Counts a try in a window. Of any number at once no more than `free` go. */
export async function tryInWindow(store: TryStore, { key, limit, now }: Counter<LimitWindow>): Promise<Verdict> {
  const name: RecordKey = { kind: countKind, key }
  const { sum, expires } = await store.countRecord(name, { add: 1, expires: after(now, limit.window), now })
  if (sum > limit.free) return { kind: "wait", until: expires }
  const giveBack = async (tries = 1): Promise<void> => {
    for (let left = tries; left > 0; left -= 1) {
      const counted = await store.countRecord(name, { add: -1, expires, now })
      // What was counted in an earlier window ended with it.
      if (counted.sum <= 0) return
    }
  }
  return { kind: "go", giveBack }
}

/** What is known of the tries at one person: how many, and from when on there may be another, in milliseconds. */
interface Tries {
  readonly count: number
  readonly next: number
  /** Present where all of them spelled the name like this. */
  readonly spelling?: string | undefined
}

/**
 * Counts a try at a person. Of any number at once no more than `free` go, then one after each wait. Decided by
 * comparing versions: a count alone could not say when the last one was let go.
 */
export async function tryAtPerson(store: TryStore, counter: Counter<PersonLimit>): Promise<Verdict> {
  const { key, person, spelling, limit, now } = counter
  const name: RecordKey = { kind: waitKind, key }
  for (let round = 0; round < mostRounds; round += 1) {
    const found = await store.getRecord(name, now)
    const before = triesOf(found)
    if (found && before.count >= limit.most) return { kind: "wait", until: found.expires }
    if (before.next > now.getTime()) return { kind: "wait", until: new Date(before.next) }
    const count = before.count + 1
    const next = count < limit.free ? 0 : after(now, waitAfter(count, limit)).getTime()
    const ends = found?.expires ?? after(now, limit.window)
    const isAlike = before.count === 0 || before.spelling === spelling
    const tries = { count, next, ...(isAlike && { spelling }) }
    const record = recordOf({ name, person, tries, found, ends })
    if (await store.putRecord(record, { expected: found?.version ?? 0, now })) {
      const forget: Forget = () => forgetAlike(store, counter, record)
      return { kind: "go", giveBack: () => takeBack(store, counter), forget, isFurther: before.count > 0 }
    }
  }
  return { kind: "wait", until: after(now, limit.wait) }
}

/** Forgets the tries at a person, those of known browsers included. */
export async function forgetPerson(store: TryStore, key: string, now: Date): Promise<void> {
  await store.takeRecord({ kind: waitKind, key }, now)
  await store.deleteRecords(key, { kind: waitKind })
}

/** Forgets the tries in a window. */
export async function forgetWindow(store: TryStore, key: string, now: Date): Promise<void> {
  await store.takeRecord({ kind: countKind, key }, now)
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}

/** Seconds to wait after so many tries: doubled with each beyond the free ones. */
function waitAfter(count: number, { free, wait, longest }: PersonLimit): number {
  return Math.min(longest, wait * 2 ** Math.min(count - free, 40))
}

function triesOf(found: StoredRecord | null): Tries {
  const [count, next, spelling] = (found?.value ?? "").split(" ")
  return { count: Number(count) || 0, next: Number(next) || 0, spelling }
}

interface TryDraft {
  readonly name: RecordKey
  readonly person: string | undefined
  readonly tries: Tries
  readonly found: StoredRecord | null
  readonly ends: Date
}

function recordOf({ name, person, tries, found, ends }: TryDraft): StoredRecord {
  // A record that begins anew has another version than any before: whoever knows an old one must not replace it.
  const [random = 0] = new Uint32Array(randomBytes(4).buffer)
  const version = found ? found.version + 1 : random + 1
  const { count, next, spelling } = tries
  const value = spelling === undefined ? `${count} ${next}` : `${count} ${next} ${spelling}`
  return { ...name, userId: person ?? null, value, version, expires: ends }
}

/** A try that did not count after all, because nothing was checked. */
async function takeBack(store: TryStore, { key, person, limit, now }: Counter<PersonLimit>): Promise<void> {
  const name: RecordKey = { kind: waitKind, key }
  for (let round = 0; round < mostRounds; round += 1) {
    const found = await store.getRecord(name, now)
    if (!found) return
    const { count, next, spelling } = triesOf(found)
    const tries = { count: Math.max(0, count - 1), next: count <= limit.free ? 0 : next, spelling }
    const record = recordOf({ name, person, tries, found, ends: found.expires })
    if (await store.putRecord(record, { expected: found.version, now })) return
  }
}

/** The record ends where its version is compared: a try at somebody else that is made meanwhile is not forgotten. */
async function forgetAlike(
  store: TryStore,
  { key, person, spelling, now }: Counter<PersonLimit>,
  written: StoredRecord,
): Promise<boolean> {
  const name: RecordKey = { kind: waitKind, key }
  let found: StoredRecord | null = written
  for (let round = 0; round < mostRounds && found; round += 1) {
    if (triesOf(found).spelling !== spelling) return false
    const record = recordOf({ name, person, tries: { count: 0, next: 0 }, found, ends: now })
    if (await store.putRecord(record, { expected: found.version, now })) return true
    found = await store.getRecord(name, now)
  }
  return found === null
}
