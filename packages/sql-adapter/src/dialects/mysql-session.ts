/** How a connection to MySQL or MariaDB is set up: what it must not do to texts. */
import { sql } from "kysely"
import type { Session } from "./dialect.js"
import { builder } from "./mysql-definitions.js"

/** Sets of characters that hold every text, or pass its bytes on as they are. */
const whole: ReadonlySet<string> = new Set(["utf8mb4", "utf16", "utf16le", "utf32", "binary", ""])

/** A driver that writes values into statements doubles it, which not every mode of the server reads as an escape. */
const backslash = "\\"

/** The character sets that a string passes through on its way to a column and back, and a value that was sent. */
export const session: Session = {
  query: sql`select @@character_set_client as sent, @@character_set_connection as kept,
      @@character_set_results as answered, ${backslash} as given`.compile(builder),
  misfit(row) {
    if (String(row.given) !== backslash)
      return "The driver escapes quotes in values with a backslash, which the sql_mode NO_BACKSLASH_ESCAPES does not read as an escape: values could become part of statements. Take that mode out of the sessions of the pool."
    const found = ["sent", "kept", "answered"].map((step) => String(row[step] ?? "").toLowerCase())
    const narrow = found.find((characters) => !whole.has(characters))
    if (narrow === undefined) return undefined
    return `The connection's character set is "${narrow}", which cannot represent every string: names and addresses would be changed. Set the charset of the pool to "utf8mb4".`
  },
}
