/** Keys in SQLite are compared with what they have to be. */
import { type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { afterEach, describe } from "vitest"
import { definitions } from "./support/definitions.js"
import { prismaSqlite } from "./support/published/prisma.js"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()
const open: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

describe("definitions in SQLite", () =>
  definitions({
    published: prismaSqlite[0],
    q: (name) => `"${name}"`,
    dropAddressKey: ["drop index users_email_lower_key"],
    async make() {
      const filename = file()
      const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
      open.push(() => kysely.destroy())
      return {
        adapter(options): SqlAdapter {
          const adapter = sqlAdapter({ filename }, { migrate: "manual", ...options })
          open.push(() => adapter.close())
          return adapter
        },
        async run(...statements) {
          for (const statement of statements) await sql.raw(statement).execute(kysely)
        },
      }
    },
  }))
