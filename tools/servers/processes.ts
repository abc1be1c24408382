/** Which processes belong to a server. */
import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"

/** The parent of a process, from the fields behind its name, which may hold spaces and brackets. */
function parentOf(pid: string): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)
    return Number(fields?.split(" ")[1])
  } catch {
    return undefined
  }
}

function childrenOf(pid: number): number[] {
  if (existsSync("/proc/self/stat"))
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
      .map(Number)
  try {
    return execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map(Number)
  } catch {
    return []
  }
}

/** A process and its children, itself first. PostgreSQL serves each connection in a process of its own. */
export function family(pid: number | undefined): number[] {
  return pid === undefined ? [] : [pid, ...childrenOf(pid)]
}
