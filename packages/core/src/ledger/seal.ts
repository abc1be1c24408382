/** Sealing and opening of what records hold. Knows no request: keys and the clock are handed in. */

import { open, seal } from "../crypto/jwe.js"
import type { Keyring } from "../crypto/keyring.js"
import { randomHex } from "../crypto/token.js"
import { AdapterError } from "../errors.js"
import type { Records } from "../ports/records.js"
import { asError } from "../ports/thrown.js"
import type { RecordKey, StoredRecord } from "../types/records.js"

/** What a record holds, open. JSON values only. */
export type RecordContent = Readonly<Record<string, unknown>>

/** A record that is to be stored. */
export interface RecordDraft extends RecordKey {
  readonly userId: string | null
  readonly content: RecordContent
  readonly expires: Date
  /** The record it replaces; its version is what the store has to expect. @default none */
  readonly replaces?: Pick<StoredRecord, "version"> | undefined
}

/** What sealing and opening need. */
export interface RecordSealing {
  /** The first secret seals, any opens. */
  readonly keyring: Keyring
  readonly now: Date
}

/** Where records are kept, and how they are sealed. */
export interface Ledger extends RecordSealing {
  readonly records: Records
}

/** The cipher of session tokens, with a key for each kind: a record of one kind never opens as another. */
const saltOf = (kind: string): string => `latchkey.record.${kind}`

/** The column `expires` alone says when a record ends: an end in the seal as well would be checked by another clock than the store's. */
const forever = 100 * 365 * 24 * 60 * 60

/** Seals a record. Kind, key and owner are sealed with it: whoever writes to the store cannot exchange two values. */
export async function sealRecord(draft: RecordDraft, { keyring, now }: RecordSealing): Promise<StoredRecord> {
  const { kind, key, userId, content, expires, replaces } = draft
  const sealing = { keyring, salt: saltOf(kind), maxAge: forever, now }
  const value = await seal({ key, userId, content }, sealing)
  return { kind, key, userId, value, version: replaces ? replaces.version + 1 : firstVersion(), expires }
}

/** A random version, so that a writer that knows the version of an earlier record of this key cannot replace this one. */
function firstVersion(): number {
  return Number.parseInt(randomHex(6), 16) + 1
}

/**
 * Opens a record.
 * @throws AdapterError (503) when no secret opens it, or when it was sealed for another key or user: that is never the same
 *   as "there is none", or a lost secret would switch second factors off
 */
export async function openRecord(record: StoredRecord, { keyring, now }: RecordSealing): Promise<RecordContent> {
  const { kind, key, userId, value } = record
  const sealed = await openValue(value, { kind, keyring, now })
  if (sealed.key !== key || sealed.userId !== userId) {
    throw unopened(kind, new Error("It was sealed for another key or another user."))
  }
  return sealed.content as RecordContent
}

async function openValue(value: string, { kind, keyring, now }: RecordSealing & { readonly kind: string }) {
  try {
    return await open(value, { keyring, salt: saltOf(kind), now })
  } catch (error) {
    throw unopened(kind, asError(error))
  }
}

function unopened(kind: string, err: Error): AdapterError {
  return new AdapterError(
    `A record of the kind "${kind}" cannot be opened: expected one sealed with one of the secrets. Add the secret that was in use before to AUTH_RECORD_SECRET or AUTH_SECRET, behind the present one.`,
    { cause: { err, operation: "openRecord" } },
  )
}
