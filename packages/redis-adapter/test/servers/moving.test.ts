/** Sessions on their way from SQL into Redis, by the file that docs/guides/redis.md prints, while both are in use. */
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { combine, type RedisAdapter, redisAdapter } from "@latchkey/redis-adapter"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest"
import { freshPrefix, keysOf, withClient } from "./support/redis.js"

const guide = readFileSync(new URL("../../../../docs/guides/redis.md", import.meta.url), "utf8")
const [, printed = ""] = /^```ts\n\/\/ copy-sessions\.ts\n(.*?)^```$/ms.exec(guide) ?? []
const parent = fileURLToPath(new URL("../../.tmp", import.meta.url))
const day = 24 * 60 * 60 * 1000
const soon = new Date(Date.now() + day)
const later = new Date(Date.now() + 30 * day)

let folder: string
let prefix: string
let sql: SqlAdapter
let redis: RedisAdapter
let runs = 0

/** An instance that keeps sessions in SQL, and one that keeps them in Redis. */
const before = (): SqlAdapter => sql
const after = () => combine(sql, { sessions: redis })

beforeEach(async () => {
  mkdirSync(parent, { recursive: true })
  folder = mkdtempSync(join(parent, "moving-"))
  prefix = freshPrefix()
  sql = sqlAdapter({ filename: join(folder, "app.db") })
  redis = redisAdapter({ url: inject("redis") }, { prefix })
  await sql.migrate()
  for (const id of ["ada", "bob"]) await sql.createUser({ id, email: `${id}@app.test`, emailVerified: null })
})
afterEach(async () => {
  await Promise.all([sql.close(), redis.close()])
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the file as it is printed, on the database and the keys of this test. */
async function copy(...given: readonly string[]): Promise<void> {
  const changes = {
    '"app.db"': JSON.stringify(join(folder, "app.db")),
    '"redis://localhost:6379"': JSON.stringify(inject("redis")),
    "redisAdapter({ url })": `redisAdapter({ url }, { prefix: "${prefix}" })`,
    "latchkey:": `${prefix}:`,
    "process.argv": JSON.stringify(["node", "copy-sessions.ts", ...given]),
  }
  let code = printed
  for (const [found, other] of Object.entries(changes)) {
    expect(code).toContain(found)
    code = code.replaceAll(found, () => other)
  }
  const file = join(folder, `copy-${++runs}.ts`)
  writeFileSync(file, code)
  await import(file)
}

const begin = (at: Pick<SqlAdapter, "createSession">, sessionToken: string, userId = "ada") =>
  at.createSession({ sessionToken, userId, expires: soon })

/** Those of some tokens that open a session. */
async function living(
  at: { getSessionAndUser?(token: string): unknown },
  ...tokens: readonly string[]
): Promise<string[]> {
  const found = await Promise.all(tokens.map(async (token) => ((await at.getSessionAndUser?.(token)) ? [token] : [])))
  return found.flat()
}

describe("sessions that are copied twice", { tags: ["threat:SF-08"] }, () => {
  it("do not come back where they ended in between, and all others are there", async () => {
    const all = ["stays", "out-after", "out-before", "all-after", "all-before", "new-before", "new-after"]
    for (const token of ["stays", "out-after", "out-before"]) await begin(before(), token)
    await begin(before(), "all-after", "bob")
    await copy()
    expect(await living(after(), ...all)).toEqual(["stays", "out-after", "out-before", "all-after"])
    await after().deleteSession?.("out-after")
    await before().deleteSession("out-before")
    await after().deleteSessionsByUserId?.("bob")
    await begin(before(), "new-before")
    await after().createSession?.({ sessionToken: "new-after", userId: "ada", expires: soon })
    const left = ["stays", "new-before", "new-after"]
    await copy()
    expect(await living(after(), ...all)).toEqual(left)
    expect(await living(before(), ...all)).toEqual(["stays", "new-before"])
    for (const _ of [1, 2]) {
      await copy("last")
      expect(await living(after(), ...all)).toEqual(left)
      // Nor on the way back.
      expect(await living(before(), ...all)).toEqual([])
    }
    expect(await after().listSessionsByUserId?.("ada")).toHaveLength(left.length)
    expect((await keysOf(prefix)).filter((key) => key.includes("copied"))).toEqual([])
  })

  it("end as late as either store says", async () => {
    for (const token of ["here", "there"]) await begin(before(), token)
    await copy()
    await before().updateSession({ sessionToken: "here", expires: later })
    await after().updateSession?.({ sessionToken: "there", expires: later })
    await copy("last")
    for (const token of ["here", "there"])
      expect((await after().getSessionAndUser?.(token))?.session.expires).toEqual(later)
  })

  it("are there once after a run that was cut off", async () => {
    for (const token of ["one", "two", "three"]) await begin(before(), token)
    const hash = createHash("sha256").update("one").digest("hex")
    await copy()
    // As the last run leaves it that ends between a mark and a row.
    await withClient(inject("redis"), (send) => send("HSET", `${prefix}:copied-sessions`, hash, "moved"))
    await sql.deleteSession("one")
    await copy("last")
    expect(await living(after(), "one", "two", "three")).toEqual(["one", "two", "three"])
    expect(await living(before(), "one", "two", "three")).toEqual([])
  })

  it("are moved in one run while nothing else runs, whatever their tokens were stored as", async () => {
    await begin(before(), "hashed")
    const plain = { sessionToken: "plain", userId: "ada", expires: soon.toISOString() }
    await (sql.kysely as unknown as PlainRows)
      .insertInto("sessions")
      .values({ id: "1", ...plain })
      .execute()
    await copy("last")
    expect(await living(after(), "hashed", "plain")).toEqual(["hashed", "plain"])
    await after().deleteSessionsByUserId?.("ada")
    await copy("last")
    expect(await living(after(), "hashed", "plain")).toEqual([])
  })
})

/** A table as kysely sees it, for rows that the adapter would not write. */
interface PlainRows {
  insertInto(table: "sessions"): { values(row: object): { execute(): Promise<unknown> } }
}
