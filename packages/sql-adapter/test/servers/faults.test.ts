/** What can go wrong with a server: each fault is a rejected promise, and the adapter recovers by itself. */
import { randomBytes } from "node:crypto"
import { DuplicateError, type SqlAdapter, type SqlAdapterOptions, sqlAdapter } from "@latchkey/sql-adapter"
import { afterEach, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { startMariadb } from "../../../../tools/servers/mariadb.js"
import { startPostgresql } from "../../../../tools/servers/postgresql.js"
import { freePort, type Server } from "../../../../tools/servers/server.js"
import { mysqlPool, newMariadb, newPostgresql, pgKysely, pgPool, type TestDatabase } from "../support/databases.js"
import { gate } from "../support/gate.js"

const open: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  for (const { close } of open.splice(0).reverse()) await close()
})

function adapterOn(source: Parameters<typeof sqlAdapter>[0], options: SqlAdapterOptions = {}): SqlAdapter {
  const adapter = sqlAdapter(source, { migrate: "auto", ...options })
  open.push(adapter)
  return adapter
}

/** What came of a call: the value, or the error. */
async function outcomeOf(call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    return error
  }
}

/** What a read says. A server that is being frozen may still answer a moment longer. */
const said = async (adapter: SqlAdapter): Promise<string> => String(await outcomeOf(() => adapter.getUser("1")))

const user = (id: string) => ({ id, email: `${id}@example.test`, emailVerified: null })
const account = { provider: "example", providerAccountId: "secret-account", type: "oauth" as const }

/** One kind of server. */
interface Ground {
  readonly start: () => Promise<Server>
  readonly make: (server: string) => Promise<TestDatabase>
  readonly pool: (url: string) => Parameters<typeof sqlAdapter>[0]
  readonly scheme: string
  /** Makes the database refuse to write on new connections; and what it says then. */
  readonly readOnly: (name: string) => string
  readonly readOnlyCode: string
  /** Fails the first writes of sessions with a conflict, once for each row of `conflicts`. */
  readonly conflicts: readonly string[]
}

const postgresql: Ground = {
  start: startPostgresql,
  make: newPostgresql,
  pool: (url) => pgPool(url),
  scheme: "postgres",
  readOnly: (name) => `alter database ${name} set default_transaction_read_only = on`,
  readOnlyCode: "25006",
  conflicts: [
    "create sequence conflicts",
    `create function fail() returns trigger language plpgsql as $$ begin
      if nextval('conflicts') < 3 then raise exception using errcode = '40001', message = 'could not serialize'; end if;
      return new; end $$`,
    "create trigger fail before insert on sessions for each row execute function fail()",
  ],
}

const mariadb: Ground = {
  start: startMariadb,
  make: newMariadb,
  pool: (url) => mysqlPool(url),
  scheme: "mysql",
  readOnly: () => "set global tx_read_only = 1",
  readOnlyCode: "ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION",
  conflicts: [
    "create table conflicts (id int auto_increment primary key) engine = MyISAM",
    `create trigger fail before insert on sessions for each row begin
      insert into conflicts values ();
      if last_insert_id() < 3 then signal sqlstate '40001' set mysql_errno = 1213, message_text = 'Deadlock found'; end if;
      end`,
  ],
}

/** Faults of a server that all other tests use, too. */
function gentle(ground: Ground, server: string): void {
  it("a server that is down at the start is told with its reason", { tags: ["threat:FD-01"] }, async () => {
    const adapter = adapterOn(`${ground.scheme}://app:hunter2@127.0.0.1:${await freePort()}/db`)
    const error = await outcomeOf(() => adapter.getUser("1"))
    expect(error).toMatchObject({ code: "ECONNREFUSED" })
    expect(String((error as Error).message)).not.toContain("hunter2")
    await expect(adapter.migrate()).rejects.toMatchObject({ code: "ECONNREFUSED" })
  })

  it("tables that are missing are named", { tags: ["threat:FD-28"] }, async () => {
    const adapter = adapterOn((await ground.make(server)).url, { migrate: "manual" })
    await expect(adapter.getUser("1")).rejects.toThrow('There is no table "users". Run the migrations.')
    await adapter.migrate()
    expect(await adapter.getUser("1")).toBeNull()
  })

  it("a pool that is exhausted is waited for, and then an error", { tags: ["threat:FD-16"] }, async () => {
    const adapter = adapterOn((await ground.make(server)).url, { connections: 1, busyTimeout: 200 })
    await adapter.createUser(user("1"))
    await adapter.transaction(async (within) => {
      await expect(adapter.getUser("1")).rejects.toThrow("No database connection became free within 200 ms")
      await within.updateUser?.({ id: "1", name: "inside" })
    })
    expect(await adapter.getUser("1")).toMatchObject({ name: "inside" })
  })

  it("a pool of one connection does not wait for itself inside a transaction", { tags: ["threat:FD-15"] }, async () => {
    const adapter = adapterOn((await ground.make(server)).url, { connections: 1 })
    await adapter.transaction(async (within) => {
      await within.createUserWithAccount?.(user("1"), account)
      await within.transaction?.((inner) => inner.createUser?.(user("2")) as Promise<unknown>)
      await within.deleteUser?.("2")
    })
    expect(await adapter.getUser("1")).not.toBeNull()
    expect(await adapter.getUser("2")).toBeNull()
  })

  it("a row that is there already is one error on every database, without the values", {
    tags: ["threat:FD-18"],
  }, async () => {
    const adapter = adapterOn((await ground.make(server)).url)
    await adapter.createUserWithAccount(user("1"), account)
    const refused = await outcomeOf(() => adapter.linkAccount({ ...account, userId: "1" }))
    expect(refused).toBeInstanceOf(DuplicateError)
    expect(String(refused)).not.toContain("secret-account")
    await expect(adapter.createUser({ ...user("2"), email: "1@example.test" })).rejects.toThrow(DuplicateError)
    await adapter.createUser(user("2"))
    await adapter.transaction(async (within) => {
      await expect(within.updateUser?.({ id: "2", email: "1@example.test" })).rejects.toThrow(DuplicateError)
      await within.updateUser?.({ id: "2", name: "after the refusal" })
    })
    expect(await adapter.getUser("2")).toMatchObject({ name: "after the refusal", email: "2@example.test" })
  })

  it("transactions that lock each other out both take effect", { tags: ["threat:FD-17", "threat:RC-27"] }, async () => {
    const adapter = adapterOn((await ground.make(server)).url)
    await adapter.createUser(user("1"))
    await adapter.createUser(user("2"))
    let waiting = 0
    const met = gate()
    const work = (first: string, second: string) =>
      adapter.transaction(async (within) => {
        await within.updateUser?.({ id: first, name: `by ${first}` })
        waiting += 1
        if (waiting >= 2) met.open()
        await met.opened
        await within.updateUser?.({ id: second, image: `by ${first}` })
      })
    await Promise.all([work("1", "2"), work("2", "1")])
    expect(waiting).toBe(3)
    expect(await adapter.getUser("1")).toMatchObject({ name: "by 1", image: "by 2" })
    expect(await adapter.getUser("2")).toMatchObject({ name: "by 2", image: "by 1" })
  })

  it("a conflict runs the transaction again, all of it, and a single statement, too", {
    tags: ["threat:FD-17", "threat:RC-27"],
  }, async () => {
    const database = await ground.make(server)
    const adapter = adapterOn(database.url)
    await adapter.createUser(user("0"))
    for (const statement of ground.conflicts) await database.run(statement)
    let runs = 0
    const expires = new Date("2037-01-01T00:00:00Z")
    await adapter.transaction(async (within) => {
      runs += 1
      await within.createUser?.(user("1"))
      // A work that goes on after the conflict must not write outside of the transaction.
      await outcomeOf(() => within.createSession?.({ sessionToken: "s", userId: "1", expires }))
      await outcomeOf(() => within.createUser?.(user("2")))
    })
    expect(runs).toBe(3)
    expect(await adapter.getSessionAndUser("s")).not.toBeNull()
    expect(await database.rows("select id from users")).toHaveLength(3)
  })

  it("a transaction that swallows an error does not pretend to be kept", async () => {
    const adapter = adapterOn((await ground.make(server)).url)
    const work = adapter.transaction(async (within) => {
      await within.createUser?.(user("1"))
      await outcomeOf(() => within.linkAccount?.({ ...account, userId: "nobody" }))
    })
    const isKept = await work.then(
      () => true,
      () => false,
    )
    expect((await adapter.getUser("1")) !== null).toBe(isKept)
  })

  it("values that the database cannot hold are refused before they reach it", {
    tags: ["threat:FD-22", "threat:FD-24"],
  }, async () => {
    const adapter = adapterOn((await ground.make(server)).url)
    await expect(adapter.createUser({ ...user("1"), name: "zero\u0000byte" })).rejects.toThrow(TypeError)
    await expect(adapter.createUser({ ...user("1"), name: "half \ud800" })).rejects.toThrow(TypeError)
    expect(await adapter.getUserByEmail("1@example.test\u0000")).toBeNull()
    expect(await adapter.getSessionAndUser("s\u0000")).toBeNull()
  })

  it("an address that is too long is kept whole or refused, never cut", { tags: ["threat:FD-22"] }, async () => {
    const adapter = adapterOn((await ground.make(server)).url)
    // Nothing that a database could compress.
    const email = randomBytes(50_000).toString("hex")
    await expect(adapter.createUser({ ...user("1"), email })).rejects.toThrow()
    for (const length of [100_000, 640, 255]) expect(await adapter.getUserByEmail(email.slice(0, length))).toBeNull()
    expect(await adapter.getUser("1")).toBeNull()
  })
}

/** Faults that need a server of their own. */
function harsh(ground: Ground): void {
  const start = async (): Promise<Server> => {
    const server = await ground.start()
    open.push({ close: () => server.stop() })
    return server
  }

  it("a server that goes away in the middle and comes back is used again, on a URL and on a pool", {
    tags: ["threat:FD-01", "threat:FD-03"],
  }, async () => {
    const server = await start()
    const { url } = await ground.make(server.url)
    const adapters = [adapterOn(url), adapterOn(ground.pool(url))]
    for (const adapter of adapters) {
      await adapter.deleteUser("1")
      await adapter.createUser(user("1"))
    }
    const [begun, killed] = [gate(), gate()]
    const cutOff = adapters[0]?.transaction(async (within) => {
      await within.updateUser?.({ id: "1", name: "half" })
      begun.open()
      await killed.opened
      await within.updateUser?.({ id: "1", image: "half" })
    })
    const outcome = expect(cutOff).rejects.toThrow()
    await begun.opened
    await server.kill()
    killed.open()
    await outcome
    for (const adapter of adapters) {
      await expect(adapter.getUser("1")).rejects.toThrow()
      await expect(adapter.createUser(user("2"))).rejects.toThrow()
    }
    await server.restart()
    for (const adapter of adapters) expect(await adapter.getUser("1")).toMatchObject({ name: null, image: null })
    await expect(adapters[0]?.createUser(user("2"))).resolves.toMatchObject({ email: "2@example.test" })
  })

  it("a server that answers nothing is waited for as long as was said, and used again", {
    tags: ["threat:FD-14"],
  }, async () => {
    const server = await start()
    const { url } = await ground.make(server.url)
    const adapter = adapterOn(url, { statementTimeout: 300, busyTimeout: 300 })
    await adapter.createUser(user("1"))
    server.pause()
    try {
      await expect.poll(() => said(adapter), { timeout: 20_000 }).toContain("did not answer within 300 ms")
      await expect(adapter.transaction((within) => within.getUser?.("1") as Promise<unknown>)).rejects.toThrow(
        /300|timeout/i,
      )
      await expect(adapter.createUser(user("2"))).rejects.toThrow(/300|timeout/i)
    } finally {
      server.resume()
    }
    await expect.poll(() => outcomeOf(() => adapter.getUser("1")), { timeout: 20_000 }).toMatchObject({ id: "1" })
  })

  it("a replica that may not be written refuses with its reason, and is read", { tags: ["threat:FD-19"] }, async () => {
    const server = await start()
    const database = await ground.make(server.url)
    await adapterOn(database.url).createUser(user("1"))
    await database.run(ground.readOnly(new URL(database.url).pathname.slice(1)))
    const adapter = adapterOn(database.url)
    expect(await adapter.getUser("1")).not.toBeNull()
    await expect(adapter.createUser(user("2"))).rejects.toMatchObject({ code: ground.readOnlyCode })
    await expect(adapter.createUserWithAccount(user("2"), account)).rejects.toMatchObject({ code: ground.readOnlyCode })
  })
}

describeServer("postgresql", (server) => {
  describe("faults of PostgreSQL", () => gentle(postgresql, server))
  describe("a PostgreSQL server", () => harsh(postgresql))

  it("a Kysely instance recovers from a server without an answer, too", async () => {
    const own = await startPostgresql()
    open.push({ close: () => own.stop() })
    const { url } = await newPostgresql(own.url)
    const adapter = adapterOn(pgKysely(url), { statementTimeout: 300, busyTimeout: 300 })
    await adapter.createUser(user("1"))
    own.pause()
    await expect.poll(() => said(adapter), { timeout: 20_000 }).toContain("did not answer within 300 ms")
    own.resume()
    await expect.poll(() => outcomeOf(() => adapter.getUser("1")), { timeout: 20_000 }).toMatchObject({ id: "1" })
  })
})

describeServer("mariadb", (server) => {
  describe("faults of MariaDB", () => gentle(mariadb, server))
  describe("a MariaDB server", () => harsh(mariadb))
})
