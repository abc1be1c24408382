/** Databases that are gone after the test. */
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

/** A folder that is removed when the tests of the file have ended. */
export function temporaryFolder(): string {
  // Where the system has a folder in memory, waiting for the disk would only make the tests slow.
  const base = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()
  const folder = mkdtempSync(join(base, "latchkey-sql-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Paths of files in a temporary folder, a new one at each call. */
export function temporaryFiles(): () => string {
  const folder = temporaryFolder()
  let count = 0
  return () => {
    count += 1
    return join(folder, `${count}.db`)
  }
}
