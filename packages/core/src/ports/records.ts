/** The store of records as the engine sees it: total. What has ended is absent by the clock of the request; a store that cannot answer is a fault, never "none". */

import { AdapterError, MissingAdapter } from "../errors.js"
import { utf8 } from "../std/bytes.js"
import {
  type CountAddition,
  type Counted,
  type DeleteCondition,
  type PutCondition,
  type RecordKey,
  type RecordStore,
  recordVerbs,
  type ScanPage,
  type StoredRecord,
} from "../types/records.js"
import { withExpiry } from "./rows.js"
import { asError } from "./thrown.js"

/** A total store of records. Every verb rejects with an `AdapterError` when the store fails or answers nonsense. */
export interface Records {
  /** Is there a store at all? Without one every verb rejects with `MissingAdapter`. */
  readonly isPresent: boolean
  getRecord(key: RecordKey, now: Date): Promise<StoredRecord | null>
  putRecord(record: StoredRecord, given: PutCondition): Promise<boolean>
  takeRecord(key: RecordKey, now: Date): Promise<StoredRecord | null>
  countRecord(key: RecordKey, given: CountAddition): Promise<Counted>
  listRecords(owner: { readonly kind: string; readonly userId: string }, now: Date): Promise<readonly StoredRecord[]>
  deleteRecords(userId: string, given?: DeleteCondition): Promise<number>
  /** Holds what has ended as well: maintenance sees everything. */
  scanRecords(kind: string, given: ScanPage): Promise<readonly StoredRecord[]>
}

/** The verbs an object lacks; found on its prototype as well. */
export function missingVerbs(store: object): readonly (keyof RecordStore)[] {
  const offered = store as Readonly<Record<string, unknown>>
  return recordVerbs.filter((verb) => typeof offered[verb] !== "function")
}

/** Where records are kept: the store that was named, else the adapter where it has all verbs. */
export function recordStoreOf(given: {
  readonly records: object | undefined
  readonly adapter: object | undefined
}): RecordStore | undefined {
  const store = given.records ?? given.adapter
  return store && missingVerbs(store).length === 0 ? (store as RecordStore) : undefined
}

/** Makes a store of records total. */
export function createRecords(store: RecordStore | undefined): Records {
  const perform = <T>(verb: keyof RecordStore, work: (store: RecordStore) => Promise<T>): Promise<T> =>
    store === undefined
      ? Promise.reject(missing(verb))
      : work(store).catch((thrown) => Promise.reject(failed(verb, thrown)))
  const living = (row: StoredRecord | null, now: Date): StoredRecord | null =>
    row !== null && row.expires > now ? row : null
  return Object.freeze<Records>({
    isPresent: store !== undefined,
    async getRecord(key, now) {
      mustBeKey(key)
      return living(await perform("getRecord", async (it) => rowOf(await it.getRecord({ ...key }))), now)
    },
    async putRecord(record, given) {
      mustBeRecord(record)
      return perform("putRecord", async (it) => yesOrNo(await it.putRecord({ ...record }, { ...given })))
    },
    async takeRecord(key, now) {
      mustBeKey(key)
      return living(await perform("takeRecord", async (it) => rowOf(await it.takeRecord({ ...key }))), now)
    },
    async countRecord(key, given) {
      mustBeKey(key)
      return perform("countRecord", async (it) => countedOf(await it.countRecord({ ...key }, { ...given })))
    },
    async listRecords({ kind, userId }, now) {
      const rows = await perform("listRecords", async (it) => rowsOf(await it.listRecords(kind, userId)))
      return rows.filter((row) => living(row, now) !== null)
    },
    async deleteRecords(userId, given = {}) {
      return perform("deleteRecords", async (it) => wholeNumber(await it.deleteRecords(userId, { ...given }), "number"))
    },
    async scanRecords(kind, given) {
      return perform("scanRecords", async (it) => rowsOf(await it.scanRecords(kind, { ...given })))
    },
  })
}

function missing(verb: string): MissingAdapter {
  return new MissingAdapter(
    `"records": expected a store of records for the operation "${verb}", received none. Set "records", or an "adapter" that keeps records.`,
  )
}

function failed(operation: string, thrown: unknown): AdapterError {
  return new AdapterError(`The operation "${operation}" of the store of records failed.`, {
    cause: { err: asError(thrown), operation },
  })
}

/** Bytes of a value. */
const longestValue = 16 * 1024
const kindPattern = /^[a-z-]{1,32}$/
const keyPattern = /^[A-Za-z0-9_-]{1,64}$/

function mustBeKey({ kind, key }: RecordKey): void {
  if (!kindPattern.test(kind))
    throw new TypeError(`kind: expected 1 to 32 characters of a-z and "-", received ${kind.length}.`)
  if (!keyPattern.test(key))
    throw new TypeError(`key: expected 1 to 64 characters of base64url, received ${key.length}.`)
}

function mustBeRecord(record: StoredRecord): void {
  mustBeKey(record)
  const { length } = utf8(record.value)
  if (length > longestValue) throw new RangeError(`value: expected at most ${longestValue} bytes, received ${length}.`)
}

function rowOf(answer: unknown): StoredRecord | null {
  if (answer === undefined || answer === null) return null
  const { kind, key, userId, value, version, expires } = withExpiry(answer as Record<string, unknown>)
  if (typeof value !== "string") throw new TypeError(`Expected a string in "value", received a ${typeof value}.`)
  return {
    kind: String(kind),
    key: String(key),
    userId: userId === undefined || userId === null ? null : String(userId),
    value,
    version: wholeNumber(version, "version"),
    expires: expires as Date,
  }
}

function rowsOf(answer: unknown): readonly StoredRecord[] {
  if (!Array.isArray(answer)) throw new TypeError(`Expected a list of records, received a ${typeof answer}.`)
  return answer.map(rowOf).filter((row) => row !== null)
}

/** Whether a record was written must never be guessed. */
function yesOrNo(answer: unknown): boolean {
  if (typeof answer === "boolean") return answer
  throw new TypeError(`Expected true or false, received a ${typeof answer}.`)
}

function countedOf(answer: unknown): Counted {
  const { sum, expires } = withExpiry((answer ?? {}) as Record<string, unknown>)
  return { sum: wholeNumber(sum, "sum"), expires: expires as Date }
}

/** Drivers hand out large columns as text or as a `bigint`. */
function wholeNumber(value: unknown, member: string): number {
  const number =
    typeof value === "bigint" || (typeof value === "string" && /^-?\d+$/.test(value)) ? Number(value) : value
  if (typeof number === "number" && Number.isSafeInteger(number)) return number
  throw new TypeError(`Expected a whole number in "${member}", received a ${typeof value}.`)
}
