/** The verbs of a store of records. */
import type { RecordKey, RecordStore, StoredRecord } from "@latchkey/core/records"
import type { Desk } from "../desk.js"
import { RedisError } from "../faults.js"
import type { Promised } from "../promised.js"
import { countRecord, dropRecords, putRecord, readRecords, takeRecord } from "../record-scripts.js"
import { run } from "../scripts.js"
import { sweepTime } from "../session-row.js"
import { DamagedRowError, isStorable, milliseconds, storableText } from "../values.js"

/** The verbs, each answering a promise. */
export type RecordOperations = Promised<RecordStore>

const fieldNames = ["user", "value", "version", "expires"] as const

/** The record from its fields, or nothing. @throws DamagedRowError when it is none: a record must not seem absent. */
function recordOf({ kind, key }: RecordKey, fields: unknown): StoredRecord | null {
  if (!Array.isArray(fields)) return null
  const [userId, value, version, end] = fields as readonly (string | null | undefined)[]
  if ([value, version, end].every((field) => field === null || field === undefined)) return null
  const expires = new Date(Number(end ?? Number.NaN))
  if (typeof value !== "string" || !Number.isSafeInteger(Number(version)) || Number.isNaN(expires.getTime())) {
    throw new DamagedRowError("record")
  }
  return { kind, key, userId: userId ?? null, value, version: Number(version), expires }
}

/** Kind and key in a list of a user. A kind has no colon. */
const memberOf = ({ kind, key }: RecordKey): string => `${kind}:${key}`

function keyOfMember(member: string): RecordKey {
  const colon = member.indexOf(":")
  return { kind: member.slice(0, colon), key: member.slice(colon + 1) }
}

const namesOf = (members: unknown): RecordKey[] => (members as unknown[]).map((member) => keyOfMember(String(member)))

async function read({ connection, keys }: Desk, name: RecordKey): Promise<StoredRecord | null> {
  const key = keys.record(name)
  return recordOf(name, await connection.send({ key, args: ["HMGET", key, ...fieldNames], isReading: true }))
}

/** How often the list of one user is read for one answer. */
const mostLooks = 20

/** An answer might lack a record: that is an error, so that nobody takes a session for ended that goes on. */
const restless = (): RedisError =>
  new RedisError("busy", `The records of a user changed while they were read, ${mostLooks} times in a row. Try again.`)

/** The keys that a list of a user names. Some may have been removed, or belong to another user by now. */
async function listed({ connection, keys }: Desk, userId: string): Promise<RecordKey[]> {
  if (!isStorable(String(userId))) return []
  const key = keys.recordsOf(userId)
  return namesOf(await connection.send({ key, args: ["ZRANGE", key, "0", "-1"], isReading: true }))
}

function singles(desk: Desk): Pick<RecordOperations, "getRecord" | "putRecord" | "takeRecord" | "countRecord"> {
  const { connection, keys } = desk
  return {
    getRecord: (key) => read(desk, key),
    async putRecord({ kind, key, userId, value, version, expires }, { expected, now }) {
      const name = { kind, key }
      const [record, end] = [keys.record(name), milliseconds(expires)]
      const [list, member] = userId === null ? [record, ""] : [keys.recordsOf(userId), memberOf(name)]
      const fields = ["value", storableText(value), "version", String(version), "expires", String(end)]
      const args = [
        ...[String(expected), String(milliseconds(now)), sweepTime(end), key, member],
        ...[...fields, ...(userId === null ? [] : ["user", String(userId)])],
      ]
      const put = await run(connection, putRecord, {
        keys: [record, keys.recordsOfKind(kind), keys.endsOfKind(kind), list],
        args,
      })
      return Number(put) === 1
    },
    async takeRecord(name) {
      const taken = [keys.record(name), keys.recordsOfKind(name.kind), keys.endsOfKind(name.kind)]
      return recordOf(name, await run(connection, takeRecord, { keys: taken, args: [name.key] }))
    },
    async countRecord(name, { add, expires, now }) {
      const end = milliseconds(expires)
      const args = [String(add), String(end), String(milliseconds(now)), sweepTime(end)]
      const counted = await run(connection, countRecord, { keys: [keys.record(name)], args })
      const [sum, ends] = (counted as unknown[]).map(Number)
      return { sum: sum ?? 0, expires: new Date(ends ?? end) }
    },
  }
}

/**
 * Lists, then reads. A record that is gone by then may have been replaced by one that was written after the list was read, so
 * both are done again, unless the list names nothing else by now, or all that is gone was gone when the list was read.
 */
async function listRecords(desk: Desk, kind: string, userId: string): Promise<StoredRecord[]> {
  const { connection, keys } = desk
  const ofKind = (names: readonly RecordKey[]): readonly RecordKey[] => names.filter((name) => name.kind === kind)
  let names = ofKind(await listed(desk, userId))
  let gone: ReadonlySet<string> = new Set()
  for (let looks = 0; names.length > 0; looks += 1) {
    if (looks === mostLooks) throw restless()
    const wanted = [keys.recordsOf(userId), ...names.map(keys.record)]
    const [members, rows] = (await run(connection, readRecords, { keys: wanted })) as readonly [unknown[], unknown[]]
    const records = names.map((name, at) => recordOf(name, rows[at]))
    const missing = names.map(({ key }) => key).filter((_, at) => records[at] === null)
    const known = new Set(names.map(({ key }) => key))
    names = ofKind(namesOf(members))
    if (names.every(({ key }) => known.has(key)) || missing.every((key) => gone.has(key))) {
      return records.filter((record) => record !== null).filter((record) => record.userId === String(userId))
    }
    gone = new Set(missing)
  }
  return []
}

/**
 * Lists, then removes, in one script, which takes all it is given from the list of the user. Where it found fewer records than were
 * listed, one may have been replaced by one that was written after the list was read: both steps are done again.
 */
async function deleteRecords(
  desk: Desk,
  userId: string,
  { kind, except }: Parameters<RecordStore["deleteRecords"]>[1],
): Promise<number> {
  const { connection, keys } = desk
  let sum = 0
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const names = (await listed(desk, userId)).filter(
      (name) => (kind === undefined || name.kind === kind) && name.key !== except,
    )
    if (names.length === 0) return sum
    const wanted = names.flatMap((name) => [
      keys.record(name),
      keys.recordsOfKind(name.kind),
      keys.endsOfKind(name.kind),
    ])
    const args = [String(userId), ...names.flatMap((name) => [memberOf(name), name.key])]
    const removed = Number(await run(connection, dropRecords, { keys: [keys.recordsOf(userId), ...wanted], args }))
    sum += removed
    if (removed === names.length) return sum
  }
  throw restless()
}

export function recordOperations(desk: Desk): RecordOperations {
  const { connection, keys } = desk
  const readAll = async (names: readonly RecordKey[]): Promise<StoredRecord[]> =>
    (await Promise.all(names.map((name) => read(desk, name)))).filter((record) => record !== null)
  return {
    ...singles(desk),
    listRecords: (kind, userId) => listRecords(desk, kind, userId),
    deleteRecords: (userId, which) => deleteRecords(desk, userId, which),
    async scanRecords(kind, { after = "", limit }) {
      const key = keys.recordsOfKind(kind)
      const found: StoredRecord[] = []
      for (let last = after; found.length < limit; ) {
        const [from, count] = [last === "" ? "-" : `(${last}`, String(limit - found.length)]
        const args = ["ZRANGEBYLEX", key, from, "+", "LIMIT", "0", count]
        const names = ((await connection.send({ key, args, isReading: true })) as unknown[]).map(String)
        if (names.length === 0) break
        // Names of records that Redis has removed since are passed over.
        found.push(...(await readAll(names.map((name) => ({ kind, key: name })))))
        last = names.at(-1) ?? last
      }
      return found
    },
  }
}
