/** Whatever bytes reach a server with the handler: it answers or closes, and goes on serving everybody else. */
import { connect } from "node:net"
import express from "express"
import express4 from "express4"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ExpressAuth } from "../src/index.js"
import { listen } from "./support/app.js"

const numRuns = Math.ceil(Number(process.env["LATCHKEY_FUZZ"] ?? 300) / 3)

const odd = [
  "",
  " ",
  "\t",
  "%",
  "%00",
  "%2e%2e",
  "..",
  "//",
  "\\",
  "?",
  "#",
  "\u00ff",
  "a".repeat(9000),
  "evil.test",
  "[::1]",
  "[",
  ":80",
  "http://evil.test/",
  "*",
]
const piece = fc.oneof(fc.constantFrom(...odd), fc.string({ unit: "binary-ascii", maxLength: 12 }))
const path = fc
  .array(fc.oneof(fc.constantFrom("/auth", "/session", "/signin", "/callback/", "/csrf", "/signout", "/op"), piece), {
    maxLength: 5,
  })
  .map((parts) => parts.join(""))
const header = fc.tuple(
  fc.constantFrom(
    "Host",
    "Cookie",
    "Origin",
    "X-Forwarded-Host",
    "X-Forwarded-Proto",
    "Content-Type",
    "Content-Length",
    "Transfer-Encoding",
    "Accept",
    "Accept-Language",
    "X-Auth-Return-Redirect",
  ),
  fc.oneof(
    piece,
    fc.constantFrom("chunked", "0", "5", "-1", "application/json", "application/x-www-form-urlencoded", "text/html"),
  ),
)
const request = fc.record({
  method: fc.constantFrom("GET", "POST", "HEAD", "PUT", "OPTIONS", "get"),
  path: fc.oneof({ weight: 3, arbitrary: path.map((one) => `/auth${one}`) }, { weight: 1, arbitrary: path }),
  headers: fc.array(header, { maxLength: 5 }),
  body: fc.oneof(piece, fc.constantFrom("csrfToken=a", "{", '{"__proto__":{"a":1}}', "5\r\nhello\r\n0\r\n\r\n")),
})

/** What the server writes back until it closes, or is silent for a moment. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = ""
    const socket = connect(port, "127.0.0.1", () => socket.end(Buffer.from(bytes, "latin1")))
    socket.setTimeout(300, () => socket.destroy())
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
    })
    socket.on("error", () => undefined)
    socket.on("close", () => resolve(text))
  })
}

describe.each([
  ["4", express4 as unknown as typeof express],
  ["5", express],
])("Express %s", (_, make) => {
  it("answers no bytes with a fault, leads to no other host, and goes on serving", {
    timeout: 30_000 + numRuns * 500,
  }, async () => {
    const errors: unknown[] = []
    const app = make()
    app.use(
      "/auth",
      ExpressAuth({
        secret: "secret-of-any-bytes-of-more-than-32-characters",
        trustHost: true,
        providers: [
          { id: "op", name: "Provider", type: "oidc", issuer: "https://op.test", clientId: "c", clientSecret: "s" },
        ],
        logger: { error: (error) => void errors.push(error), warn() {}, debug() {} },
      }),
    )
    const url = new URL(await listen(app))
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path: target, headers, body }) => {
        const lines = headers.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]/g, "")}`)
        const host = headers.some(([name]) => name === "Host") ? [] : [`Host: ${url.host}`]
        const answer = await exchange(
          Number(url.port),
          `${method} ${target.replaceAll(/[\r\n ]/g, "")} HTTP/1.1\r\n${[...host, ...lines, "Connection: close"].join("\r\n")}\r\n\r\n${body}`,
        )
        expect(answer).not.toMatch(/^HTTP\/1.1 5\d\d/)
        const location = /^location: (.*)\r$/im.exec(answer)?.[1]
        const given = headers.find(([name]) => name === "Host")?.[1] ?? url.host
        if (location !== undefined && !location.includes(given))
          expect(location).toMatch(/^(?:\/(?!\/)|https:\/\/op\.test\/)/)
        expect(answer).not.toMatch(/^set-cookie: (?!(?:__Host-|__Secure-)?authjs\.)/im)
      }),
      { numRuns },
    )
    const after = await fetch(new URL("/auth/csrf", url))
    expect(after.status).toBe(200)
  })
})
