/** Opens a port on this machine only, the next free one when the wanted one is taken. */
import { createServer } from "node:http"
import { Mistake } from "./mistake.js"

/** @typedef {{ servers: import("node:http").Server[], port: number, handle(listener: import("node:http").RequestListener): void, close(): Promise<void> }} Door */

/**
 * Listens on every given address of one port. A port counts as taken when any of the addresses is: a browser
 * may try `::1` before `127.0.0.1` and would reach another server there.
 *
 * @param {number} wanted
 * @param {readonly string[]} addresses
 * @returns {Promise<Door>}
 */
export async function openDoor(wanted, addresses) {
  for (let port = wanted; port < Math.min(wanted + 100, 65_536); port++) {
    const servers = await listenOnAll(port, addresses)
    if (servers) return doorOf(servers, port)
  }
  throw new Mistake(`No free port from ${wanted} on. Set PORT to another number.`)
}

/**
 * @param {number} port
 * @param {readonly string[]} addresses
 */
async function listenOnAll(port, addresses) {
  const servers = []
  for (const address of addresses) {
    const outcome = await listen(port, address)
    if (outcome === "taken") {
      await Promise.all(servers.map(close))
      return undefined
    }
    if (outcome !== "no such address") servers.push(outcome)
  }
  return servers.length > 0 ? servers : undefined
}

/**
 * @param {number} port
 * @param {string} address
 * @returns {Promise<import("node:http").Server | "taken" | "no such address">}
 */
function listen(port, address) {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === "EADDRINUSE") resolve("taken")
      else if (error.code === "EADDRNOTAVAIL" || error.code === "EAFNOSUPPORT") resolve("no such address")
      else reject(error.code === "EACCES" ? new Mistake(`Port ${port} needs more rights. Set PORT to another.`) : error)
    })
    server.listen(port, address, () => resolve(server))
  })
}

/** @param {import("node:http").Server} server */
function close(server) {
  return new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
}

/**
 * @param {import("node:http").Server[]} servers
 * @param {number} port
 * @returns {Door}
 */
function doorOf(servers, port) {
  return {
    servers,
    port,
    handle(listener) {
      for (const server of servers) server.on("request", listener)
    },
    async close() {
      await Promise.all(servers.map(close))
    },
  }
}
