/** What the adapter cannot work with is refused in words, before anything is lost; what it can work with stays. */
import { SchemaError, type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { mysqlPool, newMariadb, newPostgresql, opened } from "../support/databases.js"
import { account, expires, passkey, ada as user } from "../support/people.js"

/** As long as a name may be. */
const long = (name: string): string => name.padEnd(63, "_of_an_application_with_very_long_names")
const longNames = {
  users: long("users"),
  accounts: long("accounts"),
  sessions: long("sessions"),
  verificationTokens: long("links"),
  authenticators: long("passkeys"),
}

async function works(adapter: SqlAdapter): Promise<void> {
  await adapter.createUserWithAccount(user, account)
  await adapter.createSession({ sessionToken: "s", userId: "1", expires })
  await adapter.createAuthenticator(passkey)
  expect((await adapter.getSessionAndUser("s"))?.user.id).toBe("1")
  expect((await adapter.check()).problems).toEqual([])
  await adapter.deleteUser("1")
  expect(await adapter.getSessionAndUser("s")).toBeNull()
}

describeServer("postgresql", (server) => {
  it("a session token that is a UUID is named, and works once it is a string", async () => {
    const { url, run } = await newPostgresql(server)
    const adapter = opened(url)
    await adapter.migrate()
    await run(`alter table sessions alter column "sessionToken" type uuid using null`)
    const sentence = 'The column "sessionToken" of "sessions" can hold only UUIDs'
    expect((await adapter.check()).problems).toEqual([expect.stringContaining(sentence)])
    const again = opened(url)
    const refused = expect(again.getSessionAndUser("s")).rejects
    await refused.toThrow(SchemaError)
    await refused.toThrow(sentence)
    await expect(again.migrate()).rejects.toThrow(sentence)
    await run(`alter table sessions alter column "sessionToken" type text`)
    await works(again)
  })

  it("accounts whose provider hands out UUIDs may keep them as such", async () => {
    const { url, run } = await newPostgresql(server)
    const adapter = opened(url)
    await adapter.migrate()
    await run(`alter table accounts alter column "providerAccountId" type uuid using null`)
    expect((await adapter.check()).problems).toEqual([])
    const again = opened(url)
    const providerAccountId = "0b7d0b3c-8f0e-4f0e-9c39-4f0a3c1d2e3f"
    await again.createUserWithAccount(user, { ...account, providerAccountId })
    expect((await again.getUserByAccount({ provider: "example", providerAccountId }))?.id).toBe("1")
  })

  it("tables may have the longest names", async () => {
    const { url } = await newPostgresql(server)
    const adapter = opened(url, { names: longNames })
    expect(await adapter.migrate()).toEqual(["1 tables", "2 keys", "3 definitions", "1 records"])
    await works(adapter)
    expect(await adapter.migrate()).toEqual([])
  })
})

describeServer("mariadb", (server) => {
  it.each(["text", "longtext"])(
    "ids in a %s are not cut where the server would do that",
    { tags: ["threat:FD-22"] },
    async (type) => {
      const { url, run, rows } = await newMariadb(server)
      await opened(url).migrate()
      await run(
        "alter table accounts drop index accounts_provider_providerAccountId_key",
        `alter table accounts modify column providerAccountId ${type} collate utf8mb4_general_ci not null comment 'theirs'`,
        "insert into users (id, email) values ('1', 'ada@example.test')",
        `insert into accounts (id, userId, type, provider, providerAccountId)
        values ('1', '1', 'oauth', 'example', concat(repeat('x', 448), 'end'))`,
      )
      const adapter = sqlAdapter(mysqlPool(url, {}, "set session sql_mode = ''"))
      const refusal = '"accounts": 1 value(s) of "providerAccountId" are longer than 448 characters'
      await expect(adapter.migrate()).rejects.toThrow(refusal)
      await expect(adapter.print()).rejects.toThrow(refusal)
      const length = "select char_length(providerAccountId) as length from accounts"
      expect(await rows(length)).toEqual([{ length: 451 }])
      await run("update accounts set providerAccountId = left(providerAccountId, 448)")
      await adapter.migrate()
      expect(await rows(length)).toEqual([{ length: 448 }])
      expect((await adapter.check()).problems).toEqual([])
    },
  )

  it("numbers beyond a column are refused where the server would put the largest one there", async () => {
    const { url, run, rows } = await newMariadb(server)
    const first = opened(url)
    await first.migrate()
    await run(
      "alter table accounts modify column expires_at int",
      "alter table authenticators modify column counter int unsigned not null",
      "alter table users add column points smallint",
    )
    const adapter = sqlAdapter(mysqlPool(url, {}, "set session sql_mode = ''"))
    await adapter.createUser(user)
    const outOfRange = /^A number is out of range for the column \((int|smallint).*\)\.$/
    const link = (expires_at: number) => adapter.linkAccount({ ...account, userId: "1", expires_at })
    await expect(link(9_999_999_999)).rejects.toThrow(outOfRange)
    await expect(adapter.createAuthenticator({ ...passkey, counter: 5_000_000_000 })).rejects.toThrow(outOfRange)
    await expect(adapter.createAuthenticator({ ...passkey, counter: -1 })).rejects.toThrow(outOfRange)
    const points: object = { points: 40_000 }
    await expect(adapter.updateUser({ id: "1", ...points })).rejects.toThrow(outOfRange)
    expect(await rows("select * from accounts")).toEqual([])
    await link(2_147_483_647)
    await adapter.createAuthenticator({ ...passkey, counter: 4_294_967_295 })
    await expect(adapter.updateAuthenticatorCounter("c", 4_294_967_296)).rejects.toThrow(outOfRange)
    expect((await adapter.getAuthenticator("c"))?.counter).toBe(4_294_967_295)
    expect((await adapter.getAccount("1", "example"))?.expires_at).toBe(2_147_483_647)
  })

  it.each(["latin1_swedish_ci", "utf8_general_ci"])(
    "a pool whose texts travel as %s is refused when it is opened",
    async (charset) => {
      const { url, rows } = await newMariadb(server)
      await opened(url).migrate()
      const adapter = sqlAdapter(mysqlPool(url, { charset }))
      const sentence = /^The connection's character set is "(latin1|utf8(mb3)?)", which cannot represent every string/
      await expect(adapter.createUser({ ...user, name: "e\u0301 \u{1f511}" })).rejects.toThrow(sentence)
      expect((await adapter.check()).problems).toEqual([expect.stringMatching(sentence)])
      expect(await rows("select * from users")).toEqual([])
    },
  )

  it("a pool with the charset of the driver, or another one for every text, keeps texts whole", async () => {
    const { url } = await newMariadb(server)
    await opened(url).migrate()
    const name = "e\u0301 \u{1f511}"
    for (const [id, pool] of [mysqlPool(url), mysqlPool(url, { charset: "utf8mb4_bin" })].entries()) {
      const adapter = sqlAdapter(pool)
      await adapter.createUser({ id: String(id), name, email: `${id}@example.test`, emailVerified: null })
      expect((await adapter.getUser(String(id)))?.name).toBe(name)
    }
  })

  it("tables without transactions are named, with what moves them", async () => {
    const { url, run } = await newMariadb(server)
    await run(
      `create table users (id varchar(40) not null primary key, name varchar(200), email varchar(200),
        emailVerified datetime(3), image text) engine = MyISAM`,
    )
    const adapter = opened(url)
    const sentence =
      'The table "users" uses the engine MyISAM, which has no transactions and no foreign keys. Convert it: alter table users engine = InnoDB.'
    expect((await adapter.check()).problems).toContain(sentence)
    const refused = expect(adapter.migrate()).rejects
    await refused.toThrow(SchemaError)
    await refused.toThrow(sentence)
    await run("alter table users engine = InnoDB")
    await adapter.migrate()
    await works(adapter)
  })

  it("a session token that is a UUID is named", async () => {
    const { url, run } = await newMariadb(server)
    const adapter = opened(url)
    await adapter.migrate()
    await run("alter table sessions modify column sessionToken uuid not null")
    expect((await adapter.check()).problems).toContainEqual(expect.stringContaining('"sessionToken" of "sessions"'))
  })

  it("tables may have the longest names, new ones and those without foreign keys", async () => {
    const { url, run } = await newMariadb(server)
    await run(
      `create table ${longNames.users} (id varchar(40) not null primary key, name varchar(200), email varchar(200),
        emailVerified datetime(3), image text)`,
      `create table ${longNames.sessions} (userId varchar(40) not null, expires datetime(3) not null,
        sessionToken varchar(200) not null)`,
    )
    const adapter = opened(url, { names: longNames })
    expect(await adapter.migrate()).toEqual(["1 tables", "2 keys", "3 definitions", "1 records"])
    await works(adapter)
    expect(await adapter.migrate()).toEqual([])
  })
})
