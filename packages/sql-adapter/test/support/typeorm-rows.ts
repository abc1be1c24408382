/** TypeORM and the adapter on the same tables: each reads and removes what the other wrote. */
import type { SqlAdapter } from "@latchkey/sql-adapter"
import { expect, it } from "vitest"
import type { PublishedTables } from "./published/tables.js"

/** A database with TypeORM's tables for each test. */
export interface TypeormGround {
  make(tables: readonly string[]): Promise<{
    adapter(names: PublishedTables["names"]): SqlAdapter
    run(...statements: readonly string[]): Promise<void>
    rows(statement: string): Promise<Readonly<Record<string, unknown>>[]>
  }>
  readonly published: Omit<PublishedTables, "impossible">
  /** How names are quoted. */
  readonly q: (name: string) => string
  /** A question for the columns of each index of a table, as a text without quotes called `parts`. */
  readonly indicesOf: (table: string) => string
}

const id = "0b7d0b3c-8f0e-4f0e-9c39-4f0a3c1d2e3f"
const expires = new Date("2037-01-02T03:04:05.678Z")
const user = { id, email: "ada@example.test", emailVerified: new Date("2026-01-02T03:04:05.678Z") }

/** How the entities of `@auth/typeorm-adapter` read a time. */
const asTypeorm = (value: unknown): Date => new Date(Number.parseInt(value as string, 10))

export function sharesRowsWithTypeorm({ make, published: { tables, names }, q, indicesOf }: TypeormGround): void {
  it("times that the adapter writes are read by TypeORM", async () => {
    const { adapter: on, rows } = await make(tables)
    const adapter = on(names)
    await adapter.migrate()
    await adapter.createUser(user)
    await adapter.createSession({ sessionToken: "s", userId: id, expires: new Date() })
    await adapter.updateSession({ sessionToken: "s", expires })
    await adapter.createVerificationToken({ identifier: user.email, token: "t", expires })
    const [ada] = await rows(`select ${q("emailVerified")} as time from users`)
    expect(asTypeorm(ada?.time)).toEqual(user.emailVerified)
    for (const table of ["sessions", "verification_tokens"]) {
      const [row] = await rows(`select expires as time from ${table}`)
      expect(asTypeorm(row?.time), table).toEqual(expires)
    }
  })

  it("links, which TypeORM finds without an index, get one on both of their values", async () => {
    const { adapter, rows } = await make(tables)
    const before = await rows(indicesOf("verification_tokens"))
    expect(before.map(({ parts }) => parts)).not.toContainEqual(expect.stringMatching(/^identifier,\s*token$/))
    await adapter(names).migrate()
    const after = await rows(indicesOf("verification_tokens"))
    expect(after.map(({ parts }) => parts)).toContainEqual(expect.stringMatching(/^identifier,\s*token$/))
  })

  it("rows that TypeORM wrote are removed once they have expired", async () => {
    const { adapter: on, rows, run } = await make(tables)
    const adapter = on(names)
    const [before, now, after] = [-1000, 0, 1000].map((offset) => expires.getTime() + offset)
    await run(
      `insert into users (id, email) values ('${id}', 'ada@example.test')`,
      ...[before, after].flatMap((time, at) => [
        `insert into sessions (id, ${q("sessionToken")}, ${q("userId")}, expires)
          values ('${id.slice(0, -1)}${at}', 's${at}', '${id}', '${time}')`,
        `insert into verification_tokens (id, token, identifier, expires)
          values ('${id.slice(0, -1)}${at}', 't${at}', 'ada@example.test', '${time}')`,
      ]),
    )
    await adapter.migrate()
    expect((await adapter.getSessionAndUser("s1"))?.session.expires.getTime()).toBe(after)
    await adapter.deleteExpired(new Date(now as number))
    expect(await rows(`select ${q("sessionToken")} as it from sessions`)).toEqual([{ it: "s1" }])
    expect(await rows("select token as it from verification_tokens")).toEqual([{ it: "t1" }])
  })
}
