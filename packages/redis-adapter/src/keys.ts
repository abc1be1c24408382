/** The names of keys. None contains a secret or an address: what identifies a person is hashed. */
import { createHash } from "node:crypto"
import type { RecordKey } from "@latchkey/core/records"
import { nameOf, storableText } from "./values.js"

/** The keys of one adapter. Everything about people has one hash tag, so that one script can change it as a whole. */
export interface Keys {
  /** A hash: owner, end. */
  session(tokenHash: string): string
  /** A sorted set: the token hashes of a user's sessions, by their end. */
  sessionsOf(userId: unknown): string
  verificationToken(identifier: string, token: string): string
  user(userId: unknown): string
  /** Leads to the id of the user with this address, whatever its case. */
  email(email: string): string
  account(provider: string, providerAccountId: string): string
  authenticator(credentialID: string): string
  /** A set: the keys of a user's accounts. */
  accountsOf(userId: unknown): string
  /** A set: the keys of a user's authenticators. */
  authenticatorsOf(userId: unknown): string
  /** A hash: user, value, version, end; of a counter, sum and end. */
  record(key: RecordKey): string
  /** A sorted set: `<kind>:<key>` of a user's records, by the time they are removed. */
  recordsOf(userId: unknown): string
  /** A sorted set: the keys of all records of a kind, in the order of their characters. */
  recordsOfKind(kind: string): string
  /** A sorted set: the same keys, by the time they are removed. */
  endsOfKind(kind: string): string
}

/** The prefix when none is given. */
export const defaultPrefix = "latchkey"

const plainPrefix = /^[\w:.-]{1,64}$/

/** SHA-256 of a string, in hex. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

/** Several texts as one hash that no other texts have: JSON keeps them apart, and keeps broken Unicode as it is. */
function fingerprint(...texts: readonly string[]): string {
  return sha256(JSON.stringify(texts.map(nameOf)))
}

/** @throws TypeError when the prefix could mean something else inside a key. */
export function createKeys(prefix: string = defaultPrefix): Keys {
  if (typeof prefix !== "string" || !plainPrefix.test(prefix)) {
    throw new TypeError(
      'The prefix must be 1 to 64 letters, digits, or characters of "_:.-". Braces would change the hash tag.',
    )
  }
  // One tag for each prefix: two applications in one cluster do not crowd one node.
  const people = `{${prefix}}`
  const records = `{${prefix}:records}`
  const id = (userId: unknown): string => storableText(nameOf(userId))
  return {
    session: (tokenHash) => `${prefix}:session:${tokenHash}`,
    sessionsOf: (userId) => `${prefix}:sessions-of:${id(userId)}`,
    verificationToken: (identifier, token) => `${prefix}:verification-token:${fingerprint(identifier, token)}`,
    user: (userId) => `${people}:user:${id(userId)}`,
    email: (email) => `${people}:email:${fingerprint(email.toLowerCase())}`,
    account: (provider, providerAccountId) => `${people}:account:${fingerprint(provider, providerAccountId)}`,
    authenticator: (credentialID) => `${people}:authenticator:${fingerprint(credentialID)}`,
    accountsOf: (userId) => `${people}:accounts-of:${id(userId)}`,
    authenticatorsOf: (userId) => `${people}:authenticators-of:${id(userId)}`,
    record: ({ kind, key }) => `${records}:record:${kind}:${key}`,
    recordsOf: (userId) => `${records}:of:${id(userId)}`,
    recordsOfKind: (kind) => `${records}:kind:${kind}`,
    endsOfKind: (kind) => `${records}:ends:${kind}`,
  }
}
