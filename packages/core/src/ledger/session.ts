/** The records of sessions: one for each, found by its name (jwt) or by a keyed hash of its token (database). */
import { keyedHash } from "../crypto/token.js"
import type { AccountKey } from "../types/adapter.js"
import type { ProviderType } from "../types/identity.js"
import type { StoredRecord } from "../types/records.js"
import type { SessionFacts } from "../types/session-facts.js"
import { type Ledger, openRecord, type RecordContent, sealRecord } from "./seal.js"

/** What is kept of a session. */
export interface SessionContent {
  readonly facts: SessionFacts
  readonly via?: { readonly provider: string; readonly type: ProviderType }
  /** The account that it began with, or the one that it goes on from: with an account that is taken back, it ends. */
  readonly beganWith?: AccountKey
  readonly client: Readonly<Record<string, string>>
  /** When it was last extended, in seconds. */
  readonly seenAt: number
  /** How often it got a new token. */
  readonly generation: number
  /** jwt: until when the token before the present one is believed, in seconds. */
  readonly graceUntil?: number
  /** database: another record has taken its place. */
  readonly isReplaced?: true
  /** The user stood in the store when the session began, so that it ends when they are deleted. */
  readonly isStored?: true
  /** Who acts stood in the store when they began, so that it ends when they are deleted. */
  readonly isActorStored?: true
  /** Its place among the sign-ins of the user, where they are counted. Sessions that began at once may have the same. */
  readonly turn?: number
  /** The sessions that this one goes on from, with accounts added, the last at the end: whoever was ending one of them at the same moment ends this one. */
  readonly follows?: readonly string[]
  /** How often those got a new token, where any did. */
  readonly earlierTokens?: number
  /** database: what names the row. */
  readonly sessionToken?: string
}

/** The record of a session, open. */
export interface SessionRecord {
  readonly key: string
  readonly userId: string | null
  readonly version: number
  readonly expires: Date
  readonly content: SessionContent
}

/** A record that is to be written. `version`: that of the record it replaces; without one it is new. */
export type SessionDraft = Omit<SessionRecord, "version"> & { readonly version?: number }

const kind = "session"

/** The record under a key; `null` when there is none. */
export async function readSession(ledger: Ledger, key: string): Promise<SessionRecord | null> {
  const row = await ledger.records.getRecord({ kind, key }, ledger.now)
  return row && opened(row, ledger)
}

/** Writes a record. `false`: it was changed or ended meanwhile, and nothing was written. */
export async function writeSession(ledger: Ledger, draft: SessionDraft): Promise<boolean> {
  const { content, version, ...rest } = draft
  const replaces = version === undefined ? undefined : { version }
  const given = { ...rest, kind, content: content as unknown as RecordContent, replaces }
  const record = await sealRecord(given, ledger)
  return ledger.records.putRecord(record, { expected: version ?? 0, now: ledger.now })
}

/** Removes a record, and says whether it was there. */
export async function takeSession({ records, now }: Ledger, key: string): Promise<boolean> {
  return (await records.takeRecord({ kind, key }, now)) !== null
}

/** The records of a user's sessions. One that no secret opens hides none of the others. */
export async function listSessions(ledger: Ledger, userId: string): Promise<readonly SessionRecord[]> {
  const rows = await ledger.records.listRecords({ kind, userId }, ledger.now)
  const records = await Promise.all(rows.map((row) => openedOrNull(row, ledger)))
  return records.filter((record) => record !== null)
}

/** Removes the records of a user's sessions that no secret opens: with an earlier secret they would open again. Says whether there were any. */
export async function takeUnopened(ledger: Ledger, userId: string): Promise<boolean> {
  let isAny = false
  for (const row of await ledger.records.listRecords({ kind, userId }, ledger.now)) {
    if ((await openedOrNull(row, ledger)) !== null) continue
    isAny = true
    await takeSession(ledger, row.key)
  }
  return isAny
}

const openedOrNull = (row: StoredRecord, ledger: Ledger): Promise<SessionRecord | null> =>
  opened(row, ledger).catch(() => null)

/** Removes the records of a user's sessions. */
export function deleteSessions({ records }: Ledger, userId: string): Promise<number> {
  return records.deleteRecords(userId, { kind })
}

async function opened(row: StoredRecord, ledger: Ledger): Promise<SessionRecord> {
  const { key, userId, version, expires } = row
  const content = (await openRecord(row, ledger)) as unknown as SessionContent
  return { key, userId, version, expires, content }
}

/** The key of the session that a token names. */
export function keyOfToken(ledger: Pick<Ledger, "keyring">, sessionToken: string): Promise<string> {
  return keyBy(ledger, { index: 0, text: sessionToken })
}

/** The record of the session that a token names: its key may have been made with an earlier secret. */
export async function findSession(ledger: Ledger, sessionToken: string): Promise<SessionRecord | null> {
  for (const index of indexesOf(ledger)) {
    const record = await readSession(ledger, await keyBy(ledger, { index, text: sessionToken }))
    if (record) return record
  }
  return null
}

/** Where a record is looked for. Under the newest secret once more at the end: one that is moved there meanwhile is gone from where it was. */
export function indexesOf({ keyring: { secrets } }: Pick<Ledger, "keyring">): readonly number[] {
  return secrets.length > 1 ? [...secrets.keys(), 0] : [0]
}

/** A key that is made with one of the secrets. */
export async function keyBy(
  { keyring }: Pick<Ledger, "keyring">,
  { index, text }: { readonly index: number; readonly text: string },
): Promise<string> {
  const { bytes } = await keyring.derive(index, "latchkey.record.session.key")
  return keyedHash(bytes, text)
}
