/** Servers in processes of their own, asked over HTTP with 32 connections at the same time. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { Agent, get } from "node:http"
import { summary } from "./measure.mjs"
import { tamperedWith } from "./world.mjs"

const lanes = 32
/** Slices of time of its processor in which a server becomes warm, see `measure.mjs`. */
const warmAfter = 15

/** Starts a program that tells its name, its origin and the cookie of its visitor, and later what its processor did. */
export async function start(program, words, env = {}) {
  const child = fork(program, words, { env: { ...process.env, ...env } })
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`${words} ended with ${code}`)))
  const [message] = await Promise.race([once(child, "message"), ended])
  ended.catch(() => {})
  return { ...message, child, agent: new Agent({ keepAlive: true, maxSockets: lanes }) }
}

export function stop(servers) {
  for (const { child, agent } of servers) {
    agent.destroy()
    child.kill()
  }
}

/**
 * Measures the same path of each server. `path` and `tells` say, for a server, where it is asked and what a right answer
 * contains.
 *
 * @returns {Promise<object>} a table
 */
export async function measure({ id, title, path, tells }, servers, { rounds, milliseconds, requests, begin }) {
  begin?.(title)
  const asked = servers.map((server) => ({ ...server, path: path(server), tells: tells(server) }))
  for (const server of asked) {
    await verify(server)
    await warmUp(server, { milliseconds: milliseconds * warmAfter, requests })
  }
  const taken = Object.fromEntries(asked.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const server of round % 2 ? asked.toReversed() : asked) {
      const [begun, worked] = [performance.now(), await cpuOf(server)]
      await load(server, requests)
      const wall = ((performance.now() - begun) * 1000) / requests
      taken[server.name].push({ wall, cpu: ((await cpuOf(server)) - worked) / requests })
    }
  }
  return { id, title: `${title}, ${lanes} connections; the processor of the server alone`, rows: summary(taken) }
}

/** The right user gets a session; a changed or missing cookie gets none. */
async function verify(server) {
  const { name, cookie, isOpen, tells } = server
  const answer = await ask(server, cookie)
  if (!answer.includes(tells)) throw new Error(`${name} answered ${answer}`)
  for (const other of isOpen ? [] : [tamperedWith(cookie), ""])
    if ((await ask(server, other)).includes("@")) throw new Error(`${name} lets somebody in whose cookie is not right`)
}

/** Every server gets the same time of its processor, in which its engine compiles what is used often. */
async function warmUp(server, { milliseconds, requests }) {
  const until = (await cpuOf(server)) + milliseconds * 1000
  do await load(server, requests)
  while ((await cpuOf(server)) < until)
}

async function cpuOf({ child }) {
  child.send("cpu")
  const [{ cpu }] = await once(child, "message")
  return cpu
}

async function load(server, requests) {
  const { name, cookie, tells } = server
  let left = requests
  const lane = async () => {
    while (left-- > 0) {
      const text = await ask(server, cookie)
      if (!text.includes(tells)) throw new Error(`${name} answered ${text}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

function ask({ origin, agent, path }, cookie) {
  return new Promise((resolve, reject) => {
    get(origin + path, { agent, headers: { cookie } }, (answer) => {
      answer.setEncoding("utf8")
      let text = ""
      answer.on("data", (part) => {
        text += part
      })
      answer.on("end", () => resolve(text))
    }).on("error", reject)
  })
}
