/**
 * A process that is really killed on the way of a first sign-in, between any two calls of the store and during any of
 * them; then a fresh process signs the same person in, who is one user with one account.
 */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { promisify } from "node:util"
import mysql from "mysql2/promise"
import pg from "pg"
import { beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { bundleWorker } from "./support/bundle-worker.js"
import type { Arrival, Errand } from "./support/crash-worker.js"
import { temporaryFolder } from "./support/folder.js"

const run = promisify(execFile)
const folder = temporaryFolder()
let worker = ""
beforeAll(async () => {
  worker = await bundleWorker("crash-worker")
})

/** A process that comes to its end. */
async function send(errand: Errand): Promise<Arrival[]> {
  const { stdout } = await run(process.execPath, [worker, JSON.stringify(errand)], { timeout: 60_000 })
  return JSON.parse(stdout) as Arrival[]
}

/** A process that is killed on the way. */
async function sendToDie(errand: Errand): Promise<void> {
  const child = spawn(process.execPath, [worker, JSON.stringify(errand)], { stdio: "ignore" })
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null]
  expect([code, signal], `${errand.people[0]} was to be killed`).toEqual([null, "SIGKILL"])
}

function holds(prepare: () => Promise<string>): void {
  it.each([
    { way: "provider", kinds: ["before", "during"] },
    // Every process costs time, and "during" a call is the harder half.
    { way: "mail", kinds: ["during"] },
  ] as const)(
    "completes a first sign-in by $way after the process was killed at any point",
    { tags: ["threat:FP-01", "threat:FP-02", "threat:FP-03", "threat:FP-04", "threat:FP-05"], timeout: 240_000 },
    async ({ way, kinds }) => {
      const url = await prepare()
      const [whole] = await send({ url, way, people: ["whole"] })
      expect(whole).toEqual({ signedIn: "whole@example.test", users: 1, accounts: 1, calls: whole?.calls })
      const kills = Array.from({ length: whole?.calls ?? 0 }, (_, killAt) =>
        kinds.map((when) => ({ url, way, killAt, when, people: [`${when}-${killAt}`] })),
      ).flat()
      expect(kills.length).toBeGreaterThan(5)
      // Two at once: they are strangers to each other, and the machine has more than one processor.
      const halves = [kills.filter((_, index) => index % 2 === 0), kills.filter((_, index) => index % 2 === 1)]
      await Promise.all(
        halves.map(async (half) => {
          for (const errand of half) await sendToDie(errand)
        }),
      )
      const people = kills.flatMap((errand) => errand.people)
      const arrivals = await send({ url, way, people })
      expect(arrivals.map(({ signedIn, users, accounts }) => ({ signedIn, users, accounts }))).toEqual(
        people.map((name) => ({ signedIn: `${name}@example.test`, users: 1, accounts: 1 })),
      )
    },
  )
}

let count = 0
const fresh = (): string => {
  count += 1
  return `crash_${process.pid}_${count}`
}

describe("with SQLite", () => holds(async () => `file:${join(folder, `${fresh()}.db`)}`))

describeServer("postgresql", (url) =>
  holds(async () => {
    const client = new pg.Client(url)
    const name = fresh()
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    return Object.assign(new URL(url), { pathname: name }).href
  }),
)

describeServer("mariadb", (url) =>
  holds(async () => {
    const connection = await mysql.createConnection(url)
    const name = fresh()
    await connection.query(`create database ${name}`)
    await connection.end()
    return Object.assign(new URL(url), { pathname: name }).href
  }),
)

describeServer("redis", (url) => holds(async () => `${url}?prefix=${fresh()}`))
