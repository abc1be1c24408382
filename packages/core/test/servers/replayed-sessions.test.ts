/** A saved cookie opens nothing once its session has ended (OWASP ASVS 5.0 7.4.1): every store that comes with the project. */
import { join } from "node:path"
import mysql from "mysql2/promise"
import pg from "pg"
import { describe } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { type ReplayStore, replayCases } from "../support/replay.js"
import { temporaryFolder } from "./support/folder.js"
import { openStore } from "./support/open-store.js"

const folder = temporaryFolder()
let count = 0
const fresh = (): string => `replay_${process.pid}_${++count}`

async function open(url: string): Promise<ReplayStore> {
  const { adapter, close } = await openStore(url)
  return { adapter, close }
}

describe("SQLite", () => replayCases("in SQLite", () => open(`file:${join(folder, `${fresh()}.db`)}`)))

describeServer("postgresql", (server) =>
  replayCases("in PostgreSQL", async () => {
    const name = fresh()
    const client = new pg.Client(server)
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    return open(Object.assign(new URL(server), { pathname: name }).href)
  }),
)

describeServer("mariadb", (server) =>
  replayCases("in MariaDB", async () => {
    const name = fresh()
    const connection = await mysql.createConnection(server)
    await connection.query(`create database ${name}`)
    await connection.end()
    return open(Object.assign(new URL(server), { pathname: name }).href)
  }),
)

describeServer("redis", (server) => replayCases("in Redis", () => open(`${server}?prefix=${fresh()}`)))
