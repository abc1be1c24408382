/** `@auth/express` from npm, in a folder and lockfile of its own: it belongs to no part of this project. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"

const folder = fileURLToPath(new URL("express.peer/", import.meta.url))

/** Installs the peer where that was not done before. */
export function installPeer() {
  if (existsSync(`${folder}node_modules/@auth/express/package.json`)) return
  console.log("installing the peer: npm ci in bench/express.peer")
  execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" })
}

/** @returns {Promise<{ ExpressAuth: Function, getSession: Function }>} */
export function peerPackage() {
  return import(pathToFileURL(createRequire(folder).resolve("@auth/express")).href)
}
