/** What is no database is refused by name. */
import { sqlAdapter } from "@latchkey/sql-adapter"
import { describe, expect, it } from "vitest"

/** As Drizzle makes its instances: the class of a driver's instance extends the one of a dialect. */
class PgDatabase {
  readonly dialect = { migrate() {} }
  readonly session = {}
  readonly $client = {}
  select() {}
}

Object.assign(PgDatabase, { [Symbol.for("drizzle:entityKind")]: "PgDatabase" })

class NodePgDatabase extends PgDatabase {}

const adapterOf = (source: unknown) => sqlAdapter(source as string)

describe("sources that are none", () => {
  it.each([new PgDatabase(), new NodePgDatabase(), Object.assign(new NodePgDatabase(), { url: "file:app.db" })])(
    "a Drizzle instance is refused with what to pass instead",
    (drizzle) => {
      expect(() => adapterOf(drizzle)).toThrow(TypeError)
      expect(() => adapterOf(drizzle)).toThrow(/Drizzle instance. Pass .* `db\.\$client`/)
    },
  )

  it.each([[{}], [Object.create(null)], [{ dialect: {} }], [{ pool: {} }], [null], [5]])("%j is refused", (source) => {
    expect(() => adapterOf(source)).toThrow("sqlAdapter needs a filename, a url, a pool")
  })

  it.each([
    "host=localhost dbname=app user=ada password=hunter2",
    "sslmode=require\nhost = localhost password='hunter2'",
    "Server=localhost;Database=app;Uid=ada;Pwd=hunter2;",
    '"postgresql://ada:hunter2@localhost/app"',
  ])("what names a server without being a URL is no name of a file, and is not shown: %s", (text) => {
    for (const source of [text, { filename: text }, { url: text }]) {
      expect(() => adapterOf(source)).toThrow(/^sqlAdapter expected a URL or .* such as postgresql:(?!.*hunter2)/)
    }
  })

  it.each([
    "host.db",
    "./host=a.db",
    "./user=5/app.db",
    "/srv/my server=1/app.db",
    ":memory:",
    "C:\\data\\my database=1.db",
  ])("%s is the name of a file", async (name) => {
    await adapterOf({ filename: name }).close()
  })
})
