/** Commands in the folder of an application, as a person types them. */
import { spawn, spawnSync } from "node:child_process"
import { createServer } from "node:net"

/** Variables of this process must not stand in for those that `.env` has to give. */
export const clean: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  HOME: process.env["HOME"] ?? "",
  CI: "1",
  NEXT_TELEMETRY_DISABLED: "1",
}

/** Where and with what. */
interface Surroundings {
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command to its end; answers what it printed. Throws with all of it when it fails. */
export function run(command: readonly string[], { folder, env }: Surroundings): string {
  const [name = "", ...args] = command
  const { status, stdout, stderr } = spawnSync(name, args, { cwd: folder, encoding: "utf8", env: { ...clean, ...env } })
  if (status !== 0) throw new Error(`${command.join(" ")} ended with ${status}: ${stdout}${stderr}`)
  return stdout
}

/** Starts a server and waits until it answers. Answers what stops it and all that it started; `said` gets what it prints. */
export async function start(
  command: readonly string[],
  {
    folder,
    env,
    isReady,
    said = [],
  }: Surroundings & { isReady: (said: string) => boolean | Promise<boolean>; said?: string[] },
): Promise<() => void> {
  const [name = "", ...args] = command
  const child = spawn(name, args, { cwd: folder, env: { ...clean, ...env }, detached: true })
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => said.push(chunk.toString()))
  const stop = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    } catch {
      // It has ended.
    }
  }
  process.once("exit", stop)
  for (const end = Date.now() + 90_000; ; ) {
    if (await Promise.resolve(isReady(said.join(""))).catch(() => false)) return stop
    if (child.exitCode === null && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 200))
    else {
      stop()
      throw new Error(`${command.join(" ")} does not answer: ${said.join("")}`)
    }
  }
}

/**
 * A port that nobody listens at, and neither at the next ones where several are needed in a row. From below those that
 * systems give to connections, or one could be taken before it is used.
 */
export async function freePort({ inARow = 1 } = {}): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    const row = Array.from({ length: inARow }, (_, index) => isFree(port + index))
    if ((await Promise.all(row)).every(Boolean)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
}
