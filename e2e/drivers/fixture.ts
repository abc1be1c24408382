/** The drivers of the fixture, as applications make them. */
import type { Pool, SqlAdapter } from "@latchkey/sql-adapter"
import type { Kysely } from "kysely"
import type { Sockets } from "./neon-server.js"

/** What we use of a D1 database. */
export interface D1Database {
  prepare(sql: string): { bind(...parameters: unknown[]): object }
  batch(statements: readonly object[]): Promise<readonly unknown[]>
}

/** What we use of Neon's function for SQL over HTTP. */
export interface NeonSql {
  query(text: string, parameters: unknown[]): object
  transaction(queries: readonly object[]): Promise<readonly unknown[]>
}

/** What `drivers.mjs` exports. */
export interface Drivers {
  remoteLibsql(url: string): { kysely: Kysely<unknown>; close(): void }
  cloudflareD1(): Promise<{ kysely: Kysely<unknown>; database: D1Database; close(): Promise<void> }>
  webSockets(): Sockets
  neonHttp(address: string, endpoint: string): { kysely: Kysely<unknown>; sql: NeonSql }
  neonPool(address: string, proxy: string): Pool & { end(): Promise<void> }
  upstash(url: string): object
}

/** Loads them, once they are installed. */
export async function loadDrivers(): Promise<Drivers> {
  const fixture = new URL("../fixtures/drivers/drivers.mjs", import.meta.url)
  return (await import(/* @vite-ignore */ fixture.href)) as Drivers
}

export const ada = { id: "ada", email: "ada@example.test", emailVerified: null }

export const account = { provider: "github", providerAccountId: "1", type: "oauth" as const }

/** Does an adapter without transactions offer what a case needs? */
export const offeredWithoutTransactions = (needs: readonly (keyof SqlAdapter)[]): boolean =>
  !needs.includes("transaction")
