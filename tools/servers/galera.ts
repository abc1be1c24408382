/** A cluster of MariaDB servers that all take writes: Galera certifies each transaction against those of the other servers as it is committed. */
import { randomBytes } from "node:crypto"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { placesIn } from "./mariadb.js"
import { programOf } from "./programs.js"
import { freePort, guardOf, ownerNamed, runProgram, runServer, type Server, temporaryFolder } from "./server.js"

/** A running cluster. */
export interface Cluster {
  readonly nodes: readonly Server[]
  /** Ends all of it and removes its data. */
  stop(): Promise<void>
}

/** Debian's package of MariaDB brings it along. */
const provider = "/usr/lib/galera/libgalera_smm.so"

/** What every node is started with. Galera writes what changed into rows, and needs no disk that outlives the machine. */
const common = [
  "--no-defaults",
  "--bind-address=127.0.0.1",
  "--skip-name-resolve",
  "--character-set-server=utf8mb4",
  "--binlog-format=ROW",
  "--innodb-autoinc-lock-mode=2",
  "--innodb-buffer-pool-size=64M",
  "--innodb-log-file-size=16M",
  "--innodb-flush-method=nosync",
  "--innodb-flush-log-at-trx-commit=2",
  "--wsrep-on=ON",
  `--wsrep-provider=${provider}`,
  "--wsrep-cluster-name=latchkey",
  "--wsrep-sst-method=rsync",
  // Whatever is asked of a node waits until that node has what the cluster had when it was asked.
  "--wsrep-sync-wait=15",
]

/** The ports that the nodes of a cluster speak to each other on. */
interface Ports {
  readonly group: number
  readonly transfer: number
  readonly increment: number
}

async function startNode(
  index: number,
  { all, password }: { all: readonly Ports[]; password: string },
): Promise<Server> {
  const program = programOf("mariadb", "mariadbd")
  const owner = ownerNamed("mysql")
  const folder = temporaryFolder(owner)
  const guard = guardOf(folder, "SIGTERM")
  const places = placesIn(folder)
  const people = join(folder, "people.sql")
  writeFileSync(
    people,
    `create user latchkey@'%' identified by '${password}';\ngrant all on *.* to latchkey@'%' with grant option;\n`,
    { mode: 0o644 },
  )
  const install = ["--no-defaults", ...places, "--skip-test-db", "--skip-name-resolve"]
  await runProgram(programOf("mariadb", "mariadb-install-db"), install, owner, folder).catch(async (error: unknown) => {
    await guard.close()
    throw error
  })
  const { group = 0, increment = 0, transfer = 0 } = all[index] ?? {}
  const own = [
    ...places,
    `--socket=${join(folder, "socket")}`,
    `--wsrep-node-name=node-${index + 1}`,
    `--wsrep-node-address=127.0.0.1:${group}`,
    `--wsrep-sst-receive-address=127.0.0.1:${transfer}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:${group};ist.recv_addr=127.0.0.1:${increment};gcache.size=16M`,
  ]
  const others = all.filter((_, other) => other !== index).map((ports) => `127.0.0.1:${ports.group}`)
  let wasStarted = false
  const joining = (): readonly string[] =>
    index === 0 && !wasStarted
      ? ["--wsrep-new-cluster", "--wsrep-cluster-address=gcomm://", `--init-file=${people}`]
      : [`--wsrep-cluster-address=gcomm://${others.join(",")}`]
  const server = await runServer(
    {
      title: `Galera node ${index + 1}`,
      folder,
      owner,
      program,
      args: (port) => [...common, ...own, `--port=${port}`, ...joining()],
      ready:
        /mariadbd: ready for connections[\s\S]*Synchronized with group|Synchronized with group[\s\S]*mariadbd: ready for connections/,
      quit: "SIGTERM",
      url: (port) => `mysql://latchkey:${password}@127.0.0.1:${port}/mysql`,
    },
    guard,
  )
  wasStarted = true
  return server
}

/** Starts a cluster with no database but MariaDB's own. Throws with what to install where MariaDB or Galera is missing. */
export async function startGalera(size = 3): Promise<Cluster> {
  programOf("mariadb", "mariadbd")
  if (!existsSync(provider)) throw new Error(`Galera is not at ${provider}: sudo apt-get install galera-4 rsync`)
  const port = freePort
  const all = await Promise.all(
    Array.from({ length: size }, async () => ({
      group: await port(),
      transfer: await port(),
      increment: await port(),
    })),
  )
  const password = randomBytes(12).toString("hex")
  const nodes: Server[] = []
  const stop = async (): Promise<void> => {
    for (const node of [...nodes].reverse()) await node.stop()
  }
  try {
    // One gives its data to the next: two at once would wait for each other.
    for (let index = 0; index < size; index += 1) nodes.push(await startNode(index, { all, password }))
  } catch (error) {
    await stop()
    throw error
  }
  return { nodes, stop }
}
