/** A Redis of our own: alone, as a small cluster, or a pair with a sentinel. */
import { randomBytes } from "node:crypto"
import { chownSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { programOf } from "./programs.js"
import { freePort, guardOf, ownerNamed, runProgram, runServer, type Server, temporaryFolder } from "./server.js"

/** How to start one. */
export interface RedisOptions {
  /** Loses everything when it ends. By default what was written is there again after `restart`. @default false */
  readonly isForgetful?: boolean
  /** Settings of the server, as in `redis.conf`. */
  readonly settings?: Readonly<Record<string, string>>
  /** @default a new one */
  readonly password?: string
}

/** Starts an empty Redis. Throws with the command to run when it is not on this machine. */
export async function startRedis({ isForgetful = false, settings = {}, password }: RedisOptions = {}): Promise<Server> {
  const program = programOf("redis", "redis-server")
  const owner = ownerNamed("redis")
  const folder = temporaryFolder(owner)
  const secret = password ?? randomBytes(12).toString("hex")
  const all: Readonly<Record<string, string>> = {
    bind: "127.0.0.1",
    dir: folder,
    save: "",
    requirepass: secret,
    masterauth: secret,
    // A written line is safe from the end of the process at once; only the machine could still lose it.
    appendonly: isForgetful ? "no" : "yes",
    appendfsync: "no",
    ...settings,
  }
  const given = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value])
  return await runServer(
    {
      title: "Redis",
      folder,
      owner,
      program,
      args: (port) => ["--port", String(port), ...given],
      ready: /Ready to accept connections/,
      quit: "SIGTERM",
      url: (port) => `redis://:${secret}@127.0.0.1:${port}`,
    },
    guardOf(folder, "SIGTERM"),
  )
}

/** A running cluster. */
export interface RedisCluster {
  /** Addresses of its nodes; any of them leads to the others. */
  readonly urls: readonly string[]
  readonly nodes: readonly Server[]
  stop(): Promise<void>
}

/** Starts three nodes that share the keys, without replicas. Resolves when every node takes part. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const password = randomBytes(12).toString("hex")
  const nodes: Server[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()))
  }
  try {
    for (let count = 0; count < 3; count += 1) {
      const settings = { "cluster-enabled": "yes", "cluster-port": String(await freePort()) }
      nodes.push(await startRedis({ password, settings }))
    }
    await joinNodes(nodes, password)
  } catch (error) {
    await stop()
    throw error
  }
  return { urls: nodes.map(({ url }) => url), nodes, stop }
}

async function joinNodes(nodes: readonly Server[], password: string): Promise<void> {
  const ask = (...args: string[]): Promise<string> =>
    runProgram(programOf("redis", "redis-cli"), ["--no-auth-warning", "-a", password, ...args], {}, "/")
  await ask("--cluster", "create", ...nodes.map(({ port }) => `127.0.0.1:${port}`), "--cluster-yes")
  for (const { port } of nodes)
    for (const end = Date.now() + 30_000; ; ) {
      if ((await ask("-p", String(port), "cluster", "info")).includes("cluster_state:ok")) break
      if (Date.now() > end) throw new Error("The Redis cluster did not come together within 30 seconds.")
    }
}

/** A primary, its replica, and the sentinel that makes the replica the primary when the primary is gone. */
export interface RedisSentinel {
  readonly sentinel: Server
  readonly primary: Server
  readonly replica: Server
  readonly password: string
  stop(): Promise<void>
}

/** The name the sentinel knows them by. */
export const sentinelName = "latchkey"

async function startSentinel(primary: Server, password: string): Promise<Server> {
  const owner = ownerNamed("redis")
  const folder = temporaryFolder(owner)
  const file = join(folder, "sentinel.conf")
  const lines = [
    "bind 127.0.0.1",
    `dir ${folder}`,
    `sentinel monitor ${sentinelName} 127.0.0.1 ${primary.port} 1`,
    `sentinel auth-pass ${sentinelName} ${password}`,
    `sentinel down-after-milliseconds ${sentinelName} 1000`,
    `sentinel failover-timeout ${sentinelName} 5000`,
  ]
  writeFileSync(file, `${lines.join("\n")}\n`)
  // It writes down in its own file what it learns.
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(file, owner.uid, owner.gid)
  return runServer(
    {
      title: "Redis Sentinel",
      folder,
      owner,
      program: programOf("redis", "redis-server"),
      args: (port) => [file, "--sentinel", "--port", String(port)],
      ready: /\+monitor master/,
      quit: "SIGTERM",
      url: (port) => `redis://127.0.0.1:${port}`,
    },
    guardOf(folder, "SIGTERM"),
  )
}

/** Starts the three. Resolves when the sentinel knows the replica. */
export async function startRedisSentinel(): Promise<RedisSentinel> {
  const password = randomBytes(12).toString("hex")
  const servers: Server[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()))
  }
  try {
    const primary = await startRedis({ password })
    servers.push(primary)
    const replica = await startRedis({ password, settings: { replicaof: `127.0.0.1 ${primary.port}` } })
    servers.push(replica)
    const sentinel = await startSentinel(primary, password)
    servers.push(sentinel)
    await untilKnown(sentinel)
    return { sentinel, primary, replica, password, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilKnown({ port }: Server): Promise<void> {
  const args = ["-p", String(port), "sentinel", "replicas", sentinelName]
  for (const end = Date.now() + 30_000; ; ) {
    const known = await runProgram(programOf("redis", "redis-cli"), args, {}, "/")
    if (/^slave$/m.test(known) && /master-link-status\s+ok/.test(known)) return
    if (Date.now() > end) throw new Error("The sentinel did not find the replica within 30 seconds.")
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
