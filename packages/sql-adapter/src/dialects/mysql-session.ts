/** How a connection to MySQL or MariaDB is set up: what it must not do to texts. */
import { sql } from "kysely"
import type { Session } from "./dialect.js"
import { builder } from "./mysql-definitions.js"

/** Sets of characters that hold every text, or pass its bytes on as they are. */
const whole: ReadonlySet<string> = new Set(["utf8mb4", "utf16", "utf16le", "utf32", "binary", ""])

/** The character sets that a string passes through on its way to a column and back. */
export const session: Session = {
  query:
    sql`select @@character_set_client as sent, @@character_set_connection as kept, @@character_set_results as answered`.compile(
      builder,
    ),
  misfit(row) {
    const found = ["sent", "kept", "answered"].map((step) => String(row[step] ?? "").toLowerCase())
    const narrow = found.find((characters) => !whole.has(characters))
    if (narrow === undefined) return undefined
    return `The connection's character set is "${narrow}", which cannot represent every string: names and addresses would be changed. Set the charset of the pool to "utf8mb4".`
  },
}
