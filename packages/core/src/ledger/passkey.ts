/** The record of a passkey: what the table of authenticators has no column for; and who is about to remove one. */
import { sha256 } from "../crypto/token.js"
import { toBase64url } from "../std/bytes.js"
import { secondsAfter } from "../std/time.js"
import type { CountAddition, RecordKey, StoredRecord } from "../types/records.js"
import { type Ledger, openRecord, sealRecord } from "./seal.js"

/** What is noted of a passkey; times in seconds. */
export interface PasskeyNote {
  readonly name?: string
  /** AAGUID of the authenticator (WebAuthn Level 3 §6.5.1), as text. */
  readonly model?: string
  readonly addedAt?: number
  readonly usedAt?: number
}

const lifetime = 10 * 365 * 24 * 60 * 60

/** Reads a note; an empty one when there is none, or none that opens. @throws AdapterError when the records cannot be asked */
export async function readPasskeyNote(ledger: Ledger, credentialID: string): Promise<PasskeyNote> {
  return noteIn(await ledger.records.getRecord(await keyOf(credentialID), ledger.now), ledger)
}

/** A note that no secret opens is an empty one: it is a description, and keeps no passkey from being listed or removed. */
async function noteIn(record: StoredRecord | null, ledger: Ledger): Promise<PasskeyNote> {
  return record ? openRecord(record, ledger).catch(() => ({})) : {}
}

/**
 * Adds to a note; one that says when the passkey was added begins it, whatever an earlier user of the same credential has left. Says
 * whether it was kept: not when others write to it all the time.
 */
export async function writePasskeyNote(
  ledger: Ledger,
  given: { readonly credentialID: string; readonly userId: string | null; readonly note: PasskeyNote },
): Promise<boolean> {
  const { records, now } = ledger
  const key = await keyOf(given.credentialID)
  for (let tries = 0; tries < 3; tries++) {
    const before = await records.getRecord(key, now)
    const earlier = given.note.addedAt === undefined ? await noteIn(before, ledger) : {}
    const content = { ...earlier, ...given.note }
    const draft = { ...key, userId: given.userId, content, expires: secondsAfter(now, lifetime) }
    const record = await sealRecord({ ...draft, replaces: before ?? undefined }, ledger)
    if (await records.putRecord(record, { expected: before?.version ?? 0, now })) return true
  }
  return false
}

/** Forgets a note. */
export async function forgetPasskeyNote({ records, now }: Ledger, credentialID: string): Promise<void> {
  await records.takeRecord(await keyOf(credentialID), now)
}

async function keyOf(credentialID: string): Promise<RecordKey> {
  return { kind: "passkey", key: toBase64url(await sha256(credentialID)) }
}

/** Seconds. A removal that takes longer has died, or is looked at once more afterwards. */
const longestRemoval = 60

/** A removal of a passkey that is under way. */
export interface Removal {
  /** How many there are of the user's passkeys at this moment, this one included. */
  readonly count: number
  readonly finish: () => Promise<void>
}

/** Tells all other removals of a user's passkeys of this one, and says how many there are. */
export async function beginRemoval({ records, now }: Ledger, userId: string): Promise<Removal> {
  const key = { kind: "removal", key: toBase64url(await sha256(userId)) }
  const count = (given: Pick<CountAddition, "add" | "expires">) => records.countRecord(key, { ...given, now })
  const { sum, expires } = await count({ add: 1, expires: secondsAfter(now, longestRemoval) })
  return { count: sum, finish: async () => void (await count({ add: -1, expires })) }
}
