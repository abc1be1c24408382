/** A protected route and the session endpoint in Express, over HTTP, with 32 connections at the same time. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { Agent, get } from "node:http"
import { fileURLToPath } from "node:url"
import { summary } from "./harness/measure.mjs"
import { signInEmail, tamperedWith } from "./harness/world.mjs"

const serverFile = fileURLToPath(new URL("harness/express-server.mjs", import.meta.url))
const files = ["web", "bare-express", "latchkey", "auth-js", "better-auth", "passport", "iron-session"]
const lanes = 32

/** @returns {Promise<object[]>} tables */
export async function run(options) {
  const servers = await Promise.all(files.map(start))
  try {
    const withEndpoint = servers.filter(({ endpoint }) => endpoint)
    return [
      await measure(
        { id: "express-route", title: "A protected route in Express", path: () => "/me" },
        servers,
        options,
      ),
      await measure(
        { id: "express-session", title: "The session endpoint in Express", path: ({ endpoint }) => endpoint },
        withEndpoint,
        options,
      ),
    ]
  } finally {
    for (const { child, agent } of servers) {
      agent.destroy()
      child.kill()
    }
  }
}

async function start(file) {
  const child = fork(serverFile, [file])
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`)))
  const [message] = await Promise.race([once(child, "message"), ended])
  ended.catch(() => {})
  return { ...message, child, agent: new Agent({ keepAlive: true, maxSockets: lanes }) }
}

async function measure({ id, title, path }, servers, { rounds, requests, begin }) {
  begin?.(title)
  for (const server of servers) {
    await verify(server, path(server))
    await load(server, path(server), requests)
  }
  const taken = Object.fromEntries(servers.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const server of round % 2 ? servers.toReversed() : servers) {
      const [begun, worked] = [performance.now(), await cpuOf(server)]
      await load(server, path(server), requests)
      const wall = ((performance.now() - begun) * 1000) / requests
      taken[server.name].push({ wall, cpu: ((await cpuOf(server)) - worked) / requests })
    }
  }
  return { id, title: `${title}, ${lanes} connections; the processor of the server alone`, rows: summary(taken) }
}

/** The right user gets a session; a changed or missing cookie gets none. */
async function verify(server, path) {
  const { name, cookie, isOpen } = server
  if (!(await ask(server, path, cookie)).includes(`"${signInEmail}"`)) throw new Error(`${name}: nobody is signed in`)
  for (const other of isOpen ? [] : [tamperedWith(cookie), ""])
    if ((await ask(server, path, other)).includes("@"))
      throw new Error(`${name} lets somebody in whose cookie is not right`)
}

async function cpuOf({ child }) {
  child.send("cpu")
  const [{ cpu }] = await once(child, "message")
  return cpu
}

async function load(server, path, requests) {
  let left = requests
  const lane = async () => {
    while (left-- > 0) {
      const text = await ask(server, path, server.cookie)
      if (!text.includes(signInEmail)) throw new Error(`${server.name} answered ${text}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

function ask({ origin, agent }, path, cookie) {
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
