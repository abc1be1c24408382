/** The servers that these tests run against: what they forgive, what a restart keeps, and that nothing stays behind. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import mysql from "mysql2/promise"
import pg from "pg"
import { createClient, createCluster } from "redis"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { startMariadb } from "../../../../tools/servers/mariadb.js"
import { startPostgresql } from "../../../../tools/servers/postgresql.js"
import { startRedis, startRedisCluster } from "../../../../tools/servers/redis.js"
import type { Server } from "../../../../tools/servers/server.js"
import { temporaryFolder } from "./support/folder.js"

const folder = temporaryFolder()

/** One statement on a connection of its own. */
type Ask = (url: string, statement: string) => Promise<string>

const askPostgresql: Ask = async (url, statement) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on("error", () => undefined)
  await client.connect()
  try {
    return JSON.stringify((await client.query<Record<string, unknown>>(statement)).rows)
  } finally {
    await client.end()
  }
}

const askMariadb: Ask = async (url, statement) => {
  const connection = await mysql.createConnection({ uri: url, connectTimeout: 10_000 })
  try {
    return JSON.stringify((await connection.query(statement))[0])
  } finally {
    await connection.end()
  }
}

const askRedis: Ask = async (url, statement) => {
  const client = createClient({ url, socket: { reconnectStrategy: false, connectTimeout: 10_000 } })
  client.on("error", () => undefined)
  await client.connect()
  try {
    return JSON.stringify(await client.sendCommand(statement.split(" ")))
  } finally {
    client.destroy()
  }
}

interface Kind {
  readonly start: () => Promise<Server>
  readonly ask: Ask
  readonly write: readonly string[]
  readonly read: string
  readonly expected: string
  /** What is written last before the sudden end, and what is read after it. */
  readonly again: readonly string[]
  readonly afterwards: string
}

const tables = {
  write: ["create table kept (word varchar(9))", "insert into kept values ('here')"],
  read: "select word from kept",
  expected: "here",
  again: ["update kept set word = 'later'"],
  afterwards: "later",
}

function holds({ start, ask, write, read, expected, again, afterwards }: Kind): void {
  it("keeps its data over a restart and over a kill, on the same port", async () => {
    const server = await start()
    try {
      for (const statement of write) await ask(server.url, statement)
      await server.restart()
      expect(await ask(server.url, read)).toContain(expected)
      for (const statement of again) await ask(server.url, statement)
      await server.kill()
      await expect(ask(server.url, read)).rejects.toThrow()
      await server.restart()
      expect(await ask(server.url, read)).toContain(afterwards)
    } finally {
      await server.stop()
    }
    await expect(ask(server.url, read)).rejects.toThrow()
  })

  it("does not respond while it is paused, and responds when it is resumed", async () => {
    const server = await start()
    try {
      server.pause()
      const answer = ask(server.url, write[0] ?? "")
      const first = await Promise.race([answer.then(() => "an answer"), silence(300)])
      expect(first).toBe("nothing")
      server.resume()
      await answer
    } finally {
      await server.stop()
    }
  })
}

/** Time in which an answer would have come: what is shown is that there is none, however long one waits. */
const silence = (milliseconds: number): Promise<string> =>
  new Promise((resolve) => setTimeout(() => resolve("nothing"), milliseconds))

describeServer("postgresql", (url) => {
  it("runs in a time zone that reveals a missing conversion", async () => {
    expect(await askPostgresql(url, "show timezone")).toContain("Pacific/Chatham")
  })
  holds({ start: startPostgresql, ask: askPostgresql, ...tables })
})

describeServer("mariadb", (url) => {
  it("runs in a time zone and with a collation that reveal a missing conversion", async () => {
    const answer = await askMariadb(url, "select @@time_zone as zone, 'a' = 'A' as is_loose")
    expect(answer).toBe('[{"zone":"+05:45","is_loose":1}]')
  })
  holds({ start: startMariadb, ask: askMariadb, ...tables })
})

describeServer("redis", (url) => {
  it("asks for the password in its address", async () => {
    expect(await askRedis(url, "ping")).toContain("PONG")
    await expect(askRedis(url.replace(/:[^:]*@/, ":wrong@"), "ping")).rejects.toThrow()
  })
  holds({
    start: startRedis,
    ask: askRedis,
    write: ["set kept here"],
    read: "get kept",
    expected: "here",
    again: ["set kept later"],
    afterwards: "later",
  })

  it("can be set to delete everything when it ends, and leaves no folder", async () => {
    const server = await startRedis({ isForgetful: true })
    const { dir: place } = JSON.parse(await askRedis(server.url, "config get dir")) as { dir: string }
    expect(existsSync(place)).toBe(true)
    try {
      await askRedis(server.url, "set kept here")
      await server.restart()
      expect(await askRedis(server.url, "get kept")).toBe("null")
    } finally {
      await server.stop()
    }
    expect(existsSync(place)).toBe(false)
  })

  it("can be started as a cluster whose nodes share the keys", async () => {
    const cluster = await startRedisCluster()
    try {
      const client = createCluster({
        rootNodes: [{ url: cluster.urls[0] ?? "" }],
        defaults: { password: new URL(cluster.urls[0] ?? "").password },
      })
      await client.connect()
      for (let key = 0; key < 30; key += 1) await client.set(`key-${key}`, String(key))
      const sizes = await Promise.all(cluster.urls.map((node) => askRedis(node, "dbsize")))
      client.destroy()
      expect(sizes.reduce((sum, size) => sum + Number(size), 0)).toBe(30)
      for (const size of sizes) expect(Number(size)).toBeGreaterThan(0)
    } finally {
      await cluster.stop()
    }
  })

  it("stops with the process that started it, also when that is killed", async () => {
    const program = await startingProgram()
    const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] })
    const [said] = (await once(child.stdout, "data")) as [Buffer]
    const started = JSON.parse(said.toString()) as { url: string; folder: string }
    expect(await askRedis(started.url, "ping")).toContain("PONG")
    child.kill("SIGKILL")
    await once(child, "exit")
    await expect.poll(() => existsSync(started.folder), { timeout: 20_000 }).toBe(false)
    await expect(askRedis(started.url, "ping")).rejects.toThrow()
  })
})

/** A program that starts a server, says where, and then does nothing. */
async function startingProgram(): Promise<string> {
  const outfile = join(folder, "starting.mjs")
  const module = fileURLToPath(new URL("../../../../tools/servers/redis.ts", import.meta.url))
  await build({
    stdin: {
      contents: `
        import { createClient } from "redis"
        import { startRedis } from ${JSON.stringify(module)}
        const { url } = await startRedis()
        const client = await createClient({ url }).connect()
        const { dir: folder } = await client.configGet("dir")
        client.destroy()
        process.stdout.write(JSON.stringify({ url, folder }))
        setInterval(() => {}, 1000)
      `,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "silent",
  })
  return outfile
}
