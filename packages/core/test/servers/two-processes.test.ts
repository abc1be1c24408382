/** What one process does to a session, another one of the same application knows with its next read: none remembers what it opened. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import mysql from "mysql2/promise"
import pg from "pg"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { describeServer } from "../../../../tools/servers/describe-server.js"
import { bundleWorker } from "./support/bundle-worker.js"
import { temporaryFolder } from "./support/folder.js"
import type { Answered, Order, SessionProcess } from "./support/session-worker.js"

const folder = temporaryFolder()
let worker = ""
beforeAll(async () => {
  worker = await bundleWorker("session-worker")
})

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill()
})

type Tell = (what: Order["what"], more?: Omit<Order, "what">) => Promise<Answered>

/** Starts a process. It answers one order after another. */
function start(given: SessionProcess): Tell {
  const child = spawn(process.execPath, [worker, JSON.stringify(given)], { stdio: ["pipe", "pipe", "inherit"] })
  started.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async (what, more) => {
    child.stdin.write(`${JSON.stringify({ what, ...more })}\n`)
    const { value } = await lines.next()
    if (typeof value !== "string") throw new Error(`The process has ended instead of doing ${what}.`)
    return JSON.parse(value) as Answered
  }
}

function holds(prepare: () => Promise<string>): void {
  const cases = (["jwt", "database"] as const).flatMap((strategy) =>
    (["signOut", "end", "endOthers", "endAll", "rotate"] as const).map((how) => ({ strategy, how })),
  )

  it.each(cases)(
    "$strategy: what another process does with $how counts from the next read on",
    async ({ strategy, how }) => {
      const url = await prepare()
      const one = start({ url, strategy })
      const { cookie: ended } = await one("signIn")
      const other = start({ url, strategy })
      const { cookie: stays } = await other("signIn")
      const isOpen = async (tell: Tell, cookie: string): Promise<boolean> => (await tell("read", { cookie })).done
      // Both processes have opened it.
      expect([await isOpen(one, ended), await isOpen(other, ended)]).toEqual([true, true])
      const isOwn = how === "signOut" || how === "rotate"
      const changed = await one(how, { cookie: isOwn ? ended : stays })
      expect(changed.done).toBe(true)
      if (how === "rotate") {
        // The token before it is believed for half a minute.
        expect([await isOpen(other, ended), await isOpen(other, changed.cookie)]).toEqual([true, true])
        for (const tell of [one, other]) await tell("pass", { seconds: 31 })
        expect([await isOpen(other, changed.cookie), await isOpen(one, changed.cookie)]).toEqual([true, true])
      }
      expect([await isOpen(other, ended), await isOpen(one, ended)]).toEqual([false, false])
    },
  )
}

let count = 0
const fresh = (): string => `processes_${process.pid}_${++count}`

describe("with SQLite", () => holds(async () => `file:${join(folder, `${fresh()}.db`)}`))

describeServer("postgresql", (server) =>
  holds(async () => {
    const name = fresh()
    const client = new pg.Client(server)
    await client.connect()
    await client.query(`create database ${name}`)
    await client.end()
    return Object.assign(new URL(server), { pathname: name }).href
  }),
)

describeServer("mariadb", (server) =>
  holds(async () => {
    const name = fresh()
    const connection = await mysql.createConnection(server)
    await connection.query(`create database ${name}`)
    await connection.end()
    return Object.assign(new URL(server), { pathname: name }).href
  }),
)

describeServer("redis", (server) => holds(async () => `${server}?prefix=${fresh()}`))
