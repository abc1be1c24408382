/** Starts the servers once for all test files, and provides their addresses. */
import type { TestProject } from "vitest/node"
import { type ServerPart, servers } from "../without.mjs"
import { startMariadb } from "./mariadb.js"
import { startPgbouncer } from "./pgbouncer.js"
import { startPostgresql } from "./postgresql.js"
import { partFacts, requireParts } from "./programs.js"
import { startRedis } from "./redis.js"
import type { Server } from "./server.js"

declare module "vitest" {
  interface ProvidedContext {
    /** Address of PostgreSQL; empty when the run goes without it. */
    postgresql: string
    /** Address of MariaDB; empty when the run goes without it. */
    mariadb: string
    /** Address of Redis; empty when the run goes without it. */
    redis: string
    /** Address of a PgBouncer in front of that PostgreSQL; empty when the run goes without it, or without PostgreSQL. */
    pgbouncer: string
  }
}

const starts: Readonly<Record<Exclude<ServerPart, "pgbouncer">, () => Promise<Server>>> = {
  postgresql: startPostgresql,
  mariadb: startMariadb,
  redis: startRedis,
}

/** Starts one and says how long it took. */
async function startOne(part: ServerPart, start: () => Promise<Server>): Promise<Server> {
  const begun = performance.now()
  const server = await start()
  console.log(`  ${partFacts[part].title} is up (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
  return server
}

/** Starts these, and what stands in front of one of them after that one. */
function startAll(used: readonly ServerPart[]): readonly Promise<readonly [ServerPart, Server]>[] {
  const first = Object.entries(starts).filter(([part]) => used.includes(part as ServerPart)) as [
    ServerPart,
    () => Promise<Server>,
  ][]
  const begun = new Map(first.map(([part, start]) => [part, startOne(part, start)]))
  const postgresql = begun.get("postgresql")
  if (postgresql && used.includes("pgbouncer")) {
    begun.set(
      "pgbouncer",
      postgresql.then(({ url }) => startOne("pgbouncer", () => startPgbouncer(url))),
    )
  }
  return [...begun].map(async ([part, server]) => [part, await server] as const)
}

/** Starts these and tells the tests their addresses; answers what stops them. */
export async function startServers(project: TestProject, wanted: readonly ServerPart[]): Promise<() => Promise<void>> {
  const used = requireParts(wanted)
  for (const part of servers) project.provide(part, "")
  if (used.length === 0) return async () => undefined
  console.log(`Starting servers in temporary folders: ${used.map((part) => partFacts[part].title).join(", ")}`)
  const outcomes = await Promise.allSettled(startAll(used))
  const started = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []))
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(([, server]) => server.stop()))
  }
  const failed = outcomes.find((outcome) => outcome.status === "rejected")
  if (failed) {
    await stop()
    throw failed.reason
  }
  for (const [part, { url }] of started) project.provide(part, url)
  return stop
}

/** Called by the test runner; what it answers is called at the end. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return startServers(project, servers)
}
