/** Several processes on one file: started at once on an empty file, signing the same people in at the same time. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { type Kysely, sql } from "kysely"
import { describe, expect, it } from "vitest"
import { bundle } from "./support/bundle.js"
import { temporaryFolder } from "./support/temporary.js"

const folder = temporaryFolder()
const start = promisify(execFile)
const worker = fileURLToPath(new URL("./support/worker.ts", import.meta.url))
const rounds = 20
const names = ["a", "b", "c"]

interface Answer {
  readonly users: string[]
  readonly consumed: number
}

async function count(kysely: Kysely<unknown>, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(kysely)
  return rows[0]?.count ?? 0
}

/** What all processes find when they begin. */
async function prepare(adapter: SqlAdapter): Promise<void> {
  const user = await adapter.createUser({ id: "", email: "", emailVerified: null })
  await adapter.createSession({ sessionToken: "shared", userId: user.id, expires: new Date("2099-01-01T00:00:00Z") })
  for (let round = 0; round < rounds; round += 1) {
    const token = { identifier: "ada@example.test", token: `token-${round}`, expires: new Date("2099-01-01T00:00:00Z") }
    await adapter.createVerificationToken(token)
  }
}

describe("several processes on one file", () => {
  it("lose nothing, make nobody twice and spend every token once", {
    tags: ["threat:RC-01", "threat:RC-05", "threat:RC-27"],
    timeout: 60_000,
  }, async () => {
    const filename = join(folder, "app.db")
    const script = await bundle(worker, join(folder, "worker.mjs"))
    const adapter = sqlAdapter({ filename })
    await prepare(adapter)

    const startAt = String(Date.now() + 1500)
    const runs = names.map((name) => start(process.execPath, [script, filename, name, startAt], { timeout: 40_000 }))
    const answers = (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout) as Answer)

    for (let person = 0; person < rounds; person += 1) {
      expect(new Set(answers.map(({ users }) => users[person])).size).toBe(1)
    }
    expect(answers.reduce((sum, { consumed }) => sum + consumed, 0)).toBe(rounds)
    expect(await count(adapter.kysely, "users")).toBe(1 + rounds)
    expect(await count(adapter.kysely, "accounts")).toBe(rounds)
    expect(await count(adapter.kysely, "sessions")).toBe(1 + rounds * names.length)
    for (const name of names) {
      const found = await adapter.getSessionAndUser(`${name}-7`)
      expect(found?.session.expires).toEqual(new Date(Date.parse("2099-01-01T00:00:00Z") + 7))
    }
    await adapter.close()
  })

  it("migrate an empty file together", async () => {
    const filename = join(folder, "empty.db")
    const script = await bundle(worker, join(folder, "worker.mjs"))
    const startAt = String(Date.now() + 1500)
    const outcomes = await Promise.allSettled(
      names.map((name) => start(process.execPath, [script, filename, name, startAt], { timeout: 40_000 })),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled"])
    const adapter = sqlAdapter({ filename }, { migrate: "manual" })
    expect(await adapter.migrate()).toEqual([])
    expect(await count(adapter.kysely, "users")).toBe(rounds)
    await adapter.close()
  }, 60_000)
})
