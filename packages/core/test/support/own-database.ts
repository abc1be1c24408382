/** Adapters on databases of their own, which are closed once the tests of the file are over. */
import { randomBytes } from "node:crypto"
import { sqlAdapter } from "@latchkey/sql-adapter"
import mysql from "mysql2/promise"
import pg from "pg"
import { afterAll } from "vitest"

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

type OwnDatabase = ReturnType<typeof sqlAdapter>

async function openAt(server: string, create: (statement: string) => Promise<unknown>): Promise<OwnDatabase> {
  const name = `own_${randomBytes(6).toString("hex")}`
  await create(`create database ${name}`)
  const adapter = sqlAdapter({ url: Object.assign(new URL(server), { pathname: name }).href })
  closing.push(() => adapter.close())
  await adapter.migrate()
  return adapter
}

/** A new database on a PostgreSQL server. */
export function openOnPostgres(server: string): Promise<OwnDatabase> {
  return openAt(server, async (statement) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement)
    await client.end()
  })
}

/** A new database on a MariaDB server. */
export function openOnMariadb(server: string): Promise<OwnDatabase> {
  return openAt(server, async (statement) => {
    const connection = await mysql.createConnection(server)
    await connection.query(statement)
    await connection.end()
  })
}
