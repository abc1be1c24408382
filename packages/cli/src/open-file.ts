/** Files with secrets that others on the machine may read. */
import { resolve } from "node:path"
import type { World } from "./world.js"

/** The command that keeps others from reading a file, where they may. The mode is a decision of whoever made the file. */
export function closingOf(file: string, { cwd, files }: Pick<World, "cwd" | "files">): string | undefined {
  const found = files.lookAt(resolve(cwd, file))
  return found.kind === "file" && found.isOpen
    ? `chmod 600 ${/^[\w./-]+$/.test(file) ? file : JSON.stringify(file)}`
    : undefined
}

/** Says that others may read a file that a secret was written to. */
export function warnOfOpen(file: string, world: Pick<World, "cwd" | "files" | "terminal">): void {
  const closing = closingOf(file, world)
  if (closing !== undefined)
    world.terminal.err(`Others on this machine may read ${file}. To keep them out: ${closing}\n`)
}
