/** Every store that comes with the project, by its address. */
import { redisAdapter } from "@latchkey/redis-adapter"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { sql } from "kysely"
import { createClient } from "redis"
import type { Adapter } from "../../../src/types/adapter.js"

/** A store, and what the tests ask of it beyond the operations. */
export interface OpenedStore {
  readonly adapter: Adapter
  /** How many users and accounts of these there are, asked of the store itself. */
  count(email: string, providerAccountId: string): Promise<{ users: number; accounts: number }>
  close(): Promise<void>
}

/** Opens the store at an address: `file:`, `postgres:`, `mysql:` or `redis:`. Tables are made when they are missing. */
export async function openStore(url: string): Promise<OpenedStore> {
  return url.startsWith("redis:") ? openRedis(url) : openSql(url)
}

async function openSql(url: string): Promise<OpenedStore> {
  const adapter = sqlAdapter({ url })
  await adapter.migrate()
  const one = async (query: ReturnType<typeof sql<{ count: number | string }>>): Promise<number> =>
    Number((await query.execute(adapter.kysely)).rows[0]?.count)
  const account = sql.ref("providerAccountId")
  return {
    adapter,
    close: () => adapter.close(),
    count: async (email, id) => ({
      users: await one(sql`select count(*) as count from ${sql.table("users")} where email = ${email}`),
      accounts: await one(sql`select count(*) as count from ${sql.table("accounts")} where ${account} = ${id}`),
    }),
  }
}

async function openRedis(url: string): Promise<OpenedStore> {
  const prefix = new URL(url).searchParams.get("prefix") ?? "latchkey"
  const address = new URL(url)
  address.search = ""
  const adapter = redisAdapter({ url: address.href }, { prefix })
  const texts = async (pattern: string, member: string): Promise<string[]> => {
    const client = await createClient({ url: address.href }).connect()
    try {
      const keys = await client.keys(pattern)
      return (await Promise.all(keys.map((key) => client.get(key)))).flatMap((text) =>
        text === null ? [] : [String((JSON.parse(text) as Record<string, unknown>)[member])],
      )
    } finally {
      client.destroy()
    }
  }
  return {
    adapter,
    close: () => adapter.close(),
    count: async (email, id) => ({
      users: (await texts(`{${prefix}}:user:*`, "email")).filter((text) => text === email).length,
      accounts: (await texts(`{${prefix}}:account:*`, "providerAccountId")).filter((text) => text === id).length,
    }),
  }
}
