/** A connection that is kept, as proxies keep it for everybody: the request behind a body that was refused is another person's. */
import { connect } from "node:net"
import { memoryAdapter } from "@latchkey/core/memory"
import { Passkey } from "@latchkey/core/providers/passkey"
import express, { type ErrorRequestHandler } from "express"
import express4 from "express4"
import { describe, expect, it } from "vitest"
import { ExpressAuth, type ExpressAuthConfig } from "../src/index.js"
import { listen } from "./support/app.js"

const silent = { error: () => {}, warn: () => {}, debug: () => {} }
const config: ExpressAuthConfig = {
  secret: "0123456789abcdef0123456789abcdef",
  trustHost: true,
  logger: silent,
  limits: false,
  adapter: memoryAdapter(),
  experimental: { enableWebAuthn: true },
  providers: [Passkey()],
}

async function open(make: typeof express): Promise<string> {
  const auth = ExpressAuth(config)
  const refused: ErrorRequestHandler = (error, _req, res, _next) => void res.status(error.status ?? 500).send("refused")
  const app = make()
  app.use("/auth", auth)
  app.post("/out", (req, res, next) => void auth.signOut(req, res, { redirectTo: "/" }).catch(next))
  app.get("/next", (_req, res) => void res.send("the next one"))
  app.use(refused)
  return listen(app)
}

interface Sent {
  readonly path?: string
  readonly type?: string
  readonly more?: string
  readonly size: number
  readonly isChunked?: boolean
}

/** What is answered to a body and to the request behind it, on one connection. */
async function answersTo(origin: string, { path, type, more = "", size, isChunked }: Sent): Promise<readonly string[]> {
  const { port, host } = new URL(origin)
  const socket = connect(Number(port), "127.0.0.1")
  socket.on("error", () => {})
  let text = ""
  const isAnswered = new Promise<void>((resolve) => {
    socket.on("data", (data) => {
      text += data
      socket.emit("first")
      if (text.includes("the next one")) resolve()
    })
    socket.on("close", () => resolve())
  })
  socket.once("first", () => socket.write(`GET /next HTTP/1.1\r\nHost: ${host}\r\n\r\n`))
  const length = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${size}`
  const kind = type === undefined ? "" : `Content-Type: ${type}\r\n`
  socket.write(`POST ${path ?? "/auth/callback/passkey"} HTTP/1.1\r\nHost: ${host}\r\n${kind}${more}${length}\r\n\r\n`)
  if (isChunked) {
    for (let left = size; left > 0; left -= 65_536) socket.write(`10000\r\n${"a".repeat(65_536)}\r\n`)
    socket.write("0\r\n\r\n")
  } else socket.write(Buffer.alloc(size, "a"))
  await isAnswered
  socket.destroy()
  const first = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? "nothing"
  return [first, text.includes("the next one") ? "the next one" : "nothing"]
}

const refusals: readonly (readonly [string, Sent, status: string])[] = [
  ["is said to be too large", { type: "application/json", size: 262_145 }, "413"],
  ["is said to be much too large", { type: "application/json", size: 20_000_000 }, "413"],
  ["is too large", { type: "application/json", size: 393_216, isChunked: true }, "413"],
  ["is larger than what is read and dropped", { type: "application/json", size: 8_388_608, isChunked: true }, "413"],
  ["is a text", { type: "text/plain", size: 130_000 }, "415"],
  ["is compressed", { type: "application/json", more: "Content-Encoding: gzip\r\n", size: 130_000 }, "415"],
  ["is of no type", { size: 300_000 }, "302"],
  ["goes to a route that signs out", { path: "/out", type: "application/json", size: 300_000 }, "403"],
  ["goes to no action", { path: "/auth/nothing", type: "application/json", size: 300_000 }, "404"],
  ["is sent where it has to be asked for", { path: "/auth/session", type: "application/json", size: 300_000 }, "403"],
]

describe.each([
  ["Express 5", express],
  ["Express 4", express4 as unknown as typeof express],
])("on %s, the next request is answered behind a body that", (_, make) => {
  it.each(refusals)("%s", { tags: ["threat:CT-23"] }, async (_what, sent, status) => {
    expect(await answersTo(await open(make), sent)).toEqual([status, "the next one"])
  })
})
