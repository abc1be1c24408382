/** What a test needs to know of tables that another tool made. */
import type { Names } from "@latchkey/sql-adapter"

/** Contract cases that tables cannot keep, with what is said there. A case that passes must not stand here. */
export type Impossible = Readonly<Record<string, RegExp>>

/** Tables as a tool makes them from the schema on the documentation page of its adapter for Auth.js. */
export interface PublishedTables {
  readonly tool: string
  readonly names: Names
  readonly tables: readonly string[]
  readonly impossible: Impossible
}

const because = (reason: RegExp, cases: readonly string[]): Impossible =>
  Object.fromEntries(cases.map((name) => [name, reason]))

/** `expires_at` in an integer of four bytes. */
export const shortTimes: Impossible = because(/out of range|larger than/i, [
  "getAccount answers an account with its tokens",
  "updateAccount replaces tokens and keeps the rest",
])

/** The counter of an authenticator in an integer of four bytes. */
export const shortCounters: Impossible = because(/out of range|larger than/i, [
  "updateAuthenticatorCounter changes that counter and no other",
])

/** The case writes an account whose token ends after 2038. */
export const shortWhole: Impossible = because(/out of range|larger than/i, ["long values are kept whole"])

/** `varchar(255)` for names, addresses and account ids, and `text` for the rest. */
export const narrowKeys: Impossible = because(/longer|too long/, [
  "names and images hold any text",
  "addresses hold any text",
  "account ids and tokens hold any text",
])

/** Links in columns of 255 characters, too. */
export const narrowLinks: Impossible = {
  ...narrowKeys,
  ...because(/longer|too long/, ["verification tokens hold any text"]),
}

/** Columns of `varchar(191)` and `varchar(255)`, for provider tokens as well. */
export const narrow: Impossible = {
  ...narrowLinks,
  ...because(/longer|too long/, ["long values are kept whole"]),
}

export const narrowCredentials: Impossible = because(/longer|too long/, ["authenticators hold any text"])

/** The address must not be null there, so the second user without one is refused in words. */
export const oneEmpty: Impossible = {
  "users without an address do not collide": /can hold one user without an address/,
  "an empty value finds nobody": /can hold one user without an address/,
}
