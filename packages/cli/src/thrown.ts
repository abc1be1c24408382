/** What others have thrown, as it may be shown. */

/** A bound of what is read of one address, so that a text full of beginnings of addresses takes no longer. */
const longest = 400

const plain = `[^\\s]{0,${longest}}`

/** A name and a password with a blank in it, in one line. What stands behind a name may also be a port. */
const withBlanks = `[^\\s/@:]{0,${longest}}:(?!\\d{1,5}(?:[\\s/]|$))\\S[^\\n]{0,${longest}}`

// The last `@` counts: a sign in a password may let the host begin too early.
const user = new RegExp(`\\b([a-z][a-z\\d+.-]{0,30}:[\\\\/]{1,2})(?:${plain}|${withBlanks})@`, "gi")

const quoted = `"(?:[^"\\\\]|\\\\.)*(?:"|$)|'(?:[^'\\\\]|\\\\.)*(?:'|$)`

/** As libpq, parameters of an address and variables have it: `host=db.test password=...`, `?authToken=...`, `PGPASSWORD=...`. */
const keyword = new RegExp(
  `\\b(\\w{0,40}(?:password|passwd|pwd|passphrase|secret|token)\\s{0,9}=\\s{0,9})(?:${quoted}|[^\\s;,&'"]+)`,
  "gi",
)

/** As JSON has it, and objects that are printed: `"password":"..."`. */
const member = new RegExp(
  `\\b(\\w{0,40}(?:password|passwd|pwd|passphrase|secret|token)["']?\\s{0,9}:\\s{0,9})(?:${quoted})`,
  "gi",
)

/** The text without user information in addresses, and without passwords behind their keyword. */
export const withoutPasswords = (text: string): string =>
  text.replace(user, "$1…@").replace(keyword, "$1…").replace(member, "$1…")

/** The message of an error, or what else was thrown: it may quote how to connect to a database. */
export const messageOf = (thrown: unknown): string =>
  withoutPasswords(thrown instanceof Error ? thrown.message : String(thrown))
