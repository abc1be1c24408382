/** Opens ports on this machine only, the next free one when the wanted one is taken. */
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
export function openDoor(wanted, addresses) {
  return onFreePort(wanted, async (port) => {
    const servers = await listenOnAll(port, addresses)
    return servers && doorOf(servers, port)
  })
}

/**
 * What is opened on the wanted port or the next one that is free; `open` resolves to nothing, or rejects with
 * `EADDRINUSE`, where a port is taken.
 *
 * @template Opened
 * @param {number} wanted
 * @param {(port: number) => Promise<Opened | undefined>} open
 * @returns {Promise<Opened>}
 */
export async function onFreePort(wanted, open) {
  for (let port = wanted; port < Math.min(wanted + 100, 65_536); port++) {
    const opened = await open(port).catch(ignoreTaken)
    if (opened) return opened
  }
  throw new Mistake(`No free port from ${wanted} on. Set PORT to another number.`)
}

/** @param {NodeJS.ErrnoException} error */
function ignoreTaken(error) {
  if (error.code !== "EADDRINUSE") throw error
  return undefined
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
