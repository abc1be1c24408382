/** Published adapters and ours, opened on databases of their own. */
import type { Adapter } from "@latchkey/core/adapters"
import { type SqlAdapter, type SqlAdapterOptions, sqlAdapter, sqliteDialect } from "@latchkey/sql-adapter"
import { Kysely, sql } from "kysely"
import { inject } from "vitest"
import { afterwards, newMariadb, newPostgresql } from "../../packages/sql-adapter/test/support/databases.js"
import { temporaryFiles } from "../../packages/sql-adapter/test/support/temporary.js"
import type { Place, SharedTables } from "./shared-tables.data.js"

/** A published adapter on a database. */
export interface Opened {
  readonly adapter: Adapter
  /** The tool's own way to its tables: it makes them, or prints how. */
  makeTables?(): Promise<unknown>
  printTables?(): Promise<readonly string[]>
  close(): unknown
}

type Open = (url: string, options?: object) => Opened | Promise<Opened>

type Openers = Readonly<Record<string, Readonly<Partial<Record<Place, Open>>>>>

/** What the fixtures open, by tool and place. */
export async function loadOpeners(): Promise<Openers> {
  const load = async (path: string): Promise<Openers> => {
    const url = new URL(`../fixtures/${path}`, import.meta.url).href
    return ((await import(/* @vite-ignore */ url)) as { openers: Openers }).openers
  }
  return { ...(await load("adapters/shared.mjs")), ...(await load("prisma/prisma.mjs")) }
}

/** A database without tables. */
export interface Ground {
  readonly url: string
  run(...statements: readonly string[]): Promise<void>
  rows<T = Record<string, unknown>>(statement: string): Promise<T[]>
}

const newFile = temporaryFiles()

async function newSqlite(): Promise<Ground> {
  const url = newFile()
  const kysely = new Kysely<unknown>({ dialect: sqliteDialect({ filename: url }) })
  afterwards(() => kysely.destroy())
  const rows = async <T>(statement: string) => (await sql.raw<T>(statement).execute(kysely)).rows
  return {
    url,
    rows,
    async run(...statements) {
      for (const statement of statements) await rows(statement)
    },
  }
}

/** Makes one. */
export const grounds: Readonly<Record<Place, () => Promise<Ground>>> = {
  postgresql: () => newPostgresql(inject("postgresql")),
  mariadb: () => newMariadb(inject("mariadb")),
  sqlite: newSqlite,
}

/** Our adapter, before its migrations. */
export function ours(
  { published: { names } }: SharedTables,
  { url }: Ground,
  options: SqlAdapterOptions = {},
): SqlAdapter {
  const adapter = sqlAdapter(url, { names, connections: 3, migrate: "manual", ...options })
  afterwards(() => adapter.close())
  return adapter
}

/** The published adapter. */
export async function theirs(
  { published: { tool }, place }: SharedTables,
  { url }: Ground,
  options?: object,
): Promise<Opened> {
  const open = (await loadOpeners())[tool]?.[place]
  if (!open) throw new Error(`Expected an opener for ${tool} on ${place} in e2e/fixtures.`)
  const opened = await open(url, options)
  afterwards(async () => opened.close())
  return opened
}

/** A database with the tables. */
export async function withTables(shared: SharedTables): Promise<Ground> {
  const ground = await grounds[shared.place]()
  await ground.run(...shared.published.tables)
  return ground
}
