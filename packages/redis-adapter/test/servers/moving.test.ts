/** Sessions on their way from SQL into Redis, by the file that docs/guides/redis.md prints, while both are in use. */
import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { combine, type RedisAdapter, redisAdapter } from "@latchkey/redis-adapter"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { afterEach, beforeEach, describe, expect, inject, it, vi } from "vitest"
import { freshPrefix, keysOf, withClient } from "./support/redis.js"

const guide = readFileSync(new URL("../../../../docs/guides/redis.md", import.meta.url), "utf8")
const [, printed = ""] = /^```ts\n\/\/ copy-sessions\.ts\n(.*?)^```$/ms.exec(guide) ?? []
const parent = fileURLToPath(new URL("../../.tmp", import.meta.url))
const day = 24 * 60 * 60 * 1000
const soon = new Date(Date.now() + day)
const later = new Date(Date.now() + 30 * day)

/** Before each command for a session, and before what comes after them. */
const moments = [0, 1, 2, 3, 4, 5, 6, 7]

let folder: string
let prefix: string
let sql: SqlAdapter
let redis: RedisAdapter
let runs = 0
/** What happens before each command that the file sends itself. */
let beforeCommand: (...command: readonly unknown[]) => unknown

/** An instance that keeps sessions in SQL, and one that keeps them in Redis. */
const before = (): SqlAdapter => sql
const after = () => combine(sql, { sessions: redis })

beforeEach(async () => {
  mkdirSync(parent, { recursive: true })
  folder = mkdtempSync(join(parent, "moving-"))
  prefix = freshPrefix()
  sql = sqlAdapter({ filename: join(folder, "app.db") })
  redis = redisAdapter({ url: inject("redis") }, { prefix })
  beforeCommand = () => {}
  vi.stubGlobal("watched", watched)
  await sql.migrate()
  for (const id of ["ada", "bob"]) await sql.createUser({ id, email: `${id}@app.test`, emailVerified: null })
})
afterEach(async () => {
  await Promise.all([sql.close(), redis.close()])
  rmSync(folder, { recursive: true, force: true })
})

type Client = Record<string, (...given: readonly unknown[]) => unknown>

const watched = (client: Client): Client =>
  new Proxy(client, {
    get:
      (_, name: string) =>
      async (...given: readonly unknown[]) => {
        try {
          await beforeCommand(name, ...given)
        } catch (error) {
          await client["close"]?.()
          throw error
        }
        return client[name]?.(...given)
      },
  })

/** Does something before one of the commands for one session, counted from the first, in the runs that follow. */
function during(token: string, at: number, work: () => unknown): void {
  let left: number | undefined
  beforeCommand = (...command) => {
    if (JSON.stringify(command).includes(hashOf(token))) left ??= at
    if (left === undefined) return
    left -= 1
    return left === -1 ? work() : undefined
  }
}

const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex")

/** Runs the file as it is printed, on the database and the keys of this test. */
async function copy(...given: readonly string[]): Promise<void> {
  const changes = {
    '"app.db"': JSON.stringify(join(folder, "app.db")),
    '"redis://localhost:6379"': JSON.stringify(inject("redis")),
    "redisAdapter({ url })": `redisAdapter({ url }, { prefix: "${prefix}" })`,
    "latchkey:": `${prefix}:`,
    "await createClient({ url }).connect()": "watched(await createClient({ url }).connect())",
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
    await copy()
    // As the last run leaves it that ends between a mark and a row.
    await withClient(inject("redis"), (send) => send("HSET", `${prefix}:copied-sessions`, hashOf("one"), "moved"))
    await sql.deleteSession("one")
    await copy("last")
    expect(await living(after(), "one", "two", "three")).toEqual(["one", "two", "three"])
    expect(await living(before(), "one", "two", "three")).toEqual([])
  })

  it.each([{ given: [] }, { given: ["last"] }])(
    "are brought back by no run after one that was cut off, and one is lost at most: %j",
    async ({ given }) => {
      for (const at of moments) {
        const tokens = ["ended", "kept", "other"].map((name) => `${name}-${at}`) as [string, string, string]
        const [ended, kept, other] = tokens
        for (const token of tokens) await begin(before(), token)
        for (const token of [ended, kept]) {
          during(token, at, () => {
            throw new Error("cut off")
          })
          await expect(copy(...given)).rejects.toThrow("cut off")
        }
        await after().deleteSession?.(ended)
        beforeCommand = () => {}
        await copy(...given)
        // Between its mark and its copy nobody knows whether there was one.
        const isLost = at === 1 || at === 2
        expect(await living(after(), ...tokens), String(at)).toEqual(isLost ? [other] : [kept, other])
        await after().deleteSessionsByUserId?.("ada")
        expect(await living(after(), ...tokens), String(at)).toEqual([])
        await copy(...given)
        expect(await living(after(), ...tokens), String(at)).toEqual([])
      }
    },
  )

  it("are all ended by a second call, whenever the first one came", async () => {
    for (const at of moments) {
      const token = `token-${at}`
      await begin(before(), token)
      during(token, at, () => after().deleteSessionsByUserId?.("ada"))
      await copy()
      await after().deleteSessionsByUserId?.("ada")
      await copy("last")
      expect(await living(after(), token), String(at)).toEqual([])
    }
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
