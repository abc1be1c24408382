/** Workers end a request when its client leaves, and with it whatever it was fetching: other requests that wait for it must not fail. */
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { createServer, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { programOf } from "./fixture.js"
import { guides } from "./guides.js"
import { makeProject } from "./project.js"
import { freePort, type Running, start } from "./server.js"
import { visit } from "./visitor.js"
import { workerdConfig } from "./workerd.js"

/** Stands in front of the application as the edge does. It leaves the request marked so as soon as the provider was asked. */
const edge = `export default {
  async fetch(request, { MAIN, ASKED }) {
    if (!request.headers.has("x-leave")) return MAIN.fetch(request)
    MAIN.fetch(request).catch(() => {})
    await fetch(ASKED)
    return new Response("left")
  },
}
`

let provider: Server
let running: Running
let port: number
const asked: string[] = []

beforeAll(async () => {
  const waiting: ServerResponse[] = []
  provider = createServer((request, response) => {
    const issuer = `http://${request.headers.host}`
    if (request.url === "/asked") {
      if (asked.length > 0) response.end()
      else waiting.push(response)
      return
    }
    // The first call is never answered: its client has left.
    if (asked.push(request.url ?? "") === 1) for (const held of waiting.splice(0)) held.end()
    else answer(response, issuer)
  }).listen(0, "127.0.0.1")
  await once(provider, "listening")
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const guide = guides.find(({ page }) => page === "workers")
  if (!guide) throw new Error("Expected the page about Workers.")
  const { folder } = await makeProject(guide)
  const texts = {
    AUTH_SECRET: "the-secret-of-the-guides-that-is-long-enough",
    AUTH_KEYCLOAK_ID: "id",
    AUTH_KEYCLOAK_SECRET: "secret",
    AUTH_KEYCLOAK_ISSUER: issuer,
  }
  const workers = [
    { name: "edge", file: "edge.mjs", services: { MAIN: "main" }, texts: { ASKED: `${issuer}/asked` } },
    { name: "main", file: "worker.mjs", texts },
  ] as const
  await writeFile(join(folder, "edge.mjs"), edge)
  await writeFile(join(folder, "edge.capnp"), workerdConfig(workers))
  port = await freePort()
  const command = [programOf("workerd"), "serve", "edge.capnp", `--socket-addr=http=127.0.0.1:${port}`] as const
  running = await start({ command, cwd: folder, env: {}, port })
})
afterAll(async () => {
  await running?.stop()
  provider?.closeAllConnections()
  provider?.close()
})

function answer(response: ServerResponse, issuer: string): void {
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
  }
  response.setHeader("content-type", "application/json").end(JSON.stringify(document))
}

it("a person who leaves while the provider is asked does not lock out those who come after", async () => {
  const browser = visit(port)
  const csrfToken = await browser.csrfToken()
  const begin = (headers: Record<string, string> = {}) =>
    browser.post("/auth/signin/keycloak", { csrfToken }, { csrf: false, headers })
  expect((await begin({ "x-leave": "yes" })).text).toBe("left")
  expect(asked).toHaveLength(1)
  const both = await Promise.all([begin(), begin()])
  for (const { location } of both) expect(location).toContain("/authorize?")
  expect((await begin()).location).toContain("/authorize?")
  expect(asked).toHaveLength(2)
})
