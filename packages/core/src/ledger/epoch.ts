/** The ends of all sessions of a user: a record for each user, found by a keyed hash of the id. */
import { sha256 } from "../crypto/token.js"
import { AdapterError } from "../errors.js"
import { toBase64url } from "../std/bytes.js"
import type { StoredRecord } from "../types/records.js"
import type { SessionFacts } from "../types/session-facts.js"
import { type Ledger, openRecord, type RecordContent, sealRecord } from "./seal.js"
import { indexesOf, keyBy, keyOfToken } from "./session.js"

const epochKind = "epoch"

/** The key under which a record of sessions is found with the newest secret; its own where no secret made it. */
export async function currentKeyOf(
  ledger: Pick<Ledger, "keyring">,
  record: Pick<StoredRecord, "kind" | "key" | "userId">,
  content: RecordContent,
): Promise<string> {
  const { sessionToken } = content
  if (record.kind === "session" && typeof sessionToken === "string") return keyOfToken(ledger, sessionToken)
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
      if (epoch) latest = laterOf(epoch, latest)
    }
  }
  return latest
}

/** Of two ends the later one, with the later moment of both. */
function laterOf(one: EpochContent, other: EpochContent | undefined): EpochContent {
  if (!other) return one
  const milliseconds = Math.max(one.milliseconds ?? 0, other.milliseconds ?? 0)
  return { ...(one.at > other.at ? one : other), ...(milliseconds > 0 && { milliseconds }) }
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
  /** Sessions that are there go on. */
  readonly isForSignInsAlone?: true
}

/** Nothing that has ended begins again: a session that ends others excepts itself only where it was not ended with them before. */
function contentOfEpoch(epoch: Epoch, before: EpochContent | undefined): EpochContent {
  const { at: now, except, isForSignInsAlone } = epoch
  const milliseconds = Math.max(Math.round(now * 1000), before?.milliseconds ?? 0)
  if (isForSignInsAlone) return { at: 0, ...before, milliseconds }
  const at = Math.max(Math.floor(now), before?.at ?? 0)
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
  return putEpoch(ledger, given, (before) => laterOf(content, before))
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
