/** Records: the small durable things the service keeps beside people and sessions, and the store that keeps them. */

import type { Awaitable } from "./identity.js"

/** Names a record. */
export interface RecordKey {
  /** What it is, such as "session" or "lease": 1 to 32 characters of a-z and "-". */
  readonly kind: string
  /**
   * Which one of its kind: 1 to 64 characters of base64url (RFC 4648 §5). Never an address or a secret; the service
   * hashes those with a key first.
   */
  readonly key: string
}

/** A small durable thing the service keeps. */
export interface StoredRecord extends RecordKey {
  /** Whose it is, as text; `null` when nobody's. No foreign key: people may live in another store. */
  readonly userId: string | null
  /** Text of at most 16 KiB in UTF-8, sealed by the service: to the store it means nothing. */
  readonly value: string
  /**
   * A whole number from 1 to 2^53 - 1 that differs with each change. The service chooses it, and the store keeps it: one
   * more than the version before, and a random one for a record that is new.
   */
  readonly version: number
  /** From this moment on it counts as absent, by the clock of the service. Exact to the millisecond. */
  readonly expires: Date
}

/** When a record is to be written. */
export interface PutCondition {
  /** The version that has to be stored; 0: none, or one that has ended at `now`. */
  readonly expected: number
  /** The clock of the service. */
  readonly now: Date
}

/** What is added to a counter. */
export interface CountAddition {
  /**
   * A whole number. Above 0 it begins the counter where there is none, or only an ended one. 0 reads. Below 0 it takes
   * back what was added: only from a counter that is there and ends at exactly `expires`. 0 and less write nothing else.
   */
  readonly add: number
  /** When the counter ends. Set by the addition that begins it; later ones change nothing of it. */
  readonly expires: Date
  /** The clock of the service. */
  readonly now: Date
}

/** A counter after an addition. */
export interface Counted {
  /** The sum since the counter began; 0 where there is none. */
  readonly sum: number
  /** When the counter ends; where there is none, the end that was given. */
  readonly expires: Date
}

/** Which records of a user are removed. */
export interface DeleteCondition {
  /** Only records of this kind. @default records of all kinds */
  readonly kind?: string
  /** The key of a record that stays. */
  readonly except?: string
}

/** A page of records. */
export interface ScanPage {
  /** The last key of the page before. @default the first page */
  readonly after?: string
  /** At most so many records; at least 1. */
  readonly limit: number
}

/**
 * Keeps records. Every verb is one atomic step, also among processes. A store that cannot answer throws; it never says
 * "none". Removing a user removes no records: that is `deleteRecords`.
 *
 * A store may drop records that have ended, or hand them out still; the service compares `expires` with its own clock.
 * It should not drop one before that moment by a clock of its own that runs ahead.
 *
 * A kind holds either records or counters. Counters are touched by `countRecord` and removed by `takeRecord`; no other
 * verb is asked about them.
 */
export interface RecordStore {
  /** Returns the record, or `null`. */
  getRecord(key: RecordKey): Awaitable<StoredRecord | null>
  /**
   * Writes the record when the stored version is `expected`, and says whether it did: of many callers with the same
   * expectation one succeeds. A record that has ended at `now` counts as absent: only 0 replaces it.
   */
  putRecord(record: StoredRecord, given: PutCondition): Awaitable<boolean>
  /** Removes and returns: of many callers one gets the record, the others `null`. */
  takeRecord(key: RecordKey): Awaitable<StoredRecord | null>
  /** Adds to a counter, and returns its sum and its end after that. */
  countRecord(key: RecordKey, given: CountAddition): Awaitable<Counted>
  /** Lists what a user has of a kind, in any order; an empty list when there is nothing. */
  listRecords(kind: string, userId: string): Awaitable<readonly StoredRecord[]>
  /** Removes what a user has, and returns how many records that were. */
  deleteRecords(userId: string, given: DeleteCondition): Awaitable<number>
  /**
   * A page of all records of a kind, by ascending key (compared by character code), for maintenance. Records that are
   * there from the first page to the last one are on exactly one page; a page that is not full is the last one.
   */
  scanRecords(kind: string, given: ScanPage): Awaitable<readonly StoredRecord[]>
}

/** The names of the seven verbs of a {@link RecordStore}. */
export const recordVerbs: readonly (keyof RecordStore)[] = [
  "getRecord",
  "putRecord",
  "takeRecord",
  "countRecord",
  "listRecords",
  "deleteRecords",
  "scanRecords",
]
