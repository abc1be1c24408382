/** Records to begin with. */
import type { Adapter, Counted, RecordKey, StoredRecord } from "@latchkey/core/adapters"
import type { Kit } from "./case.js"
import { same, timeOf } from "./check.js"
import { later } from "./samples.js"

/** A time at which nothing of the samples has ended. */
export const early = (): Date => new Date("2036-01-01T00:00:00.000Z")

/** A moment so many milliseconds from the end of the samples. */
export const aroundEnd = (milliseconds: number): Date => new Date(later().getTime() + milliseconds)

/** What every case about single records needs. */
export const reading: readonly (keyof Adapter)[] = ["putRecord", "getRecord"]

/** A kind that no other case and no other run uses. */
export function freshKind(kit: Kit): string {
  // Digits become the letters from "g" on: those before stand in the name already.
  return kit.fresh("k").replaceAll(/\d/g, (digit) => String.fromCharCode(103 + Number(digit)))
}

/** A record that has not been stored. */
export function draftRecord(kit: Kit, members: Partial<StoredRecord> = {}): StoredRecord {
  return Object.freeze({
    kind: "sample",
    key: kit.fresh("record"),
    userId: null,
    value: "sealed.value",
    version: 7,
    expires: later(),
    ...members,
  })
}

/** What a record is asked for by: stores may refuse further members. */
export const recordKey = ({ kind, key }: RecordKey): RecordKey => ({ kind, key })

/** Puts a record where none is, and says whether that was done. */
export async function putNew(kit: Kit, record: StoredRecord, now: Date = early()): Promise<boolean> {
  return await kit.adapter.putRecord(record, { expected: 0, now })
}

/** A stored record. */
export async function newRecord(kit: Kit, members: Partial<StoredRecord> = {}): Promise<StoredRecord> {
  const record = draftRecord(kit, members)
  same(await putNew(kit, record), true, "putRecord where there is none")
  return record
}

/** Adds to a counter. */
export async function count(
  kit: Kit,
  key: RecordKey,
  { add = 1, expires = later(), now = early() }: { add?: number; expires?: Date; now?: Date } = {},
): Promise<Counted> {
  return await kit.adapter.countRecord(recordKey(key), { add, expires, now })
}

/** The counter stands at this sum and ends at this time. */
export function stands(counted: Counted, expected: Counted, what: string): void {
  same(counted.sum, expected.sum, `${what}: the sum`)
  same(timeOf(counted.expires, `${what}: the end`), expected.expires.getTime(), `${what}: the end`)
}

/** The keys of records, in the order of their characters' codes. */
export function keysOf(records: readonly RecordKey[]): readonly string[] {
  return records.map(({ key }) => key).sort()
}
