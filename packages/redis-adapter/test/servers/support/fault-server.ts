/** A Redis server that tests may stop, freeze and fill, and adapters on it that are closed after each test. */
import { type RedisAdapter, RedisError, redisAdapter } from "@latchkey/redis-adapter"
import { afterAll, afterEach, beforeAll, expect } from "vitest"
import { type RedisOptions, startRedis } from "../../../../../tools/servers/redis.js"
import type { Server } from "../../../../../tools/servers/server.js"
import { withClient } from "./redis.js"

export const expires = new Date("2099-01-01T00:00:00Z")
export const ada = { id: "ada", email: "ada@example.test", emailVerified: null }
const closing: (() => unknown)[] = []
const unhandled: unknown[] = []
const note = (reason: unknown): void => void unhandled.push(reason)

let started: Server | undefined

/** The server of the test file. */
export function server(): Server {
  if (!started) throw new Error("The server is started before the first test.")
  return started
}

export const url = (): string => server().url

/** Closes this after the test. */
export function afterwards(close: () => unknown): void {
  closing.push(close)
}

export function open(options: { timeout?: number; url?: string } = {}): RedisAdapter {
  const adapter = redisAdapter({ url: options.url ?? url() }, { prefix: "faults", timeout: options.timeout ?? 1500 })
  afterwards(() => adapter.close())
  return adapter
}

export async function faultOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error("it succeeded"),
    (thrown: unknown) => thrown,
  )
  return error instanceof RedisError ? error.fault : `not a RedisError: ${String(error)}`
}

/** An own server, gone after the test. */
export async function another(options: RedisOptions): Promise<Server> {
  const other = await startRedis(options)
  afterwards(() => other.stop())
  return other
}

export async function signedIn(adapter: RedisAdapter): Promise<void> {
  await adapter.createUser(ada)
  await adapter.createSession({ sessionToken: "token", userId: "ada", expires })
}

beforeAll(async () => {
  process.on("unhandledRejection", note)
  started = await startRedis()
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  server().resume()
  await withClient(url(), (send) => send("FLUSHALL"))
  expect(unhandled).toEqual([])
})
afterAll(async () => {
  process.off("unhandledRejection", note)
  await started?.stop()
})
