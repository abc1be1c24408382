/** A MariaDB of our own. */
import { randomBytes } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { programOf } from "./programs.js"
import { guardOf, ownerNamed, runProgram, runServer, type Server, temporaryFolder } from "./server.js"

/** How to start one. */
export interface MariadbOptions {
  /** Settings of the server, as on its command line, without the leading dashes. */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * What is committed outlives the process, not the machine. Characters compare as they do on Debian, without regard to case, and the
 * zone is an odd one, so that a forgotten collation or zone shows.
 */
const quick: Readonly<Record<string, string>> = {
  "innodb-flush-log-at-trx-commit": "2",
  "innodb-flush-method": "nosync",
  "innodb-doublewrite": "0",
  "innodb-buffer-pool-size": "64M",
  "innodb-log-file-size": "16M",
  "bind-address": "127.0.0.1",
  "max-connections": "200",
  "character-set-server": "utf8mb4",
  "collation-server": "utf8mb4_general_ci",
  "default-time-zone": "+05:45",
}

/**
 * Where a server keeps its data and its temporary tables. As it starts, MariaDB deletes all temporary tables of its folder, also those
 * that another server is using: each needs a folder of its own.
 */
export const placesIn = (folder: string): readonly string[] => [
  `--datadir=${join(folder, "data")}`,
  `--tmpdir=${folder}`,
]

/** Starts MariaDB with an empty database. Throws with the command to run when it is not on this machine. */
export async function startMariadb({ settings = {} }: MariadbOptions = {}): Promise<Server> {
  const program = programOf("mariadb", "mariadbd")
  const owner = ownerNamed("mysql")
  const folder = temporaryFolder(owner)
  const guard = guardOf(folder, "SIGTERM")
  const places = placesIn(folder)
  const password = randomBytes(12).toString("hex")
  const people = join(folder, "people.sql")
  writeFileSync(
    people,
    [
      "create database if not exists latchkey;",
      `create or replace user latchkey@'%' identified by '${password}';`,
      "grant all on *.* to latchkey@'%' with grant option;",
      "drop user if exists ''@localhost;",
    ].join("\n"),
    { mode: 0o644 },
  )
  try {
    await runProgram(
      programOf("mariadb", "mariadb-install-db"),
      ["--no-defaults", ...places, "--skip-test-db", "--skip-name-resolve", "--innodb-flush-method=nosync"],
      owner,
      folder,
    )
  } catch (error) {
    await guard.close()
    throw error
  }
  const given = Object.entries({ ...quick, ...settings }).map(([name, value]) => `--${name}=${value}`)
  const own = [...places, `--socket=${join(folder, "socket")}`, `--init-file=${people}`]
  return await runServer(
    {
      title: "MariaDB",
      folder,
      owner,
      program,
      args: (port) => ["--no-defaults", ...own, `--port=${port}`, "--skip-name-resolve", ...given],
      ready: /ready for connections/,
      quit: "SIGTERM",
      url: (port) => `mysql://latchkey:${password}@127.0.0.1:${port}/latchkey`,
    },
    guard,
  )
}
