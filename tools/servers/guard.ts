/** A shell that outlives the test process: when that one ends, however it ends, the server and its folder go too. */
import { spawn } from "node:child_process"

/** Reads process ids until the pipe closes, which the system does for a killed process as well. */
const script = `
trap '' INT TERM HUP
server=
while read -r line; do server=$line; done
if [ -n "$server" ]; then
  kill -s CONT "$server"
  kill -s "$2" "$server"
  tries=0
  while kill -s 0 "$server" && [ "$tries" -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
  kill -s KILL "$server"
fi
rm -rf -- "$1"
`

/** Watches over one server. */
export interface Guard {
  /** The process that has to end with this one; `undefined` when there is none. */
  watch(pid: number | undefined): void
  /** Removes the folder, and resolves when it is gone. */
  close(): Promise<void>
}

/**
 * Opens a guard.
 *
 * @param folder removed at the end
 * @param quit how the server is asked to end at once, without the `SIG`
 */
export function openGuard(folder: string, quit: string): Guard {
  const shell = spawn("/bin/sh", ["-c", script, "latchkey-guard", folder, quit], {
    // Ctrl-C and a signal to the whole group must not reach it.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  })
  const ended = new Promise<void>((resolve) => shell.once("close", () => resolve()))
  // Writing to a guard that has ended is no error.
  shell.stdin.on("error", () => undefined)
  shell.unref()
  if ("unref" in shell.stdin && typeof shell.stdin.unref === "function") shell.stdin.unref()
  return {
    watch: (pid) => void shell.stdin.write(`${pid ?? ""}\n`),
    close() {
      shell.ref()
      shell.stdin.end()
      return ended
    },
  }
}
