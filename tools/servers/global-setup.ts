/** Starts the servers once for all test files, and tells each file where they are. */
import type { TestProject } from "vitest/node"
import { type Part, parts } from "../without.mjs"
import { startMariadb } from "./mariadb.js"
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
  }
}

const starts: Readonly<Record<Part, () => Promise<Server>>> = {
  postgresql: startPostgresql,
  mariadb: startMariadb,
  redis: startRedis,
}

/** Starts one and says how long it took. */
async function startOne(part: Part): Promise<Server> {
  const begun = performance.now()
  const server = await starts[part]()
  console.log(`  ${partFacts[part].title} is up (${((performance.now() - begun) / 1000).toFixed(1)} s)`)
  return server
}

/** Starts these and tells the tests their addresses; answers what stops them. */
export async function startServers(project: TestProject, wanted: readonly Part[]): Promise<() => Promise<void>> {
  const used = requireParts(wanted)
  for (const part of Object.keys(starts) as Part[]) project.provide(part, "")
  if (used.length === 0) return async () => undefined
  console.log(`Starting servers in temporary folders: ${used.map((part) => partFacts[part].title).join(", ")}`)
  const outcomes = await Promise.allSettled(used.map(startOne))
  const servers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []))
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()))
  }
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === "rejected") {
      await stop()
      throw outcome.reason
    }
    project.provide(used[index] as Part, outcome.value.url)
  }
  return stop
}

/** Called by the test runner; what it answers is called at the end. */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return startServers(project, parts)
}
