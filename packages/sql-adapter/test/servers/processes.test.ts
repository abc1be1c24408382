/** Several processes on one server: started at once on an empty database, signing the same people in at the same time. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { sqlAdapter } from "@latchkey/sql-adapter"
import { expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { bundle } from "../support/bundle.js"
import { newMariadb, newPostgresql, type TestDatabase } from "../support/databases.js"
import { temporaryFolder } from "../support/temporary.js"

const folder = temporaryFolder()
const start = promisify(execFile)
const worker = fileURLToPath(new URL("../support/worker.ts", import.meta.url))
const rounds = 20

interface Answer {
  readonly users: string[]
  readonly consumed: number
}

/** What all processes find when they begin. */
async function prepare(url: string): Promise<void> {
  const adapter = sqlAdapter(url, { migrate: "auto" })
  const expires = new Date("2099-01-01T00:00:00Z")
  const user = await adapter.createUser({ id: "", email: "", emailVerified: null })
  await adapter.createSession({ sessionToken: "shared", userId: user.id, expires })
  for (let round = 0; round < rounds; round += 1) {
    await adapter.createVerificationToken({ identifier: "ada@example.test", token: `token-${round}`, expires })
  }
  await adapter.close()
}

async function together(url: string, count: number): Promise<Answer[]> {
  const script = await bundle(worker, join(folder, "worker.mjs"))
  const startAt = String(Date.now() + 2500)
  const names = Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index))
  const runs = names.map((name) => start(process.execPath, [script, url, name, startAt], { timeout: 90_000 }))
  return (await Promise.all(runs)).map(({ stdout }) => JSON.parse(stdout) as Answer)
}

async function loseNothing({ url, rows }: TestDatabase, count: number): Promise<void> {
  await prepare(url)
  const answers = await together(url, count)
  for (let person = 0; person < rounds; person += 1) {
    expect(new Set(answers.map(({ users }) => users[person])).size).toBe(1)
  }
  expect(answers.reduce((sum, { consumed }) => sum + consumed, 0)).toBe(rounds)
  expect(await rows("select id from users")).toHaveLength(1 + rounds)
  expect(await rows("select id from accounts")).toHaveLength(rounds)
  expect(await rows("select id from sessions")).toHaveLength(1 + rounds * count)
  const adapter = sqlAdapter(url)
  for (let index = 0; index < count; index += 1) {
    const found = await adapter.getSessionAndUser(`${String.fromCharCode(97 + index)}-7`)
    expect(found?.session.expires).toEqual(new Date(Date.parse("2099-01-01T00:00:00Z") + 7))
  }
  await adapter.close()
}

const title = "processes lose nothing, make nobody twice and spend every token once [RC-01] [RC-05] [RC-10] [RC-27]"

describeServer("postgresql", (server) => {
  it(`eight ${title}`, async () => loseNothing(await newPostgresql(server), 8), 120_000)

  it("eight processes migrate an empty database together", async () => {
    const { url } = await newPostgresql(server)
    expect(await together(url, 8)).toHaveLength(8)
    const adapter = sqlAdapter(url)
    expect(await adapter.migrate()).toEqual([])
    await adapter.close()
  }, 120_000)
})

describeServer("mariadb", (server) => {
  it(`four ${title}`, async () => loseNothing(await newMariadb(server), 4), 120_000)
})
