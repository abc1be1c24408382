/** The records of sessions: one for each, found by its name (jwt) or by a keyed hash of its token (database); and one for each user whose earlier sessions were all ended. */
import { keyedHash, sha256 } from "../crypto/token.js"
import { AdapterError } from "../errors.js"
import { toBase64url } from "../std/bytes.js"
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
function indexesOf({ keyring: { secrets } }: Pick<Ledger, "keyring">): readonly number[] {
  return secrets.length > 1 ? [...secrets.keys(), 0] : [0]
}

async function keyBy(
  { keyring }: Pick<Ledger, "keyring">,
  { index, text }: { readonly index: number; readonly text: string },
): Promise<string> {
  const { bytes } = await keyring.derive(index, "latchkey.record.session.key")
  return keyedHash(bytes, text)
}

const epochKind = "epoch"

/** The key under which a record of sessions is found with the newest secret; its own where no secret made it. */
export async function currentKeyOf(
  ledger: Pick<Ledger, "keyring">,
  record: Pick<StoredRecord, "kind" | "key" | "userId">,
  content: RecordContent,
): Promise<string> {
  const { sessionToken } = content
  if (record.kind === kind && typeof sessionToken === "string") return keyOfToken(ledger, sessionToken)
  if (record.kind !== epochKind) return record.key
  const [text] = await placesOf(record, content)
  return keyBy(ledger, { index: 0, text })
}

/** What the keys of an end are made of. The first one is where it is written. */
type Places = readonly [string, ...string[]]

/** Where the end of a user's sessions is looked for: the second place has those whose record was moved, which does not say whose they are. */
async function placesOfUser(userId: string): Promise<Places> {
  const place = `epoch ${userId}`
  return [place, toBase64url(await sha256(place))]
}

/** Where an end belongs with another secret. Earlier versions wrote whose it is into the record. */
async function placesOf({ userId }: Pick<StoredRecord, "userId">, { name }: RecordContent): Promise<Places> {
  return typeof name === "string" ? [name] : placesOfUser(String(userId))
}

/** Other calls of the same moment may write the same record first. */
const mostAttempts = 20

/**
 * The last end of all sessions of a user that have no record; `undefined`: they never were ended. Instances that are given a
 * new secret one after another may each have written one, under different secrets.
 */
export async function readEpoch(ledger: Ledger, userId: string): Promise<EpochContent | undefined> {
  return latestEpoch(ledger, await placesOfUser(userId))
}

async function latestEpoch(ledger: Ledger, places: Places): Promise<EpochContent | undefined> {
  let latest: EpochContent | undefined
  for (const text of places) {
    for (const index of indexesOf(ledger)) {
      const key = await keyBy(ledger, { index, text })
      const row = await ledger.records.getRecord({ kind: epochKind, key }, ledger.now)
      const epoch = row && epochIn(await openRecord(row, ledger))
      if (epoch && epoch.at > (latest?.at ?? Number.NEGATIVE_INFINITY)) latest = epoch
    }
  }
  return latest
}

/** What is kept of the end of all sessions of a user that have no record. */
export interface EpochContent {
  /** In seconds. */
  readonly at: number
  /** The same in milliseconds; earlier versions did not keep it. */
  readonly milliseconds?: number
  /** The id of the session that ended them: its own record may have just been made. */
  readonly except?: string
}

const epochIn = ({ name, ...content }: RecordContent): EpochContent => content as unknown as EpochContent

/** The end of all sessions of a user that have no record; `expires`: until when one of them could still be valid. */
export interface Epoch {
  readonly userId: string
  /** In seconds, with a fraction. */
  readonly at: number
  /** The session that ends them. */
  readonly except?: Pick<SessionFacts, "id" | "startedAt">
  readonly expires: Date
}

/** Nothing that has ended begins again: a session that ends others excepts itself only where it was not ended with them before. */
function contentOfEpoch({ at: now, except }: Epoch, before: EpochContent | undefined): EpochContent {
  const at = Math.max(Math.floor(now), before?.at ?? 0)
  const milliseconds = Math.max(Math.round(now * 1000), before?.milliseconds ?? 0)
  const isOver = except && before && except.startedAt <= before.at && before.except !== except.id
  return { at, milliseconds, ...(except && !isOver && { except: except.id }) }
}

/** Ends all sessions of a user that have no record and began until `at`, and those whose sign-in is under way. */
export async function writeEpoch(ledger: Ledger, epoch: Epoch): Promise<void> {
  const given = { places: await placesOfUser(epoch.userId), expires: epoch.expires }
  return putEpoch(ledger, given, (before) => contentOfEpoch(epoch, before))
}

/** Writes an end that was kept under an earlier secret, unless there is a later one. */
export async function keepEpoch(
  ledger: Ledger,
  record: Pick<StoredRecord, "userId" | "expires">,
  sealed: RecordContent,
): Promise<void> {
  const given = { places: await placesOf(record, sealed), expires: record.expires }
  const content = epochIn(sealed)
  return putEpoch(ledger, given, (before) => (before && before.at >= content.at ? before : content))
}

/**
 * Nobody is the owner of the record, and it holds no id: it outlives what is removed of a user who is deleted, because the
 * tokens that it ends name that user still.
 */
async function putEpoch(
  ledger: Ledger,
  { places, ...epoch }: { readonly places: Places; readonly expires: Date },
  contentAfter: (before: EpochContent | undefined) => EpochContent,
): Promise<void> {
  const key = await keyBy(ledger, { index: 0, text: places[0] })
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const before = await ledger.records.getRecord({ kind: epochKind, key }, ledger.now)
    // One that no secret opens is written over.
    const opened = before
      ? await openRecord(before, ledger).then(epochIn, () => undefined)
      : await latestEpoch(ledger, places)
    const content = { ...contentAfter(opened), name: places.at(-1) }
    const expires = before && before.expires > epoch.expires ? before.expires : epoch.expires
    const draft = { kind: epochKind, key, userId: null, content, expires, replaces: before ?? undefined }
    const record = await sealRecord(draft, ledger)
    if (await ledger.records.putRecord(record, { expected: before?.version ?? 0, now: ledger.now })) return
  }
  throw new AdapterError(`The record of ended sessions could not be written in ${mostAttempts} attempts.`)
}
