/** What the demo keeps between two starts: a folder that only its owner can read, and a secret in it. */
import { randomBytes } from "node:crypto"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** @typedef {{ folder: string, file: string, secret: string }} Data */

/**
 * @param {string} folder
 * @returns {Promise<Data>}
 */
export async function openData(folder) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return { folder, file: join(folder, "demo.sqlite"), secret: await secretIn(join(folder, "secret")) }
}

/** @param {string} file */
async function secretIn(file) {
  try {
    // Made once: a second process, or a later start, reads it.
    await writeFile(file, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx" })
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error
  }
  return (await readFile(file, "utf8")).trim()
}
