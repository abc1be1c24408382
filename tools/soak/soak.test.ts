/** Two processes of an application behind a proxy, under load, while a process, the database and Redis are restarted: what was confirmed stays true. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startPostgresql } from "../servers/postgresql.js"
import { requireParts } from "../servers/programs.js"
import { startRedis } from "../servers/redis.js"
import { freePort, type Server } from "../servers/server.js"
import { type Front, startNginx } from "./proxy.js"

const seconds = Number(process.env["LATCHKEY_SOAK"] ?? 60)
const here = fileURLToPath(new URL(".", import.meta.url))
const password = "right-password-of-the-people-of-the-soak-test"

interface Seen {
  readonly wrong: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly statuses: readonly { readonly at: number; readonly kind: string; readonly status: number }[]
  readonly latencies: Readonly<
    Record<string, { readonly requests: number; readonly p50: number; readonly p99: number }>
  >
}

interface Program {
  readonly child: ChildProcess
  readonly lines: AsyncIterator<string>
}

let postgresql: Server
let redis: Server
let proxy: Front
let load: Program
const ports: number[] = []
const processes = new Map<number, ChildProcess>()
const memory: number[] = []

function run(file: string, env: Record<string, string>, flags: readonly string[] = []): Program {
  const child = spawn(process.execPath, [...flags, join(here, file)], {
    env: { PATH: process.env["PATH"] ?? "", NODE_ENV: "soak", ...env },
    stdio: ["pipe", "pipe", process.env["LATCHKEY_SOAK_LOG"] ? "inherit" : "ignore"],
  })
  return { child, lines: createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]() }
}

async function nextLine({ lines }: Program): Promise<string> {
  const { value, done } = await lines.next()
  if (done) throw new Error("The program ended without saying anything more.")
  return value
}

let environment: Record<string, string> = {}

async function startApplication(port: number): Promise<void> {
  const program = run("application.mjs", { ...environment, SOAK_PORT: String(port) }, ["--expose-gc"])
  processes.set(port, program.child)
  await nextLine(program)
}

beforeAll(async () => {
  requireParts(["postgresql", "redis", "nginx"])
  ;[postgresql, redis] = await Promise.all([startPostgresql(), startRedis()])
  ports.push(await freePort(), await freePort())
  proxy = await startNginx(ports)
  load = run("load.mjs", { SOAK_ORIGIN: proxy.origin, SOAK_SECONDS: String(seconds), SOAK_PASSWORD: password })
  const { issuer, mailbox } = JSON.parse(await nextLine(load)) as { issuer: string; mailbox: string }
  environment = {
    SOAK_ORIGIN: proxy.origin,
    SOAK_POSTGRESQL: postgresql.url,
    SOAK_REDIS: redis.url,
    SOAK_ISSUER: issuer,
    SOAK_MAILBOX: mailbox,
    SOAK_PASSWORD: password,
  }
  for (const port of ports) await startApplication(port)
})

afterAll(async () => {
  for (const child of [load?.child, ...processes.values()]) child?.kill("SIGKILL")
  await Promise.all([proxy?.stop(), redis?.stop(), postgresql?.stop()])
})

async function measure(): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${ports[1]}/heap`)
  memory.push(((await response.json()) as { heapUsed: number }).heapUsed / 2 ** 20)
}

/** Waits until a share of the time is over. */
async function untilShare(began: number, share: number): Promise<void> {
  await pause(Math.max(0, began + share * seconds * 1000 - Date.now()))
}

it("shows nobody another person's session, loses no sign-in, revives no session, and keeps its memory", {
  tags: ["threat:FP-20"],
  timeout: (seconds + 120) * 1000,
}, async () => {
  const began = Date.now()
  load.child.stdin?.write("go\n")
  await untilShare(began, 0.25)
  await measure()
  const [first = 0] = ports
  const killed = processes.get(first)
  killed?.kill("SIGKILL")
  if (killed) await once(killed, "exit")
  await startApplication(first)
  await untilShare(began, 0.4)
  await postgresql.restart()
  await untilShare(began, 0.55)
  await redis.restart()
  await untilShare(began, 0.75)
  await measure()
  await untilShare(began, 0.97)
  await measure()
  const seen = JSON.parse(await nextLine(load)) as Seen
  report(seen)
  expect(seen.wrong).toEqual([])
  expect(seen.counts).toMatchObject({
    signedIn: expect.any(Number),
    signedOut: expect.any(Number),
    replayed: expect.any(Number),
  })
  // What was restarted is used again, and every request is answered.
  expect(seen.statuses.filter(({ at }) => at > 0.75 * seconds)).toEqual([])
  const [before = 0, , after = 0] = memory
  expect(after).toBeLessThan(before * 1.3 + 10)
})

function report({ counts, latencies, statuses }: Seen): void {
  console.table(latencies)
  console.log(counts, `${statuses.length} requests failed while something was down`)
  console.log(`heap of the process that was not killed, in MiB: ${memory.map((size) => size.toFixed(1)).join(", ")}`)
  const path = process.env["LATCHKEY_SOAK_REPORT"]
  if (path)
    writeFileSync(path, JSON.stringify({ seconds, counts, latencies, memory, failed: statuses.length }, null, 2))
}
