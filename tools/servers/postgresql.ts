/** A PostgreSQL of our own. */
import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { programOf } from "./programs.js"
import { guardOf, ownerNamed, runProgram, runServer, type Server, temporaryFolder } from "./server.js"

/** How to start one. */
export interface PostgresqlOptions {
  /** Settings of the server, as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** What is committed outlives the process, not the machine. The zone is an odd one, so that a forgotten zone shows. */
const quick: Readonly<Record<string, string>> = {
  fsync: "off",
  full_page_writes: "off",
  autovacuum: "off",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "64MB",
  timezone: "Pacific/Chatham",
}

/** Starts PostgreSQL with an empty database. Throws with the command to run when it is not on this machine. */
export async function startPostgresql({ settings = {} }: PostgresqlOptions = {}): Promise<Server> {
  const program = programOf("postgresql", "postgres")
  const owner = ownerNamed("postgres")
  const folder = temporaryFolder(owner)
  const guard = guardOf(folder, "SIGQUIT")
  const data = join(folder, "data")
  const password = randomBytes(12).toString("hex")
  const passwordFile = join(folder, "password")
  writeFileSync(passwordFile, password, { mode: 0o644 })
  const init = ["-D", data, "-U", "latchkey", "-A", "scram-sha-256", `--pwfile=${passwordFile}`]
  try {
    const kind = ["--no-sync", "--no-instructions", "--encoding=UTF8", "--locale=C"]
    await runProgram(programOf("postgresql", "initdb"), [...init, ...kind], owner, folder)
  } catch (error) {
    await guard.close()
    throw error
  }
  const given = Object.entries({ ...quick, ...settings }).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  return await runServer(
    {
      title: "PostgreSQL",
      folder,
      owner,
      program,
      args: (port) => ["-D", data, "-p", String(port), ...given],
      ready: /ready to accept connections/,
      quit: "SIGQUIT",
      url: (port) => `postgres://latchkey:${password}@127.0.0.1:${port}/postgres`,
    },
    guard,
  )
}
