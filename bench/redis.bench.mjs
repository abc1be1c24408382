/**
 * A session look-up through the Redis adapter beside the bare driver, at a thousand, a hundred thousand and a million
 * sessions: one server for each, all taking turns in one run.
 */
import { createHash } from "node:crypto"
import { redisAdapter } from "@latchkey/redis-adapter"
import { createClient } from "redis"
import { compare } from "./harness/measure.mjs"
import { sideBySide } from "./measure.mjs"
import { startRedis } from "./redis.server.mjs"
import { loadSource } from "./stores.server.mjs"

const expires = new Date("2099-01-01T00:00:00Z")
const people = 1000
const prefix = "bench"
const userStart = `{${prefix}}:user:`
/** How many look-ups are under way at once in the second table. */
const crowd = 100

const token = (index) => `session-token-number-${index}`
const keyOf = (index) => `${prefix}:session:${createHash("sha256").update(token(index)).digest("hex")}`

/** Sessions as the adapter writes them, many in one go. */
async function fill(client, count) {
  const size = 5000
  for (let start = 0; start < count; start += size) {
    const batch = client.multi()
    for (let index = start; index < Math.min(start + size, count); index += 1) {
      batch.hSet(keyOf(index), { owner: `user-${index % people}`, expires: String(expires.getTime()) })
      batch.pExpireAt(keyOf(index), expires.getTime() + 60_000)
    }
    await batch.execAsPipeline()
  }
}

/** A server with so many sessions, the bare driver and the adapter on it. */
async function open(count) {
  const server = await startRedis()
  const client = await createClient({ url: server.url }).connect()
  const adapter = redisAdapter({ url: server.url }, { prefix, timeout: 60_000 })
  for (let id = 0; id < people; id += 1) {
    await adapter.createUser({ id: `user-${id}`, name: "Ada", email: `ada${id}@example.test`, emailVerified: null })
  }
  await fill(client, count)
  const found = await adapter.getSessionAndUser(token(count - 1))
  if (found?.user.name !== "Ada") throw new Error("the look-up finds nothing, so measuring it would say nothing")
  // Known to the server since the adapter ran it.
  const { lookUp } = await loadSource("packages/redis-adapter/src/scripts.ts")
  const any = (turn) => (turn * 7919) % count
  return {
    title: `${count.toLocaleString("en")} sessions`,
    works: {
      "driver, GET": (turn) => client.get(`${userStart}user-${any(turn) % people}`),
      "driver, EVALSHA": (turn) => client.evalSha(lookUp.sha, { keys: [keyOf(any(turn))], arguments: [userStart] }),
      "adapter.getSessionAndUser": (turn) => adapter.getSessionAndUser(token(any(turn))),
      "adapter.getSession": (turn) => adapter.getSession(token(any(turn))),
    },
    /** Microseconds the server has worked so far. */
    async serverTime() {
      const text = await client.info("cpu")
      const read = (name) => Number(new RegExp(`used_cpu_${name}:([\\d.]+)`).exec(text)?.[1]) * 1e6
      return read("sys") + read("user")
    },
    async close() {
      await adapter.close()
      client.destroy()
      await server.stop()
    },
  }
}

/** Every work of every server, by title and name. */
function targets(servers, shape) {
  return Object.fromEntries(
    servers.flatMap(({ title, works }) =>
      Object.entries(works).map(([name, work]) => [`${title}: ${name}`, shape(work)]),
    ),
  )
}

/** Microseconds of processor time for each look-up, here and in the server: what a busy machine does not change. */
async function processorTime(servers, count) {
  const medians = {}
  for (const { title, works, serverTime } of servers) {
    for (const [name, work] of Object.entries(works)) {
      const [before, there] = [process.cpuUsage(), await serverTime()]
      for (let turn = 0; turn < count; turn += crowd) {
        await Promise.all(Array.from({ length: crowd }, (_, place) => work(turn + place)))
      }
      const { user, system } = process.cpuUsage(before)
      medians[`${title}: ${name}`] = (user + system + ((await serverTime()) - there)) / count
    }
  }
  return medians
}

function show(heading, servers, medians) {
  console.log(`\n${heading}`)
  for (const { title, works } of servers) {
    const bare = medians[`${title}: driver, EVALSHA`]
    for (const name of Object.keys(works)) {
      const value = medians[`${title}: ${name}`]
      const ratio = name.startsWith("adapter") ? `  ${(value / bare).toFixed(2)} of EVALSHA` : ""
      console.log(`  ${`${title}: ${name}`.padEnd(50)} ${value.toFixed(1).padStart(9)} µs${ratio}`)
    }
  }
}

/** The look-up alone, one after the other. @returns {Promise<object>} a table */
export async function onRedis(count, options) {
  const title = `Session look-up in Redis, ${count.toLocaleString("en")} sessions`
  options.begin?.(title)
  const server = await open(count)
  try {
    const { "driver, EVALSHA": prepared, "adapter.getSessionAndUser": own } = server.works
    const found = (work) => async (turn) => {
      if (!(await work(turn))) throw new Error("a session was not found")
    }
    const rows = await compare({ "by hand, prepared": found(prepared), Latchkey: found(own) }, options)
    return { id: `redis-${count}`, title, rows }
  } finally {
    await server.close()
  }
}

/** Measures and prints. */
export async function run({ rounds = 9, milliseconds = 120, cookies } = {}) {
  const servers = []
  try {
    for (const count of cookies === undefined ? [1000, 100_000, 1_000_000] : [1000]) servers.push(await open(count))
    const alone = await sideBySide(
      targets(servers, (work) => work),
      { rounds, milliseconds },
    )
    show("Session look-up in Redis, one after the other", servers, alone)
    const together = await sideBySide(
      targets(
        servers,
        (work) => (turn) => Promise.all(Array.from({ length: crowd }, (_, place) => work(turn * crowd + place))),
      ),
      { rounds, milliseconds },
    )
    const each = Object.fromEntries(Object.entries(together).map(([name, value]) => [name, value / crowd]))
    show(`Session look-up in Redis, ${crowd} at once`, servers, each)
    const count = cookies === undefined ? 20_000 : 2000
    const worked = await processorTime(servers, count)
    show(`Session look-up in Redis, processor time of client and server, ${crowd} at once`, servers, worked)
  } finally {
    for (const { close } of servers) await close()
  }
}
