/** A SQLite file of our own. */
import { Kysely, SqliteDialect } from "kysely"
import { embeddedConnections } from "../connections/kysely.js"
import { type EmbeddedDatabase, openEmbedded, type SqliteOptions } from "../dialects/libsql.js"
import { sqlite } from "../dialects/sqlite.js"
import { type Opening, plain, type Reader } from "./opening.js"

function readerOn(database: EmbeddedDatabase): Reader {
  return {
    read: (query, options) => database.rows(query, options),
    close: () => database.close(),
  }
}

export function embedded(options: SqliteOptions): Opening {
  let reader: Reader | undefined
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: () => openEmbedded(options) }) })
  return {
    kysely,
    dialect: sqlite,
    connections: embeddedConnections(plain(kysely)),
    isEmbedded: true,
    async openReader() {
      // A database in memory belongs to its connection; a second one would see another database.
      if (options.filename === ":memory:") return undefined
      reader ??= readerOn(await openEmbedded(options))
      return reader
    },
    async close() {
      reader?.close()
      reader = undefined
      await kysely.destroy()
    },
  }
}
