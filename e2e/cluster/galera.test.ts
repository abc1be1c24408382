/** The SQL adapter on a cluster of three servers that all take writes: each step may ask another server than the one before. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { contractCases, runCase } from "@latchkey/adapter-contract"
import { type SqlAdapter, sqlAdapter } from "@latchkey/sql-adapter"
import { createConnection } from "mysql2/promise"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bundle } from "../../packages/sql-adapter/test/support/bundle.js"
import { temporaryFolder } from "../../packages/sql-adapter/test/support/temporary.js"
import { titled } from "../../packages/sql-adapter/test/support/titled.js"
import { type Cluster, startGalera } from "../../tools/servers/galera.js"

const folder = temporaryFolder()
const worker = fileURLToPath(new URL("../../packages/sql-adapter/test/support/worker.ts", import.meta.url))
const start = promisify(execFile)

let cluster: Cluster
beforeAll(async () => {
  cluster = await startGalera(3)
})
afterAll(() => cluster?.stop())

/** The address of one database at each server. */
const at = (name: string): string[] =>
  cluster.nodes.map(({ url }) => Object.assign(new URL(url), { pathname: `/${name}` }).href)

async function rows<T>(url: string, statement: string): Promise<T[]> {
  const connection = await createConnection(url)
  try {
    return (await connection.query(statement))[0] as T[]
  } finally {
    await connection.end()
  }
}

async function newDatabase(name: string): Promise<readonly string[]> {
  const [first] = cluster.nodes
  await rows(first?.url ?? "", `create database ${name}`)
  const urls = at(name)
  const adapter = sqlAdapter(urls[0] ?? "", { migrate: "auto" })
  await adapter.migrate()
  await adapter.close()
  return urls
}

/** One adapter that hands every call to the next of these. */
function inTurns(adapters: readonly SqlAdapter[]): SqlAdapter {
  let calls = 0
  return new Proxy(adapters[0] as SqlAdapter, {
    get(first, name) {
      const member = Reflect.get(first, name)
      if (typeof member !== "function") return member
      return (...given: unknown[]) => {
        const next = adapters[calls++ % adapters.length] as unknown as Record<
          PropertyKey,
          (...given: unknown[]) => unknown
        >
        return next[name]?.(...given)
      }
    },
  })
}

describe("a store whose every call goes to another server", () => {
  let adapters: readonly SqlAdapter[] = []
  let spread: SqlAdapter
  beforeAll(async () => {
    // A thousand additions to one counter, each in conflict with those at the other servers, take their time.
    adapters = (await newDatabase("contract")).map((url) => sqlAdapter(url, { busyTimeout: 60_000 }))
    spread = inTurns(adapters)
  })
  afterAll(() => Promise.all(adapters.map((adapter) => adapter.close())))

  it.each(titled(contractCases))("%s", (_, contractCase) => runCase(contractCase, spread))
})

/** Transactions that a server gave up because another one had changed the same rows first. */
async function conflicts(): Promise<number> {
  const statement = `show status where Variable_name in ('wsrep_local_cert_failures', 'wsrep_local_bf_aborts')`
  const counts = cluster.nodes.map(({ url }) => rows<{ Value: string }>(url, statement))
  return (await Promise.all(counts)).flat().reduce((sum, { Value }) => sum + Number(Value), 0)
}

const rounds = 20
const later = new Date("2099-01-01T00:00:00Z")

it("six processes at three servers sign the same people in: nobody is there twice, and every token is spent once [RC-01] [RC-05] [RC-10] [RC-27]", async () => {
  const urls = await newDatabase("crowd")
  const adapter = sqlAdapter(urls[0] ?? "")
  const owner = await adapter.createUser({ id: "", email: "", emailVerified: null })
  await adapter.createSession({ sessionToken: "shared", userId: owner.id, expires: later })
  for (let round = 0; round < rounds; round += 1)
    await adapter.createVerificationToken({ identifier: "ada@example.test", token: `token-${round}`, expires: later })
  await adapter.close()

  const before = await conflicts()
  const script = await bundle(worker, join(folder, "worker.mjs"))
  // On a busy machine a process takes seconds to start, and only those that run at once meet.
  const startAt = String(Date.now() + 10_000)
  const runs = [..."abcdef"].map((name, index) =>
    start(process.execPath, [script, urls[index % urls.length] ?? "", name, startAt], { timeout: 100_000 }),
  )
  const answers = (await Promise.all(runs)).map(
    ({ stdout }) => JSON.parse(stdout) as { readonly users: string[]; readonly consumed: number },
  )
  for (let person = 0; person < rounds; person += 1)
    expect(new Set(answers.map(({ users }) => users[person])).size).toBe(1)
  expect(answers.reduce((sum, { consumed }) => sum + consumed, 0)).toBe(rounds)
  for (const url of urls) {
    expect(await rows(url, "select id from users")).toHaveLength(1 + rounds)
    expect(await rows(url, "select id from accounts")).toHaveLength(rounds)
    expect(await rows(url, "select id from sessions")).toHaveLength(1 + rounds * 6)
  }
  // Without conflicts, nothing would have been tried again.
  const met = (await conflicts()) - before
  console.log(`${met} transactions were given up and run again`)
  expect(met).toBeGreaterThan(0)
}, 180_000)

it("a server that dies signs nobody out, and has what it missed when it is back", async () => {
  const [first = "", second = ""] = await newDatabase("outage")
  const [here, there] = [sqlAdapter(first), sqlAdapter(second)]
  const user = await there.createUser({ id: "", email: "ada@example.test", emailVerified: null })
  await there.createSession({ sessionToken: "before", userId: user.id, expires: later })
  await cluster.nodes[1]?.kill()
  // The others notice after a few seconds that it is gone; until then they answer nothing.
  expect((await here.getSessionAndUser("before"))?.user.id).toBe(user.id)
  await here.createSession({ sessionToken: "meanwhile", userId: user.id, expires: later })
  await expect(there.getSessionAndUser("before"), "a look-up at the dead server").rejects.toThrow()
  await cluster.nodes[1]?.restart()
  expect((await there.getSessionAndUser("meanwhile"))?.user.id).toBe(user.id)
  await Promise.all([here.close(), there.close()])
}, 180_000)

it("a server that is cut off from the others refuses every look-up, which is no sign-out", async () => {
  const [first = ""] = await newDatabase("minority")
  const adapter = sqlAdapter(first)
  const user = await adapter.createUser({ id: "", email: "ada@example.test", emailVerified: null })
  await adapter.createSession({ sessionToken: "kept", userId: user.id, expires: later })
  const [, ...others] = cluster.nodes
  for (const node of others) await node.kill()
  await expect.poll(() => outcome(adapter.getSessionAndUser("kept")), { timeout: 60_000 }).toBe("refused")
  await expect(adapter.createSession({ sessionToken: "lost", userId: user.id, expires: later })).rejects.toThrow()
  await adapter.close()
}, 180_000)

/** How a look-up ended; an empty answer would sign somebody out. */
async function outcome(lookup: unknown): Promise<"found" | "nothing" | "refused"> {
  try {
    return (await lookup) === null ? "nothing" : "found"
  } catch {
    return "refused"
  }
}
