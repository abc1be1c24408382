/** Tables on servers whose columns take different texts for the same: each is found by its own text alone. */
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { newMariadb, newPostgresql, opened, type TestDatabase } from "../support/databases.js"
import { account, ada, expires } from "../support/people.js"

const uuid = "123e4567-e89b-12d3-a456-426614174000"

/** Tables in which the keys of accounts, sessions and addresses have been given other types. */
async function foundByItsText({ url }: TestDatabase, stored: string, others: readonly string[]): Promise<void> {
  const adapter = opened(url, { sessionTokens: "plain" })
  await adapter.createUserWithAccount(ada, { ...account, providerAccountId: stored })
  const find = (providerAccountId: string) => adapter.getUserByAccount({ ...account, providerAccountId })
  expect((await find(stored))?.id).toBe(ada.id)
  for (const other of others) {
    expect(await find(other), other).toBeNull()
    expect(await adapter.unlinkAccount({ ...account, providerAccountId: other }), other).toBeUndefined()
  }
  const [read] = await adapter.listAccountsByUserId(ada.id)
  expect(String(read?.providerAccountId)).toMatch(new RegExp(`^${stored.replaceAll(".", "[.]")}( *|[.]00)$`))
}

const tags = ["threat:FD-21"]

describeServer("postgresql", (server) => {
  const collation = (level: number): string =>
    `create collation loosely (provider = icu, locale = 'und-u-ks-level${level}', deterministic = false)`
  it.each([
    ["bigint", "9007199254740993", ["09007199254740993", " 9007199254740993", "+9007199254740993", "x"], []],
    ["numeric", "1234", ["1234.0", "01234", "NaN"], []],
    ["numeric(30,2)", "1234", ["1234.00"], []],
    ["double precision", "1234", ["1234.0", "9007199254740993"], []],
    ["uuid", uuid, [uuid.toUpperCase(), `{${uuid.replaceAll("-", "")}}`, "x"], []],
    ["citext", "jose", ["JOSE"], ["create extension citext"]],
    ["ci_id", "jose", ["JOSE"], ["create extension citext", "create domain ci_id as citext"]],
    ["nested", "jose", ["JOSE"], ["create extension citext", "create domain d as citext", "create domain nested as d"]],
    ["number", "1234", ["01234"], ["create domain number as bigint"]],
    ["text collate loosely", "jose", ["JOSE"], [collation(2)]],
    ["varchar(40) collate loosely", "jose", ["josé", "JOSE"], [collation(1)]],
    ["character(40)", "jose", ["jose ", "JOSE"], []],
  ])("a key of the type %s", { tags }, async (type, stored, others, first) => {
    const database = await newPostgresql(server)
    await opened(database.url).migrate()
    await database.run(
      ...first,
      `alter table accounts alter column "providerAccountId" type ${type} using "providerAccountId"::${type.replace(/ collate.*/, "")}`,
    )
    await foundByItsText(database, stored, others)
  })

  it("a token and an address", { tags }, async () => {
    const { url, run } = await newPostgresql(server)
    const adapter = opened(url, { sessionTokens: "plain" })
    await adapter.migrate()
    await run(
      collation(1),
      "alter table users alter column email type text collate loosely",
      `alter table sessions alter column "sessionToken" type text collate loosely`,
    )
    await adapter.createUser({ ...ada, email: "josé@example.test" })
    await adapter.createSession({ sessionToken: "abc", userId: ada.id, expires })
    expect((await adapter.getSessionAndUser("abc"))?.user.id).toBe(ada.id)
    for (const other of ["ABC", "ábc"]) expect(await adapter.getSessionAndUser(other)).toBeNull()
    expect(await adapter.getUserByEmail("jose@example.test")).toBeNull()
    expect((await adapter.getUserByEmail("josé@example.test"))?.id).toBe(ada.id)
  })

  it.each(["inet", "jsonb"])("the type %s, which takes several notations, is refused", { tags }, async (type) => {
    const { url, run } = await newPostgresql(server)
    await opened(url).migrate()
    await run(`alter table accounts alter column "providerAccountId" type ${type} using null`)
    const adapter = opened(url)
    expect((await adapter.check()).problems).toEqual([expect.stringContaining(`of "accounts" (${type}) takes`)])
    await expect(adapter.getUserByAccount(account)).rejects.toThrow("Change its type to text")
  })
})

describeServer("mariadb", (server) => {
  it.each([
    ["bigint", "9007199254740993", ["09007199254740993", "9007199254740993:x", "9007199254740992", "x"]],
    ["int unsigned", "1234", ["1234.0", "1234:x", "01234"]],
    ["decimal(30,0)", "9007199254740993", ["9007199254740992", "9007199254740993x"]],
    ["double", "1234", ["1234x", "1234.0"]],
    ["uuid", uuid, [uuid.toUpperCase(), uuid.replaceAll("-", "")]],
    ["varchar(100) collate utf8mb4_general_ci", "jose", ["JOSE", "josé", "jose "]],
    ["varbinary(100)", "jose", ["JOSE", "jose "]],
  ])("a key of the type %s", { tags }, async (type, stored, others) => {
    const database = await newMariadb(server)
    await opened(database.url).migrate()
    await database.run(`alter table accounts modify column providerAccountId ${type} not null`)
    await foundByItsText(database, stored, others)
  })

  it("the type inet6, which takes several notations, is refused", { tags }, async () => {
    const { url, run } = await newMariadb(server)
    await opened(url).migrate()
    await run("alter table accounts modify column providerAccountId inet6 not null")
    await expect(opened(url).getUserByAccount(account)).rejects.toThrow("Change its type to text")
  })
})
