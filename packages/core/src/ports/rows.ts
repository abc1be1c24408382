/** Rows as adapters return them, normalised: `undefined` becomes `null`, dates as ISO 8601 strings become dates. */
import { isDate } from "../std/time.js"
import type { Adapter } from "../types/adapter.js"
import type { RecordStore } from "../types/records.js"

/** Operations that every store answers, if only with an error; those on records are made total in `ports/records.ts`. */
export type StoreOperation = Exclude<
  keyof Adapter,
  | "emptyEmail"
  | "transaction"
  | "createUserWithAccount"
  | "listAccountsByUserId"
  | "deleteSessionsByUserId"
  | "listSessionsByUserId"
  | "updateAccount"
  | "deleteExpired"
  | keyof RecordStore
>

/** Makes an adapter's answer whole, or throws when nothing sensible can be made of it. */
type Settle = (answer: unknown, given: unknown) => unknown

type Row = Record<string, unknown>

const orNull: Settle = (answer) => answer ?? null
const user: Settle = (answer) => (answer ? wholeUser(answer as Row) : null)
const dated: Settle = (answer) => (answer ? withDate(answer as Row, "expires") : null)
const expiring: Settle = (answer) => (answer ? withExpiry(answer as Row) : null)
const requiredUser: Settle = (answer) => user(required(answer), undefined)
/** The row as it was handed over stands for an adapter that stores it and returns nothing. */
const expiringOrGiven: Settle = (answer, given) => withExpiry((answer ?? given) as Row)

/** How the answer of each operation is made whole. */
export const settlements: Readonly<
  Record<
    StoreOperation | "createUserWithAccount" | "deleteSessionsByUserId" | "listAccountsByUserId" | "updateAccount",
    Settle
  >
> = {
  createUser: requiredUser,
  getUser: user,
  getUserByEmail: user,
  getUserByAccount: user,
  updateUser: requiredUser,
  deleteUser: user,
  linkAccount: orNull,
  unlinkAccount: orNull,
  getAccount: orNull,
  createSession: expiringOrGiven,
  getSessionAndUser: sessionAndUser,
  updateSession: dated,
  deleteSession: dated,
  createVerificationToken: dated,
  useVerificationToken: expiring,
  createAuthenticator: (answer, given) => answer ?? given,
  getAuthenticator: orNull,
  listAuthenticatorsByUserId: (answer) => answer ?? [],
  // The contract says "throws for an unknown credential": nothing may mean that nothing was updated.
  updateAuthenticatorCounter: required,
  createUserWithAccount: requiredUser,
  deleteSessionsByUserId: orNull,
  listAccountsByUserId: (answer) => answer ?? [],
  updateAccount: orNull,
}

function required(answer: unknown): unknown {
  if (answer === undefined || answer === null) throw new TypeError("Expected the stored row, received nothing.")
  return answer
}

/** An incomplete answer counts as none: never a session without its user, or with another one. */
function sessionAndUser(answer: unknown): unknown {
  const { session, user: owner } = (answer ?? {}) as { session?: Row | null; user?: Row | null }
  if (!session || !owner || isOfAnother(session, owner)) return null
  const settled = { session: withExpiry(session), user: wholeUser(owner) }
  return settled.session === session && settled.user === owner ? answer : settled
}

function isOfAnother({ userId }: Row, { id }: Row): boolean {
  // Ids may be numbers or objects of a driver; not every adapter returns the column.
  return userId !== undefined && userId !== null && String(userId) !== String(id)
}

/** An expiry that cannot be read must not count as "never". */
export function withExpiry(row: Row): Row {
  const settled = withDate(row, "expires")
  const { expires } = settled
  if (!isRealDate(expires)) {
    throw new TypeError(`Expected a date or ISO 8601 text with a zone in "expires", received ${describe(expires)}.`)
  }
  return settled
}

/** A missing address is the empty string to the application, whatever the adapter stores. */
function wholeUser(row: Row): Row {
  const dated = withDate(row, "emailVerified")
  return dated["email"] === null || dated["email"] === undefined ? { ...dated, email: "" } : dated
}

function withDate(row: Row, member: string): Row {
  const value = row[member]
  return isDate(value) ? { ...row, [member]: new Date(value) } : row
}

function isRealDate(value: unknown): boolean {
  // Dates of another realm (a test runner, a driver in a worker) fail `instanceof`.
  return Object.prototype.toString.call(value) === "[object Date]" && !Number.isNaN((value as Date).getTime())
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return Object.prototype.toString.call(value) === "[object Date]" ? "an invalid date" : `a ${typeof value}`
}
