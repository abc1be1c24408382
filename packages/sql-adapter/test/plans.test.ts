/** Every look-up goes by an index, and a session read is one statement. */
import { type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { CamelCasePlugin, CompiledQuery, Kysely, type LogEvent } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
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

const expires = new Date("2099-01-01T00:00:00Z")
const key = { provider: "p", providerAccountId: "1" }
const authenticator = {
  credentialID: "c",
  userId: "1",
  providerAccountId: "c",
  credentialPublicKey: "k",
  counter: 0,
  credentialDeviceType: "singleDevice",
  credentialBackedUp: false,
}

// biome-ignore format: one line for each operation
const operations: Record<string, [statements: number, call: (adapter: SqlAdapter) => unknown]> = {
  createUser:                 [1, (it) => it.createUser({ id: "1", email: "ada@example.test", emailVerified: null })],
  getUser:                    [1, (it) => it.getUser("1")],
  getUserByEmail:             [1, (it) => it.getUserByEmail("ada@example.test")],
  linkAccount:                [1, (it) => it.linkAccount({ ...key, userId: "1", type: "oauth" })],
  getUserByAccount:           [1, (it) => it.getUserByAccount(key)],
  getAccount:                 [1, (it) => it.getAccount("1", "p")],
  updateAccount:              [1, (it) => it.updateAccount({ ...key, access_token: "a" })],
  updateUser:                 [1, (it) => it.updateUser({ id: "1", name: "Ada" })],
  createSession:              [1, (it) => it.createSession({ sessionToken: "s", userId: "1", expires })],
  getSessionAndUser:          [1, (it) => it.getSessionAndUser("s")],
  updateSession:              [1, (it) => it.updateSession({ sessionToken: "s", expires })],
  listSessionsByUserId:       [1, (it) => it.listSessionsByUserId("1")],
  deleteSession:              [1, (it) => it.deleteSession("s")],
  deleteSessionsByUserId:     [1, (it) => it.deleteSessionsByUserId("1")],
  createVerificationToken:    [1, (it) => it.createVerificationToken({ identifier: "i", token: "t", expires })],
  useVerificationToken:       [1, (it) => it.useVerificationToken({ identifier: "i", token: "t" })],
  createAuthenticator:        [1, (it) => it.createAuthenticator(authenticator)],
  getAuthenticator:           [1, (it) => it.getAuthenticator("c")],
  listAuthenticatorsByUserId: [1, (it) => it.listAuthenticatorsByUserId("1")],
  updateAuthenticatorCounter: [1, (it) => it.updateAuthenticatorCounter("c", 1)],
  deleteExpired:              [6, (it) => it.deleteExpired(new Date(0))],
  unlinkAccount:              [1, (it) => it.unlinkAccount(key)],
  createUserWithAccount:      [4, (it) => it.createUserWithAccount({ id: "2", email: "", emailVerified: null }, { ...key, type: "oauth" })],
  deleteUser:                 [6, (it) => it.deleteUser("1")],
}

/** The tables that a statement reads from end to end. Asked on another connection, so that nothing stays half done here. */
async function scans(query: CompiledQuery): Promise<string[]> {
  const asking = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
  const plan = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters])
  const { rows } = await asking.executeQuery<{ detail: string }>(plan)
  await asking.destroy()
  return rows.map(({ detail }) => detail).filter((detail) => /^SCAN (?!CONSTANT)/.test(detail))
}

describe("statements", () => {
  it.each(Object.entries(operations))("%s takes its statements and scans no table", async (_, [count, call]) => {
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
