/** SQLite databases that took earlier steps of the migrations. */
import { type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { afterEach, describe } from "vitest"
import { type EarlierGround, earlierSteps } from "./support/earlier.js"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()
const open: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const make: EarlierGround["make"] = async () => {
  const filename = file()
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
  open.push(() => kysely.destroy())
  return {
    adapter(): SqlAdapter {
      const adapter = sqlAdapter({ filename }, { migrate: "manual" })
      open.push(() => adapter.close())
      return adapter
    },
    async run(...statements) {
      for (const statement of statements) await sql.raw(statement).execute(kysely)
    },
  }
}

describe("a file of an earlier version", () => earlierSteps({ dialect: "sqlite", make }))
describe("a file of the first version", () => earlierSteps({ dialect: "sqlite", statements: "sqlite-first", make }))
