/** What others have thrown, as it may be shown. */

/** A bound of what is read of one address, so that a text full of beginnings of addresses takes no longer. */
const longest = 400

// The last `@` counts: a sign in a password may let the host begin too early.
const user = new RegExp(`\\b([a-z][a-z\\d+.-]{0,30}:[\\\\/]{1,2})[^\\s]{0,${longest}}@`, "gi")

/** As libpq and others write it: `host=db.test password=...`. */
const keyword = /\b(password|passwd|pwd)(\s{0,9}=\s{0,9})(?:"[^"]*"|'[^']*'|[^\s;,&'"]+)/gi

/** The text without user information in addresses, and without passwords behind their keyword. */
export const withoutPasswords = (text: string): string => text.replace(user, "$1…@").replace(keyword, "$1$2…")

/** The message of an error, or what else was thrown: it may quote how to connect to a database. */
export const messageOf = (thrown: unknown): string =>
  withoutPasswords(thrown instanceof Error ? thrown.message : String(thrown))
