/** SQLite gives the number of the newest row to the next one once it is gone, unless the table says otherwise. */
import { type SqlAdapter, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { afterAll, describe, expect, it } from "vitest"
import { account, ada, expires } from "./support/people.js"
import { temporaryFiles } from "./support/temporary.js"

const file = temporaryFiles()
const closing: (() => Promise<unknown>)[] = []

afterAll(async () => {
  for (const close of closing) await close()
})

const numbered = "id integer primary key"

interface Opened {
  readonly adapter: SqlAdapter
  /** As another process has it. */
  readonly other: SqlAdapter
  readonly run: (statement: string) => Promise<unknown>
}

async function open(id: string): Promise<Opened> {
  const filename = file()
  const application = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
  const run = (statement: string) => sql.raw(statement).execute(application)
  await run(`create table Users (${id}, name text, email text unique, "emailVerified" text, image text)`)
  const [adapter, other] = [sqlAdapter({ filename }), sqlAdapter(application, { migrate: "auto" })]
  closing.push(
    () => adapter.close(),
    () => application.destroy(),
  )
  return { adapter, other, run }
}

let people = 0
const somebody = (id = "") => ({ ...ada, id, email: `${++people}@example.test` })

it.each([
  [numbered, true],
  ["id INTEGER NOT NULL PRIMARY KEY", true],
  ["id integer primary key /* not autoincrement */ -- nor 'autoincrement'\n", true],
  ["id integer primary key autoincrement", false],
  ["id text primary key", false],
])(
  "no user has the id of one who was deleted: %s, and check() says where rows of the application could, %s",
  { tags: ["threat:SF-20"] },
  async (id, isPossible) => {
    const { adapter } = await open(id)
    const given = () => (id.includes("text") ? crypto.randomUUID() : "")
    const first = await adapter.createUser(somebody(given()))
    await adapter.deleteUser(String(first.id))
    const second = await adapter.createUser(somebody(given()))
    expect(String(second.id)).not.toBe(String(first.id))
    expect(await adapter.getUser(String(first.id))).toBeNull()
    const { notes, problems } = await adapter.check()
    expect(problems).toEqual([])
    expect(notes).toEqual(isPossible ? [expect.stringContaining('without "autoincrement"')] : [])
  },
)

describe("where a table of SQLite gives numbers again, a new user has an id", { tags: ["threat:SF-20"] }, () => {
  it("that is a safe integer, later than all that are there, and names the user in other tables", async () => {
    const { adapter, other, run } = await open(numbered)
    await run("insert into Users (email) values ('one@example.test'), ('two@example.test')")
    const before = Math.floor(Date.now() / 1000) * 1_000_000
    const first = await adapter.createUserWithAccount(somebody(), account)
    const second = await other.transaction((within) => Promise.resolve(within.createUser?.(somebody())))
    const ids = [2, before, first.id, second?.id].map(Number)
    expect(ids).toEqual(ids.toSorted((one, next) => one - next))
    expect(ids.every(Number.isSafeInteger)).toBe(true)
    expect(new Set(ids).size).toBe(4)
    const found = await adapter.getUserByAccount(account)
    expect(found?.id).toBe(first.id)
    await adapter.createSession({ sessionToken: "s", userId: first.id, expires })
    expect((await adapter.getSessionAndUser("s"))?.user.id).toBe(first.id)
  })

  it("also while the clock is behind the ids that are there", async () => {
    const { adapter, run } = await open(numbered)
    const ahead = 4_000_000_000_000_000
    await run(`insert into Users (id, email) values (${ahead}, 'ahead@example.test')`)
    const first = await adapter.createUser(somebody())
    await adapter.deleteUser(String(first.id))
    const second = await adapter.createUser(somebody())
    expect([first, second].every(({ id }) => Number(id) > ahead)).toBe(true)
    expect(second.id).not.toBe(first.id)
  })

  it("of its own, of many who come at once to two processes", async () => {
    const { adapter, other } = await open(numbered)
    const all = Array.from({ length: 20 }, (_, index) => (index % 2 ? adapter : other).createUser(somebody()))
    expect(new Set((await Promise.all(all)).map(({ id }) => id)).size).toBe(20)
  })

  it("beside ids of the application that are the highest there are", async () => {
    const { adapter, run } = await open(numbered)
    await run("insert into Users (id, email) values (9223372036854775807, 'last@example.test')")
    const { id } = await adapter.createUser(somebody())
    expect(await adapter.getUser(String(id))).toMatchObject({ id })
  })
})

it("ids of a table that counts them are counted", async () => {
  const { adapter } = await open("id integer primary key autoincrement")
  const users = [await adapter.createUser(somebody()), await adapter.createUser(somebody())]
  expect(users.map(({ id }) => id)).toEqual([1, 2])
})
