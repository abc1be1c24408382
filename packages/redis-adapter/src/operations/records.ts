/** The verbs of a store of records. */
import type { RecordKey, RecordStore, StoredRecord } from "@latchkey/core/records"
import type { Desk } from "../desk.js"
import type { Promised } from "../promised.js"
import { countRecord, dropRecords, putRecord, takeRecord } from "../record-scripts.js"
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

async function read({ connection, keys }: Desk, name: RecordKey): Promise<StoredRecord | null> {
  const key = keys.record(name)
  return recordOf(name, await connection.send({ key, args: ["HMGET", key, ...fieldNames], isReading: true }))
}

/** The keys that a list of a user names. Some may have been removed, or belong to another user by now. */
async function listed({ connection, keys }: Desk, userId: string): Promise<RecordKey[]> {
  if (!isStorable(String(userId))) return []
  const key = keys.recordsOf(userId)
  const members = await connection.send({ key, args: ["ZRANGE", key, "0", "-1"], isReading: true })
  return (members as unknown[]).map((member) => keyOfMember(String(member)))
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

export function recordOperations(desk: Desk): RecordOperations {
  const { connection, keys } = desk
  const readAll = async (names: readonly RecordKey[]): Promise<StoredRecord[]> =>
    (await Promise.all(names.map((name) => read(desk, name)))).filter((record) => record !== null)
  return {
    ...singles(desk),
    async listRecords(kind, userId) {
      const names = (await listed(desk, userId)).filter((name) => name.kind === kind)
      return (await readAll(names)).filter((record) => record.userId === String(userId))
    },
    async deleteRecords(userId, { kind, except }) {
      const names = (await listed(desk, userId)).filter(
        (name) => (kind === undefined || name.kind === kind) && name.key !== except,
      )
      if (names.length === 0) return 0
      const wanted = names.flatMap((name) => [
        keys.record(name),
        keys.recordsOfKind(name.kind),
        keys.endsOfKind(name.kind),
      ])
      const args = [String(userId), ...names.flatMap((name) => [memberOf(name), name.key])]
      return Number(await run(connection, dropRecords, { keys: [keys.recordsOf(userId), ...wanted], args }))
    },
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
