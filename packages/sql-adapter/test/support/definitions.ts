/** What holds of keys on every database: they are compared with what they have to be, whatever they are called. */
import { DuplicateError, SchemaError, type SqlAdapter, type SqlAdapterOptions } from "@latchkey/sql-adapter"
import { expect, it } from "vitest"
import type { PublishedTables } from "./published/tables.js"

/** A new database for each test. */
export interface DefinitionsGround {
  readonly published: PublishedTables
  make(): Promise<{
    adapter(options?: SqlAdapterOptions): SqlAdapter
    run(...statements: readonly string[]): Promise<void>
  }>
  /** How names are quoted. */
  readonly q: (name: string) => string
  /** Removes the unique key on addresses from the adapter's own tables, as a tool does that does not know it. */
  readonly dropAddressKey: readonly string[]
}

const user = (id: string, email: string) => ({ id, email, emailVerified: null })

export function definitions({ published, make, q, dropAddressKey }: DefinitionsGround): void {
  const { names, tables } = published

  it("a key of the same name on something else does not count as the key [FD-21]", async () => {
    const database = await make()
    await database.run(...tables)
    const adapter = database.adapter({ names })
    await adapter.migrate()
    await adapter.createUser(user("1", "ada@example.test"))
    await expect(adapter.createUser(user("2", "ADA@example.test"))).rejects.toThrow(DuplicateError)
  })

  it("an index that has the name of the key, on something else, stays beside the key under another name", async () => {
    const database = await make()
    await database.run(...tables, `create index ${q("User_email_lower_key")} on ${q("User")} (name)`)
    const adapter = database.adapter({ names })
    await adapter.migrate()
    expect((await adapter.check()).problems).toEqual([])
    await adapter.createUser(user("1", "ada@example.test"))
    await expect(adapter.createUser(user("2", "ADA@example.test"))).rejects.toThrow(DuplicateError)
    expect(await adapter.migrate()).toEqual([])
  })

  it("an index of another table that has the name of the key does not stop the key from being made", async () => {
    const database = await make()
    await database.run(
      "create table notes (title varchar(40))",
      `create index ${q("users_email_lower_key")} on notes (title)`,
    )
    const adapter = database.adapter()
    await adapter.migrate()
    expect((await adapter.check()).problems).toEqual([])
    await adapter.createUser(user("1", "ada@example.test"))
    await expect(adapter.createUser(user("2", "ADA@example.test"))).rejects.toThrow(DuplicateError)
    expect(await adapter.migrate()).toEqual([])
  })

  it("the third step repairs tables whose second step passed over a name", async () => {
    const database = await make()
    await database.run(
      ...tables,
      `create table latchkey_migrations (${q("tables")} varchar(64) not null, version integer not null, name varchar(64) not null,
        primary key (${q("tables")}, version))`,
      "insert into latchkey_migrations values ('User', 1, 'tables'), ('User', 2, 'keys')",
      `insert into ${q("User")} (id, email, ${q("updatedAt")}) values ('1', 'ada@example.test', '2026-01-01 00:00:00')`,
      `insert into ${q("Session")} (${q("sessionToken")}, ${q("userId")}, expires, ${q("updatedAt")})
        values ('plain', '1', '2037-01-01 00:00:00', '2026-01-01 00:00:00')`,
    )
    const before = database.adapter({ names })
    // The key of the tool itself is loose on some databases.
    const isLet = await Promise.resolve(before.createUser(user("2", "ADA@example.test"))).then(
      () => true,
      () => false,
    )
    expect((await before.check()).problems).toContain('"User" has no unique key on lower(email).')
    if (isLet) {
      await expect(before.migrate()).rejects.toThrow("1 value(s) of (lower(email)) occur in more than one row")
      await before.deleteUser("2")
    }
    const taken = await before.migrate()
    expect(taken.slice(-2)).toEqual(["3 definitions", "1 records"])
    expect((await before.check()).problems).toEqual([])
    await expect(before.createUser(user("2", "ADA@example.test"))).rejects.toThrow(DuplicateError)
    expect((await before.getSessionAndUser("plain"))?.user.id).toBe("1")
  })

  it("what has gone since is brought back, and meanwhile nobody is made twice", async () => {
    const database = await make()
    const first = database.adapter()
    await first.migrate()
    await first.createUser(user("1", "ada@example.test"))
    await database.run(...dropAddressKey, "drop table authenticators")
    const adapter = database.adapter({ migrate: "manual" })
    await expect(adapter.createUser(user("2", "ada@example.test"))).rejects.toThrow(DuplicateError)
    expect(await adapter.check()).toMatchObject({
      pending: [],
      problems: ['there is no table "authenticators".', '"users" has no unique key on lower(email).'],
    })
    const taken = await adapter.migrate()
    expect(taken).toContain('repaired: there is no table "authenticators"')
    expect(taken).toContain('repaired: "users" has no unique key on lower(email)')
    expect((await adapter.check()).problems).toEqual([])
    expect(await adapter.migrate()).toEqual([])
  })

  it("two sets of tables may share their users", async () => {
    const database = await make()
    await database.adapter().migrate()
    const admins = database.adapter({ names: { sessions: "admin_sessions" }, migrate: "manual" })
    expect(await admins.migrate()).toEqual(["1 tables", "2 keys", "3 definitions"])
    expect(await admins.listSessionsByUserId("1")).toEqual([])
  })

  it("tables of an application that are called the same are named before anything is made", async () => {
    const database = await make()
    await database.run(
      "create table users (id varchar(40) not null primary key, email varchar(200), password_digest varchar(200))",
      "create table accounts (id varchar(40) not null primary key, balance integer)",
    )
    const adapter = database.adapter({ migrate: "manual" })
    const refused = expect(adapter.migrate()).rejects
    await refused.toThrow(SchemaError)
    await refused.toThrow(/"users" has no column "name".*"accounts" has no column "userId"/)
    await expect(database.run("select 1 from sessions")).rejects.toThrow()
  })

  it("addresses with capitals are counted", async () => {
    const database = await make()
    const adapter = database.adapter()
    await adapter.migrate()
    expect((await adapter.check()).notes).toEqual([])
    const rows = ["Ada@example.test", "BOB@example.test", "eve@example.test"].map(
      (email, id) => `('${id}', '${email}')`,
    )
    await database.run(`insert into users (id, email) values ${rows.join()}`)
    const { notes } = await adapter.check()
    expect(notes).toEqual([expect.stringContaining('"users": 2 address(es) with capitals')])
    expect(notes.join()).not.toContain("example.test")
  })

  it("a column of true and false for the date of the first mail is a problem, and false proves no address", async () => {
    const database = await make()
    const others = ["name", "email", "image"].map((name) => `${name} varchar(200)`).join()
    await database.run(
      `create table users (id varchar(40) not null primary key, ${q("emailVerified")} boolean, ${others})`,
    )
    const adapter = database.adapter({ migrate: "manual" })
    expect((await adapter.check()).problems).toContainEqual(
      expect.stringContaining('"emailVerified" of "users" holds true'),
    )
    await database.run("insert into users values ('1', false, 'Ada', 'ada@example.test', null)")
    expect(await adapter.getUser("1")).toMatchObject({ email: "ada@example.test", emailVerified: null })
  })

  it("a unique address that must not be null is noted", async () => {
    const database = await make()
    await database.run(...tables)
    const { notes } = await database.adapter({ names }).check()
    expect(notes).toEqual([expect.stringContaining('"User" can hold one user without an address')])
  })
}
