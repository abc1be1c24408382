/** Every operation once, on one person, with the number of statements it takes. */
import type { SqlAdapter } from "@latchkey/sql-adapter"
import { expires, passkey } from "./people.js"

const key = { provider: "p", providerAccountId: "1" }

const record = { kind: "sample", key: "r", userId: "1", value: "sealed", version: 7, expires }
const attempts = { kind: "attempts", key: "a" }
const now = new Date("2026-01-01T00:00:00Z")

/** Statements on a database whose writes answer rows, and on one whose writes do not. */
// biome-ignore format: a table, each operation stays on one line
export const operations: Record<string, [answering: number, silent: number, call: (adapter: SqlAdapter) => unknown]> = {
  createUser:                 [1, 1, (it) => it.createUser({ id: "1", email: "ada@example.test", emailVerified: null })],
  getUser:                    [1, 1, (it) => it.getUser("1")],
  getUserByEmail:             [1, 1, (it) => it.getUserByEmail("ada@example.test")],
  linkAccount:                [1, 1, (it) => it.linkAccount({ ...key, userId: "1", type: "oauth" })],
  getUserByAccount:           [1, 1, (it) => it.getUserByAccount(key)],
  getAccount:                 [1, 1, (it) => it.getAccount("1", "p")],
  updateAccount:              [1, 2, (it) => it.updateAccount({ ...key, access_token: "a" })],
  updateUser:                 [1, 2, (it) => it.updateUser({ id: "1", name: "Ada" })],
  createSession:              [1, 1, (it) => it.createSession({ sessionToken: "s", userId: "1", expires })],
  getSessionAndUser:          [1, 1, (it) => it.getSessionAndUser("s")],
  updateSession:              [1, 2, (it) => it.updateSession({ sessionToken: "s", expires })],
  listSessionsByUserId:       [1, 1, (it) => it.listSessionsByUserId("1")],
  deleteSession:              [1, 2, (it) => it.deleteSession("s")],
  deleteSessionsByUserId:     [1, 1, (it) => it.deleteSessionsByUserId("1")],
  createVerificationToken:    [1, 1, (it) => it.createVerificationToken({ identifier: "i", token: "t", expires })],
  useVerificationToken:       [1, 2, (it) => it.useVerificationToken({ identifier: "i", token: "t" })],
  createAuthenticator:        [1, 1, (it) => it.createAuthenticator(passkey)],
  getAuthenticator:           [1, 1, (it) => it.getAuthenticator("c")],
  listAuthenticatorsByUserId: [1, 1, (it) => it.listAuthenticatorsByUserId("1")],
  updateAuthenticatorCounter: [1, 2, (it) => it.updateAuthenticatorCounter("c", 1)],
  deleteExpired:              [9, 12, (it) => it.deleteExpired(new Date(0))],
  putRecord:                  [1, 1, (it) => it.putRecord(record, { expected: 0, now })],
  "putRecord again":          [1, 1, (it) => it.putRecord({ ...record, version: 8 }, { expected: 7, now })],
  getRecord:                  [1, 1, (it) => it.getRecord(record)],
  listRecords:                [1, 1, (it) => it.listRecords("sample", "1")],
  scanRecords:                [1, 1, (it) => it.scanRecords("sample", { limit: 9 })],
  takeRecord:                 [1, 2, (it) => it.takeRecord(record)],
  countRecord:                [1, 1, (it) => it.countRecord(attempts, { add: 1, expires, now })],
  "countRecord again":        [1, 2, (it) => it.countRecord(attempts, { add: 1, expires, now })],
  "countRecord of 0":         [1, 1, (it) => it.countRecord(attempts, { add: 0, expires, now })],
  deleteRecords:              [1, 1, (it) => it.deleteRecords("1", {})],
  unlinkAccount:              [1, 2, (it) => it.unlinkAccount(key)],
  createUserWithAccount:      [4, 5, (it) => it.createUserWithAccount({ id: "2", email: "", emailVerified: null }, { ...key, type: "oauth" })],
  deleteUser:                 [6, 8, (it) => it.deleteUser("1")],
}
