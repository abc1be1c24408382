/** A protected route and the session endpoint in Express, over HTTP, with 32 connections at the same time. */
import { fileURLToPath } from "node:url"
import { measure, start, stop } from "./harness/servers.mjs"
import { signInEmail } from "./harness/world.mjs"

const program = fileURLToPath(new URL("harness/express-server.mjs", import.meta.url))
const files = ["web", "bare-express", "latchkey", "auth-js", "better-auth", "passport", "iron-session"]

/** @returns {Promise<object[]>} tables */
export async function run(options) {
  const servers = await Promise.all(files.map((file) => start(program, [file])))
  const tells = () => `"${signInEmail}"`
  try {
    const route = { id: "express-route", title: "A protected route in Express", path: () => "/me", tells }
    const endpoint = {
      ...{ id: "express-session", title: "The session endpoint in Express", tells },
      path: (server) => server.endpoint,
    }
    const withEndpoint = servers.filter((server) => server.endpoint)
    return [await measure(route, servers, options), await measure(endpoint, withEndpoint, options)]
  } finally {
    stop(servers)
  }
}
