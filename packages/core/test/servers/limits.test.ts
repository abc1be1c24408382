/** Two processes of one application, and two hundred clients that try at the same moment: no request passes that is not in the budget. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import mysql from "mysql2/promise"
import pg from "pg"
import { createClient } from "redis"
import { beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { bundleWorker } from "./support/bundle-worker.js"
import { temporaryFolder } from "./support/folder.js"
import type { Besieged, Siege } from "./support/limits-worker.js"

const folder = temporaryFolder()
const clients = 100

let worker = ""
beforeAll(async () => {
  worker = await bundleWorker("limits-worker")
})

/** Waits that no run outlasts: what passes is what is free. */
const person = { wait: 3600, longest: 3600 }
const limits = { budgets: { guess: { person, network: { free: 60 } } } }
const stranger = "203.0.113.7"

interface Process {
  readonly isReady: Promise<void>
  begin(): Promise<Besieged>
}

/** A process that waits to begin, and is stopped where it takes too long. */
function start(siege: Siege): Process {
  const child = spawn(process.execPath, [worker, JSON.stringify(siege)], {
    stdio: ["pipe", "pipe", "inherit"],
    timeout: 60_000,
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async (): Promise<string> => {
    const { value } = await lines.next()
    return value ?? expect.fail("The process has ended before it said anything.")
  }
  return {
    isReady: line().then(() => undefined),
    async begin() {
      child.stdin.end("begin\n")
      return JSON.parse(await line()) as Besieged
    },
  }
}

async function send(siege: Siege): Promise<Besieged> {
  const one = start(siege)
  await one.isReady
  return one.begin()
}

/** Two processes that begin at the same moment, added up. */
async function besiege(siege: Omit<Siege, "clients">) {
  const processes = [0, 1].map(() => start({ ...siege, clients }))
  await Promise.all(processes.map(({ isReady }) => isReady))
  const both = await Promise.all(processes.map((one) => one.begin()))
  const sum = (of: (one: Besieged) => number): number => both.reduce((total, one) => total + of(one), 0)
  return {
    checked: sum(({ checked }) => checked),
    refused: sum(({ refused }) => refused),
    entered: both.map(({ entered }) => entered),
    cookies: both.map(({ cookies }) => cookies),
    recordCalls: sum(({ recordCalls }) => recordCalls),
    faults: both.flatMap(({ faults }) => faults),
  }
}

function holds(prepare: () => Promise<{ url: string; traces?: () => Promise<number> }>): void {
  it("ten of two hundred guesses at a person pass, and the owner signs in meanwhile without waiting", async () => {
    const { url } = await prepare()
    const { cookies: owner } = await send({ url, limits, clients: 0, at: "one" })
    expect(owner).toContain("authjs.device=ey")
    const { checked, refused, entered, faults } = await besiege({ url, limits, at: "one", owner })
    expect({ checked, refused, entered, faults }).toEqual({
      checked: 10,
      refused: 2 * clients - 10,
      entered: [true, true],
      faults: [],
    })
  })

  it("of two hundred guesses from one network at as many people those pass that the network has", async () => {
    const { url } = await prepare()
    const { cookies: owner } = await send({ url, limits, clients: 0, at: "one" })
    const answer = await besiege({ url, limits, at: "many", address: stranger, owner })
    expect({ ...answer, cookies: [], recordCalls: 0 }).toEqual({
      checked: 60,
      refused: 2 * clients - 60,
      entered: [true, true],
      cookies: [],
      recordCalls: 0,
      faults: [],
    })
  })

  it.each([undefined, "127.0.0.1"])("all of them pass where the address says nothing: %j", async (address) => {
    const { url } = await prepare()
    const { checked, refused, faults } = await besiege({ url, limits, at: "many", ...(address && { address }) })
    expect({ checked, refused, faults }).toEqual({ checked: 2 * clients, refused: 0, faults: [] })
  })

  it("without limits all of them pass and nothing is left behind: no record, no cookie, no question to the store", async () => {
    const { url, traces } = await prepare()
    const { checked, cookies, recordCalls, entered } = await besiege({
      url,
      limits: false,
      at: "one",
      address: stranger,
    })
    expect({ checked, recordCalls, entered }).toEqual({ checked: 2 * clients, recordCalls: 0, entered: [true, true] })
    for (const set of cookies) expect(set).not.toContain("device")
    if (traces) expect(await traces()).toBe(0)
  })
}

let count = 0
const fresh = (): string => {
  count += 1
  return `limits_${process.pid}_${count}`
}

describe("with SQLite", () => holds(async () => ({ url: `file:${join(folder, `${fresh()}.db`)}` })))

describeServer("postgresql", (server) =>
  holds(async () => {
    const name = fresh()
    const url = Object.assign(new URL(server), { pathname: name }).href
    const ask = async (address: string, statement: string): Promise<readonly unknown[]> => {
      const client = new pg.Client(address)
      await client.connect()
      const { rows } = await client.query(statement)
      await client.end()
      return rows
    }
    await ask(server, `create database ${name}`)
    return { url, traces: async () => (await ask(url, "select kind from latchkey_records")).length }
  }),
)

describeServer("mariadb", (server) =>
  holds(async () => {
    const name = fresh()
    const ask = async (statement: string): Promise<readonly unknown[]> => {
      const connection = await mysql.createConnection(server)
      const [rows] = await connection.query(statement)
      await connection.end()
      return rows as unknown[]
    }
    await ask(`create database ${name}`)
    const traces = async () => (await ask(`select kind from ${name}.latchkey_records`)).length
    return { url: Object.assign(new URL(server), { pathname: name }).href, traces }
  }),
)

describeServer("redis", (server) =>
  holds(async () => {
    const prefix = fresh()
    const traces = async (): Promise<number> => {
      const client = await createClient({ url: server }).connect()
      const keys = await client.keys(`*${prefix}*`)
      client.destroy()
      return keys.length
    }
    return { url: `${server}?prefix=${prefix}`, traces }
  }),
)
