/** Sealing records anew, before a secret is retired: walks all records of the kinds that are sealed, in pages. */
import type { Keyring } from "../crypto/keyring.js"
import { AdapterError } from "../errors.js"
import type { StoredRecord } from "../types/records.js"
import { currentKeyOf, keepEpoch } from "./epoch.js"
import { type Ledger, openRecord, type RecordContent, type RecordSealing, sealRecord } from "./seal.js"

/** The kinds of records that the service seals. */
export const sealedKinds: readonly string[] = ["session", "epoch", "passkey"]

/** How many records there are, by what opens them. */
export interface SealCount {
  /** Sealed with the newest secret already. */
  readonly current: number
  /** Opened or found by an earlier secret alone; a run that seals has sealed them anew. */
  readonly earlier: number
  /** Opened by none of the secrets. */
  readonly unopened: number
}

/** What the walk needs. */
export interface SealWalk extends Ledger {
  /** Beside those that the service seals. */
  readonly kinds: readonly string[]
  /** `false` counts, and writes nothing. */
  readonly isWriting: boolean
  /** Called after each page. */
  readonly onProgress: (soFar: SealCount) => void
}

type Found = keyof SealCount | undefined

/** Records of a page. */
const pageSize = 100

/** How often a record is sealed that others write meanwhile. */
const attemptsAtMost = 10

/**
 * Walks the records, and seals anew what only an earlier secret opens. A run that was broken off is simply begun again:
 * what is done is passed over. What somebody writes meanwhile is read again, and what somebody removes is not counted.
 * @throws AdapterError when the store fails, or a process that lacks the newest secret goes on writing a record
 */
export async function walkSeals(walk: SealWalk): Promise<SealCount> {
  const count = { current: 0, earlier: 0, unopened: 0 }
  for (const kind of new Set([...sealedKinds, ...walk.kinds])) {
    let after: string | undefined
    for (;;) {
      const page = await walk.records.scanRecords(kind, { limit: pageSize, ...(after !== undefined && { after }) })
      for (const record of page) {
        const found = record.expires > walk.now ? await visit(walk, record) : undefined
        if (found) count[found] += 1
      }
      walk.onProgress({ ...count })
      after = page.at(-1)?.key
      if (page.length < pageSize) break
    }
  }
  return count
}

/** What became of a record; `undefined` where it was removed meanwhile. */
async function visit(walk: SealWalk, record: StoredRecord, attempts = attemptsAtMost): Promise<Found> {
  const { keyring, now, isWriting, records } = walk
  const content = await openRecord(record, { keyring, now }).catch(() => undefined)
  if (content === undefined) return "unopened"
  const key = await currentKeyOf({ keyring }, record, content)
  const isInPlace = key === record.key || isNamedAsSealed(record)
  if (isInPlace && (await opens(record, { keyring: newestOf(keyring), now }))) return "current"
  if (!isWriting) return "earlier"
  if (key !== record.key) return move(walk, { record, content, key })
  if (await sealInPlace(walk, record, content)) return "earlier"
  // What another process wrote may be sealed with the earlier secret again.
  const written = await records.getRecord({ kind: record.kind, key }, now)
  if (written === null) return undefined
  if (attempts > 1) return visit(walk, written, attempts - 1)
  throw new AdapterError(
    `A record of the kind "${record.kind}" was written by another process each of ${attemptsAtMost} times, with an earlier secret. Give every process the newest secret, and seal again.`,
    { cause: { operation: "putRecord" } },
  )
}

/** An end of nobody's sessions has two places, and does not say which one it is at: the secret that sealed it has made its key as well. */
const isNamedAsSealed = ({ kind, userId }: StoredRecord): boolean => kind === "epoch" && userId === null

/** Says whether it did: another write may have come first. */
async function sealInPlace(walk: SealWalk, record: StoredRecord, content: RecordContent): Promise<boolean> {
  const sealed = await sealRecord({ ...record, content, replaces: record }, walk)
  return walk.records.putRecord(sealed, { expected: record.version, now: walk.now })
}

interface Move {
  readonly record: StoredRecord
  readonly content: RecordContent
  /** Where it is found with the newest secret. */
  readonly key: string
}

/**
 * Moves a record whose key an earlier secret made: without that secret nobody would find it. The new one is there before
 * the old one goes, so that no session is missing meanwhile; what was ended meanwhile stays ended.
 */
async function move(walk: SealWalk, { record, content, key }: Move): Promise<Found> {
  const { records, now } = walk
  if (record.kind === "epoch") return moveEpoch(walk, record, content)
  const moved = await sealRecord({ ...record, key, content }, walk)
  const isMoved = await records.putRecord(moved, { expected: 0, now })
  const old = await records.takeRecord({ kind: record.kind, key: record.key }, now)
  if (!isMoved) return old === null ? "current" : "earlier"
  if (old === null) {
    await records.takeRecord({ kind: record.kind, key }, now)
    return undefined
  }
  if (old.version !== record.version) await sealInPlace(walk, moved, await openRecord(old, walk))
  return "earlier"
}

/** Instances with different secrets in front may each have written one: the latest end stays. */
async function moveEpoch(walk: SealWalk, record: StoredRecord, content: RecordContent): Promise<Found> {
  await keepEpoch(walk, record, content)
  const old = await walk.records.takeRecord({ kind: record.kind, key: record.key }, walk.now)
  if (old && old.version !== record.version) await moveEpoch(walk, old, await openRecord(old, walk))
  return old === null ? "current" : "earlier"
}

function newestOf(keyring: Keyring): Keyring {
  return { secrets: keyring.secrets.slice(0, 1), derive: (index, salt) => keyring.derive(index, salt) }
}

async function opens(record: StoredRecord, sealing: RecordSealing): Promise<boolean> {
  return openRecord(record, sealing).then(
    () => true,
    () => false,
  )
}
