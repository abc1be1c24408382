/** A PgBouncer of our own, in front of a PostgreSQL: each transaction goes to another connection of the server. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { programOf } from "./programs.js"
import { guardOf, ownerNamed, runProgram, runServer, type Server, temporaryFolder } from "./server.js"

/** From this version on it supports prepared statements, unless that is switched off. */
const firstWithStatements = [1, 21] as const

async function canPassStatements(program: string): Promise<boolean> {
  const said = await runProgram(program, ["--version"], {}, "/")
  const [, major = "0", minor = "0"] = /PgBouncer (\d+)\.(\d+)/.exec(said) ?? []
  return Number(major) > firstWithStatements[0] || Number(minor) >= firstWithStatements[1]
}

/**
 * Starts PgBouncer in transaction mode, without prepared statements, as it was before 1.21.
 *
 * @param postgresql address of the server behind it, with user and password
 */
export async function startPgbouncer(postgresql: string): Promise<Server> {
  const program = programOf("pgbouncer", "pgbouncer")
  const owner = ownerNamed("postgres")
  const folder = temporaryFolder(owner)
  const { username, password, hostname, port: behind } = new URL(postgresql)
  const [settings, users] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")]
  writeFileSync(users, `"${username}" "${password}"\n`, { mode: 0o644 })
  const refusal = (await canPassStatements(program)) ? ["max_prepared_statements = 0"] : []
  const settingsFor = (port: number): string =>
    [
      "[databases]",
      `* = host=${hostname} port=${behind}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${users}`,
      "pool_mode = transaction",
      "default_pool_size = 4",
      "max_client_conn = 200",
      ...refusal,
    ].join("\n")
  return await runServer(
    {
      title: "PgBouncer",
      folder,
      owner,
      program,
      args(port) {
        writeFileSync(settings, settingsFor(port), { mode: 0o644 })
        return [settings]
      },
      ready: /process up: PgBouncer/,
      quit: "SIGQUIT",
      url: (port) => `postgres://${username}:${password}@127.0.0.1:${port}/postgres`,
    },
    guardOf(folder, "SIGQUIT"),
  )
}
