import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Kysely, sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Desk } from "../desk.js"
import { sqlAdapter, sqliteDialect } from "../index.js"
import { SchemaError } from "../layout.js"
import type { Runner } from "../runner.js"
import { calmPace, expiredOperation, type Pace } from "./expired.js"

/** A table with so many expired rows, and a database that needs so many microseconds for each. */
function world({ rows, cost }: { rows: number; cost: number }) {
  const steps: number[] = []
  const rests: number[] = []
  let now = 0
  const left = { sessions: rows, verificationTokens: 0 }
  const desk = {
    table: (key: string) => ({ layout: { table: key, columns: new Map([["expires", { name: "expires" }]]) } }),
    records: new SchemaError("There is no table of records."),
    dialect: { deleteSome: (table: string, { most }: { most: number }) => ({ table, most }) },
  } as unknown as Desk
  const runner = {
    atomically: async (work: (within: unknown) => Promise<unknown>) =>
      work({
        write: async ({ table, most }: { table: keyof typeof left; most: number }) => {
          const removed = Math.min(most, left[table])
          left[table] -= removed
          now += (removed * cost) / 1000
          if (table === "sessions") steps.push(removed)
          return { numAffectedRows: BigInt(removed), rows: [] }
        },
      }),
  } as unknown as Runner
  const pace: Pace = {
    ...calmPace,
    clock: () => now,
    rest: async (milliseconds) => {
      rests.push(milliseconds)
      now += milliseconds
    },
  }
  return { ...expiredOperation(desk, runner, pace), steps, rests }
}

describe("removal of expired rows", () => {
  it("keeps every step near its target, however slow the database is", async () => {
    for (const cost of [1, 50, 400, 5000]) {
      const { deleteExpired, steps, rests } = world({ rows: 20_000, cost })
      expect(await deleteExpired(new Date(0))).toEqual({ sessions: 20_000, verificationTokens: 0 })
      const settled = steps.slice(12)
      for (const size of settled)
        expect((size * cost) / 1000).toBeLessThanOrEqual(Math.max(calmPace.target, cost / 1000))
      expect(Math.max(...steps)).toBeLessThanOrEqual(calmPace.most)
      // As long as a step took, others have their turn.
      expect(rests.map((rest) => Math.round(rest * 1000))).toEqual(
        steps.slice(0, rests.length).map((size) => size * cost),
      )
    }
  })

  it("never asks for more than twice the rows of the step before", async () => {
    const { deleteExpired, steps } = world({ rows: 30_000, cost: 0 })
    await deleteExpired(new Date(0))
    expect(steps).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 7400])
  })

  it("says after each step what has been removed so far", async () => {
    const { deleteExpired } = world({ rows: 1000, cost: 0 })
    const progress: number[] = []
    await deleteExpired(new Date(0), { onProgress: ({ sessions }) => void progress.push(sessions) })
    expect(progress).toEqual([200, 600, 1000])
  })
})

describe("removal of expired rows in a file", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-expired-"))
  const adapter = sqlAdapter({ filename: join(folder, "app.db") })
  beforeAll(() => adapter.migrate())
  afterAll(async () => {
    await adapter.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("lets others in between, and leaves what has not expired", async () => {
    const user = await adapter.createUser({ id: "ada", email: "ada@example.test", emailVerified: null })
    await adapter.transaction(async (within) => {
      for (let count = 0; count < 3000; count += 1) {
        const expires = new Date(count < 2900 ? 1_000_000 + count : Date.UTC(2100, 0))
        await within.createSession?.({ sessionToken: `token-${count}`, userId: user.id, expires })
      }
    })
    let isDone = false
    let between = 0
    const removal = Promise.resolve(adapter.deleteExpired(new Date())).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await adapter.createSession({
        sessionToken: `new-${between}`,
        userId: user.id,
        expires: new Date(Date.UTC(2100, 0)),
      })
      between += 1
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await removal).toEqual({ sessions: 2900, verificationTokens: 0, records: 0 })
    // Steps of 200, 400, 800 and so on: somebody signs in after each.
    expect(between).toBeGreaterThanOrEqual(4)
    expect(await adapter.listSessionsByUserId(user.id)).toHaveLength(100 + between)
  })
})

describe("removal of expired rows in tables of SQLite without rowid", () => {
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename: ":memory:" }) })
  afterAll(() => kysely.destroy())

  it("removes what has expired, and leaves the rest", { tags: ["threat:RC-03"] }, async () => {
    await sql`create table sessions ("sessionToken" text primary key, "userId" text not null, expires text not null)
      WITHOUT rowid`.execute(kysely)
    await sql`create table verification_tokens (identifier text, token text, expires text not null,
      primary key (identifier, token)) without rowid`.execute(kysely)
    const adapter = sqlAdapter(kysely, { migrate: "auto" })
    const { id } = await adapter.createUser({ id: "ada", email: "ada@example.test", emailVerified: null })
    await adapter.transaction(async (within) => {
      for (let count = 0; count < 700; count += 1) {
        const expires = new Date(count < 650 ? 1_000_000 + Math.floor(count / 3) : Date.UTC(2100, 0))
        await within.createSession?.({ sessionToken: `token-${count}`, userId: id, expires })
        await within.createVerificationToken?.({ identifier: "ada@example.test", token: `${count}`, expires })
      }
    })
    expect(await adapter.deleteExpired(new Date())).toEqual({ sessions: 650, verificationTokens: 650, records: 0 })
    expect(await adapter.listSessionsByUserId(id)).toHaveLength(50)
  })
})
