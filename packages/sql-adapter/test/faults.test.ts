/** What can go wrong with a file: each fault becomes a rejected promise, and nothing is half written. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type SqlAdapter, type SqlAdapterOptions, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { CompiledQuery, Kysely, sql } from "kysely"
import { afterEach, describe, expect, it } from "vitest"
import { temporaryFiles, temporaryFolder } from "./support/temporary.js"

const file = temporaryFiles()
const folder = temporaryFolder()
const open: { close(): Promise<unknown> }[] = []

afterEach(async () => {
  for (const { close } of open.splice(0)) await close()
})

function adapterOn(filename: string, options: SqlAdapterOptions = {}): SqlAdapter {
  const adapter = sqlAdapter({ filename }, options)
  open.push(adapter)
  return adapter
}

/** Another process that holds the write lock until it is asked to release it. */
async function lock(filename: string): Promise<() => Promise<void>> {
  const other = new Kysely<unknown>({ dialect: sqliteDialect({ filename }) })
  open.push({ close: () => other.destroy() })
  await other.executeQuery(CompiledQuery.raw("begin immediate"))
  return async () => {
    await other.executeQuery(CompiledQuery.raw("commit"))
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
const user = (id: string) => ({ id, email: `${id}@example.test`, emailVerified: null, image: null, name: null })
const account = { provider: "example", providerAccountId: "1", type: "oauth" as const }

describe("a locked file", () => {
  it("is waited for without holding the thread up", { tags: ["threat:FD-17"] }, async () => {
    const filename = file()
    const adapter = adapterOn(filename)
    await adapter.getUser("1")
    const release = await lock(filename)
    let ticks = 0
    const clock = setInterval(() => (ticks += 1), 5)
    const writing = adapter.createUser(user("1"))
    await pause(100)
    await release()
    await expect(writing).resolves.toMatchObject({ id: "1" })
    clearInterval(clock)
    expect(ticks).toBeGreaterThan(5)
  })

  it("is an error when the wait is over, and nothing is written later", { tags: ["threat:FD-17"] }, async () => {
    const filename = file()
    const adapter = adapterOn(filename, { busyTimeout: 50 })
    await adapter.getUser("1")
    const release = await lock(filename)
    await expect(adapter.createUser(user("1"))).rejects.toMatchObject({ code: "SQLITE_BUSY" })
    await expect(adapter.transaction(async () => "never")).rejects.toMatchObject({ code: "SQLITE_BUSY" })
    await release()
    await pause(100)
    expect(await adapter.getUser("1")).toBeNull()
    await expect(adapter.createUser(user("1"))).resolves.toMatchObject({ id: "1" })
  })

  it("can still be read", async () => {
    const filename = file()
    const adapter = adapterOn(filename)
    await adapter.createUser(user("1"))
    const release = await lock(filename)
    expect(await adapter.getUser("1")).toMatchObject({ id: "1" })
    await release()
  })
})

describe("an open transaction", () => {
  it("does not hold up readers, who see nothing of it yet", async () => {
    const adapter = adapterOn(file())
    await adapter.createUser(user("1"))
    await adapter.transaction(async (within) => {
      await within.updateUser?.({ id: "1", name: "inside" })
      expect(await adapter.getUser("1")).toMatchObject({ name: null })
    })
    expect(await adapter.getUser("1")).toMatchObject({ name: "inside" })
  })

  it("that waits for a write outside of itself ends with an error, not in a deadlock", {
    tags: ["threat:FD-15"],
  }, async () => {
    const adapter = adapterOn(file(), { busyTimeout: 50 })
    const stuck = adapter.transaction(async () => adapter.createUser(user("1")))
    await expect(stuck).rejects.toThrow("No database connection became free within 50 ms")
    await expect(adapter.createUser(user("1"))).resolves.toMatchObject({ id: "1" })
  })

  it("cannot be written to when it has ended", async () => {
    const adapter = adapterOn(file())
    const kept = await adapter.transaction(async (within) => within)
    await expect(kept.createUser?.(user("1"))).rejects.toThrow("has ended")
    expect(await adapter.getUser("1")).toBeNull()
  })

  it("can hold others that fail by themselves", async () => {
    const adapter = adapterOn(file())
    await adapter.transaction(async (outer) => {
      await outer.createUser?.(user("1"))
      const inner = outer.transaction?.(async (within) => {
        await within.createUser?.(user("2"))
        throw new Error("inner")
      })
      await expect(inner).rejects.toThrow("inner")
      const others: unknown[] = []
      const failing = outer.transaction?.(async (within) => {
        await within.createUser?.(user("5"))
        others.push(outer.transaction?.((open) => open.createUser?.(user("3")) as never))
        others.push(outer.createUser?.(user("4")))
        await pause(5)
        throw new Error("later")
      })
      await expect(failing).rejects.toThrow("later")
      await Promise.all(others)
    })
    const found = await Promise.all(["1", "2", "3", "4", "5"].map((id) => adapter.getUser(id)))
    expect(found.map((row) => row?.id)).toEqual(["1", undefined, "3", "4", undefined])
  })
})

describe("rows that belong to a user", () => {
  it("cannot be written for nobody", async () => {
    const adapter = adapterOn(file())
    const session = { sessionToken: "s", userId: "nobody", expires: new Date("2099-01-01T00:00:00Z") }
    await expect(adapter.createSession(session)).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_FOREIGNKEY" })
    await expect(adapter.linkAccount({ ...account, userId: "nobody" })).rejects.toThrow()
  })

  it("go when the application itself removes the user", async () => {
    const adapter = adapterOn(file())
    await adapter.createUserWithAccount(user("1"), account)
    await sql`delete from users`.execute(adapter.kysely)
    expect(await adapter.getAccount("1", "example")).toBeNull()
  })
})

describe("a full disk", () => {
  it("rejects, keeps what was there, and heals", async () => {
    const adapter = adapterOn(file())
    await adapter.createUser(user("1"))
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(adapter.kysely)
    await sql.raw(`pragma max_page_count = ${rows[0]?.page_count}`).execute(adapter.kysely)
    const big = { ...user("2"), image: "x".repeat(100_000) }
    await expect(adapter.createUser(big)).rejects.toMatchObject({ code: "SQLITE_FULL" })
    await expect(adapter.createUserWithAccount(big, account)).rejects.toMatchObject({ code: "SQLITE_FULL" })
    const caught = adapter.transaction(async (within) => {
      await within.updateUser?.({ id: "1", name: "half" })
      await within.createUser?.(big)
    })
    await expect(caught).rejects.toMatchObject({ code: "SQLITE_FULL" })
    expect(await adapter.getUser("1")).toMatchObject({ name: null })
    await sql.raw("pragma max_page_count = 100000").execute(adapter.kysely)
    await expect(adapter.createUserWithAccount(big, account)).resolves.toMatchObject({ id: "2" })
  })
})

describe("a file that cannot be written", () => {
  it("rejects writes and answers reads", async () => {
    const adapter = adapterOn(file())
    await adapter.createUser(user("1"))
    await sql.raw("pragma query_only = on").execute(adapter.kysely)
    await expect(adapter.createUser(user("2"))).rejects.toMatchObject({ code: "SQLITE_READONLY" })
    await expect(adapter.deleteUser("1")).rejects.toThrow()
    expect(await adapter.getUser("1")).toMatchObject({ id: "1" })
  })
})

describe("a file that cannot be opened", () => {
  it("is reported with the folder that is missing", async () => {
    const filename = join(folder, "missing", "app.db")
    await expect(adapterOn(filename).getUser("1")).rejects.toThrow(`there is no folder "${join(folder, "missing")}"`)
  })

  it("is reported when it is a folder", async () => {
    await expect(adapterOn(folder).getUser("1")).rejects.toThrow(`Cannot open "${folder}"`)
  })

  it("is reported when it is no database, and opened once it is one", async () => {
    const filename = file()
    writeFileSync(filename, "this is no database".repeat(100))
    const adapter = adapterOn(filename)
    await expect(adapter.getUser("1")).rejects.toMatchObject({ code: "SQLITE_NOTADB" })
    writeFileSync(filename, "")
    await expect(adapter.createUser(user("1"))).resolves.toMatchObject({ id: "1" })
  })
})

describe("a closed adapter", () => {
  it("rejects, also when it is closed twice or was never opened", async () => {
    const adapter = sqlAdapter({ filename: file() })
    await adapter.createUser(user("1"))
    await adapter.close()
    await adapter.close()
    await expect(adapter.getUser("1")).rejects.toThrow("The adapter is closed.")
    await expect(adapter.migrate()).rejects.toThrow("The adapter is closed.")
    await expect(sqlAdapter({ filename: file() }).close()).resolves.toBeUndefined()
  })

  it("leaves a Kysely instance open that it was given", async () => {
    const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename: ":memory:" }) })
    open.push({ close: () => kysely.destroy() })
    await sqlAdapter(kysely).close()
    await expect(sql`select 1 as one`.execute(kysely)).resolves.toMatchObject({ rows: [{ one: 1 }] })
  })
})

describe("values that the driver cannot bind", () => {
  it.each([
    [true, 1],
    [false, 0],
    [undefined, null],
  ])("%s is stored as %s", async (value, expected) => {
    const { kysely } = adapterOn(":memory:")
    expect((await sql`select ${value} as value`.execute(kysely)).rows).toEqual([{ value: expected }])
  })

  it.each([[new Date(0)], [{}], [Number.NaN], ["zero\u0000byte"], ["half \ud800"]])("%s is refused", async (value) => {
    const { kysely } = adapterOn(":memory:")
    await expect(sql`select ${value} as value`.execute(kysely)).rejects.toThrow(TypeError)
  })

  it.each(["'", "\\'", "$.x", "%", "_", '"', "`", "?", "--", ";"])(
    "a string with %j goes as a value, never as SQL",
    { tags: ["threat:A-183"] },
    async (text) => {
      const { kysely } = adapterOn(":memory:")
      const { rows } = await sql<{ size: number }>`select length(cast(${text} as blob)) as size`.execute(kysely)
      expect(rows[0]?.size).toBe(Buffer.byteLength(text))
    },
  )
})

describe("sqlAdapter", () => {
  it.each([[{}], [{ filename: 7 }], [null]])("refuses %j", (source) => {
    expect(() => sqlAdapter(source as never)).toThrow(TypeError)
  })
})
