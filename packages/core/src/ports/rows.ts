/** Rows as adapters return them, normalised: `undefined` becomes `null`, dates as ISO 8601 strings become dates. */
import { isDate } from "../std/time.js"
import type { Adapter } from "../types/adapter.js"
import type { RecordStore } from "../types/records.js"

/** Operations that every store answers, if only with an error; those on records are made total in `ports/records.ts`. */
export type StoreOperation = Exclude<
  keyof Adapter,
  FurtherOperation | "comparesExactly" | "emptyEmail" | "transaction" | "deleteExpired" | keyof RecordStore
>

/** Operations that are called only where the adapter has them. */
type FurtherOperation =
  | "createUserWithAccount"
  | "deleteSessionsByUserId"
  | "listSessionsByUserId"
  | "listAccountsByUserId"
  | "updateAccount"

/** Makes an adapter's answer whole, or throws when nothing sensible can be made of it. */
type Settle = (answer: unknown, given: unknown) => unknown

type Row = Record<string, unknown>

const orNull: Settle = (answer) => answer ?? null
const row: Settle = (answer) => (answer ? asRow(answer) : null)
const rows: Settle = (answer) => asList(answer ?? [])
const user: Settle = (answer) => (answer ? wholeUser(withId(asRow(answer))) : null)
const expiring: Settle = (answer) => (answer ? withExpiry(asRow(answer)) : null)
const requiredUser: Settle = (answer) => user(required(answer), undefined)
/** The row as it was handed over stands for an adapter that stores it and returns nothing. */
const expiringOrGiven: Settle = (answer, given) => withExpiry((answer ?? given) as Row)

/** How the answer of each operation is made whole. */
export const settlements: Readonly<Record<StoreOperation | FurtherOperation, Settle>> = {
  createUser: requiredUser,
  getUser: user,
  getUserByEmail: user,
  getUserByAccount: user,
  updateUser: requiredUser,
  deleteUser: orNull,
  linkAccount: orNull,
  unlinkAccount: orNull,
  getAccount: row,
  createSession: expiringOrGiven,
  getSessionAndUser: sessionAndUser,
  updateSession: loose,
  deleteSession: loose,
  createVerificationToken: loose,
  useVerificationToken: expiring,
  createAuthenticator: (answer, given) => answer ?? given,
  getAuthenticator: row,
  listAuthenticatorsByUserId: rows,
  // The contract says "throws for an unknown credential": nothing may mean that nothing was updated.
  updateAuthenticatorCounter: required,
  createUserWithAccount: requiredUser,
  deleteSessionsByUserId: orNull,
  listSessionsByUserId: (answer) => (rows(answer, undefined) as Row[]).map(withExpiry),
  listAccountsByUserId: rows,
  updateAccount: orNull,
}

/** What is deleted or updated need not be returned: the answer says at most what there was. */
function loose(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null ? withDate(answer as Row, "expires") : null
}

/** What is no row means that nothing is known, not that there is none. */
function asRow(answer: unknown): Row {
  if (typeof answer === "object" && !Array.isArray(answer)) return answer as Row
  throw new TypeError(`Expected a row or null, received ${describe(answer)}.`)
}

function asList(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer
  throw new TypeError(`Expected a list of rows, received ${describe(answer)}.`)
}

/** A user without an id would be everybody whose id is missing. */
function withId(row: Row): Row {
  if (row["id"] !== undefined && row["id"] !== null) return row
  throw new TypeError('Expected a user with an "id", received one without.')
}

function required(answer: unknown): unknown {
  if (answer === undefined || answer === null) throw new TypeError("Expected the stored row, received nothing.")
  return answer
}

/** An incomplete answer counts as none: never a session without its user, or with another one. */
function sessionAndUser(answer: unknown): unknown {
  const { session, user: owner } = asRow(answer || {}) as { session?: Row | null; user?: Row | null }
  if (!session || !owner || isOfAnother(session, owner)) return null
  const settled = { session: withExpiry(session), user: wholeUser(withId(owner)) }
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
