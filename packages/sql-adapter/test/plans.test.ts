/** Every look-up goes by an index, and a session read is one statement. */
import { type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { CamelCasePlugin, CompiledQuery, Kysely, type LogEvent } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { operations } from "./support/operations.js"
import { temporaryFiles } from "./support/temporary.js"

const filename = temporaryFiles()()
const seen: CompiledQuery[] = []
let kysely: Kysely<unknown>
let adapter: SqlAdapter

beforeAll(async () => {
  const log = (event: LogEvent): void => void seen.push(event.query)
  // Plugins of the application are not meant for our statements.
  kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename }), log, plugins: [new CamelCasePlugin()] })
  adapter = sqlAdapter(kysely, { migrate: "auto" })
  await adapter.getUser("1")
})

afterAll(() => kysely.destroy())

/** The tables that a statement reads from end to end. Asked on another connection, so that nothing stays half done here. */
async function scans(query: CompiledQuery): Promise<string[]> {
  const asking = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
  const plan = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])
  const { rows } = await asking.executeQuery<{ detail: string }>(plan)
  await asking.destroy()
  return rows.map(({ detail }) => detail).filter((detail) => /^SCAN (?!CONSTANT)/.test(detail))
}

describe("statements", () => {
  it.each(Object.entries(operations))("%s takes its statements and scans no table", async (_, [count, , call]) => {
    seen.length = 0
    await call(adapter)
    const statements = seen.filter(({ sql: text }) => !/^(begin|commit|savepoint|release)/.test(text))
    expect(seen).toHaveLength(count)
    for (const query of statements) expect(await scans(query), query.sql).toEqual([])
  })

  it("are not changed by plugins of the application", async () => {
    const account = { provider: "p", providerAccountId: "plugin", type: "oauth" as const, token_type: "dpop" as const }
    await adapter.createUserWithAccount({ id: "3", email: "", emailVerified: null }, account)
    expect(await adapter.getAccount("plugin", "p")).toMatchObject({ token_type: "dpop" })
  })
})
