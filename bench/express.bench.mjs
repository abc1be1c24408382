/** The Express integration beside `@auth/express`: a guarded route over HTTP, the session in a route, and the bridge over the core. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { Agent, createServer, get } from "node:http"
import { fileURLToPath } from "node:url"
import { encode } from "@auth/core/jwt"
import { createAuth } from "@latchkey/core"
import { ExpressAuth, getSession } from "@latchkey/express"
import express from "express"
import { installPeer, peerPackage } from "./express.peer.mjs"
import { print, sideBySide } from "./measure.mjs"
import { configuration, secret } from "./peer.mjs"

const serverFile = fileURLToPath(new URL("express.server.mjs", import.meta.url))

/** Connections that ask at the same time. */
const lanes = 32

/** Measures and prints. */
export async function run(options = {}) {
  installPeer()
  await routes(options)
  await inProcess({ ...options, clock: "processor" })
}

/** A route over HTTP: what the processor of the server takes for a request, whoever sends it. */
async function routes({ rounds = 7, requests = rounds < 5 ? 300 : 2000 } = {}) {
  const names = ["bare Express, no protection", "latchkey", "@auth/express"]
  const servers = await Promise.all(["bare", "latchkey", "peer"].map(startServer))
  const taken = servers.map(() => [])
  try {
    for (const server of servers) await load(server, requests)
    for (let round = 0; round < rounds; round += 1) {
      const order = [...servers.keys()]
      for (const index of round % 2 ? order.reverse() : order) {
        const server = servers[index]
        const before = await cpuOf(server)
        await load(server, requests)
        taken[index].push(((await cpuOf(server)) - before) / requests)
      }
    }
  } finally {
    for (const { child } of servers) child.kill()
  }
  // The least of the rounds: whatever else runs on the machine only adds to processor time.
  const least = Object.fromEntries(names.map((name, index) => [name, Math.min(...taken[index])]))
  print(
    "A protected Express route over HTTP, processor time of the server, least of all rounds",
    least,
    "@auth/express",
  )
  const [bare, own, peer] = names.map((name) => least[name])
  console.log(`  protection alone: ${(own - bare).toFixed(1)} µs, peer ${(peer - bare).toFixed(1)} µs`)
  console.log(`  ${((peer - bare) / Math.max(own - bare, 1)).toFixed(1)} times the speed of @auth/express`)
}

async function startServer(kind) {
  const child = fork(serverFile, [kind])
  const [{ origin, cookie }] = await once(child, "message")
  return { child, origin, cookie, agent: new Agent({ keepAlive: true, maxSockets: lanes }) }
}

async function cpuOf({ child }) {
  child.send("cpu")
  const [{ cpu }] = await once(child, "message")
  return cpu
}

async function load(server, requests) {
  let left = requests
  const lane = async () => {
    while (left-- > 0) await ask(server)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** A measurement of different answers would say nothing: everybody has to be let in. */
function ask({ origin, cookie, agent }) {
  return new Promise((resolve, reject) => {
    get(`${origin}/me`, { agent, headers: { cookie } }, (answer) => {
      answer.setEncoding("utf8")
      let text = ""
      answer.on("data", (part) => {
        text += part
      })
      answer.on("end", () =>
        text === '{"name":"Ada"}' ? resolve() : reject(new Error(`${answer.statusCode} ${text}`)),
      )
    }).on("error", reject)
  })
}

/** What the calls take inside a running application, without the network: a real request, used again. */
async function inProcess(options) {
  const config = configuration()
  const auth = createAuth(config)
  const peer = await peerPackage()
  const peerConfig = configuration()
  const token = { name: "Ada", email: "ada@app.test", picture: null, sub: "1" }
  const value = await encode({ token, secret, salt: "authjs.session-token" })
  await withRequest(`authjs.session-token=${value}`, async (req, res) => {
    const names = [await getSession(req, config), await peer.getSession(req, peerConfig)].map(({ user }) => user.name)
    if (names.join() !== "Ada,Ada") throw new Error(`the answers differ: ${names}`)
    const calls = {
      latchkey: () => getSession(req, res, config),
      "@auth/express": () => peer.getSession(req, peerConfig),
    }
    print("getSession in a route, processor time", await sideBySide(calls, options), "@auth/express")

    const handler = ExpressAuth(config)
    const peerHandler = peer.ExpressAuth(peerConfig)
    const request = new Request(`http://${req.headers.host}/auth/session`, { headers: { cookie: req.headers.cookie } })
    const medians = await sideBySide(
      {
        "core handler, given a request": () => auth.handle(request),
        "latchkey, the handler mounted": () => answered(handler, req),
        "@auth/express, the handler mounted": () => answered(peerHandler, req),
      },
      options,
    )
    print("GET /auth/session without the network, processor time", medians, "@auth/express, the handler mounted")
    const [core, own] = Object.values(medians)
    console.log(
      `  the bridge alone: ${(own - core).toFixed(1)} µs, ${((own - core) / core).toFixed(2)} times the core handler`,
    )
  })
}

/** Lets the handler answer into a response that goes nowhere. */
function answered(handler, req) {
  return new Promise((resolve, reject) => {
    const res = express.response
    const quiet = Object.create(res, {
      req: { value: req },
      statusCode: { value: 200, writable: true },
      headersSent: { value: false },
      writableEnded: { value: false },
      destroyed: { value: false },
    })
    const headers = new Map()
    quiet.getHeader = (name) => headers.get(name.toLowerCase())
    quiet.setHeader = (name, header) => headers.set(name.toLowerCase(), header)
    quiet.removeHeader = (name) => headers.delete(name.toLowerCase())
    quiet.write = () => true
    quiet.end = () => resolve()
    handler(req, quiet, (error) => reject(error ?? new Error("passed on")))
  })
}

/** Holds a request to `/auth/session` open while it is worked with. */
async function withRequest(cookie, work) {
  const app = express()
  const server = createServer(app)
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  const outcome = new Promise((resolve, reject) => {
    app.use("/auth", (req, res) => {
      work(req, res)
        .then(resolve, reject)
        .finally(() => res.end())
    })
  })
  const answer = fetch(`http://127.0.0.1:${server.address().port}/auth/session`, { headers: { cookie } })
  try {
    await outcome
    await (await answer).text()
  } finally {
    server.close().closeAllConnections()
  }
}
