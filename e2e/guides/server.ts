/** Starts what a page builds, on a port of its own, and ends it with all it has started. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { connect, createServer } from "node:net"

const patience = 60_000

/** A running application. */
export interface Running {
  /** Everything it has written so far. */
  output(): string
  stop(): Promise<void>
}

/** How it is started. */
export interface Start {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly port: number
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  if (address === null || typeof address === "string") throw new Error("Expected a port.")
  return address.port
}

/** Starts a server and waits until its port answers. */
export async function start({ command, cwd, env, port }: Start): Promise<Running> {
  const [program, ...parameters] = command
  const { PATH = "", HOME = "" } = process.env
  // A group of its own: some frameworks start further processes. Nothing of this environment reaches it.
  const child = spawn(program, parameters, {
    cwd,
    detached: true,
    env: { PATH, HOME, PORT: String(port), NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let said = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      said += chunk.toString()
    })
  const running = { output: () => said, stop: () => stop(child) }
  try {
    await Promise.race([answering(port), ended(child)])
  } catch (error) {
    await running.stop()
    throw new Error(`${command.join(" ")} did not start: ${(error as Error).message}\n${said}`)
  }
  return running
}

async function ended(child: ChildProcess): Promise<never> {
  const [code] = await once(child, "exit")
  throw new Error(`it ended with code ${code}.`)
}

async function answering(port: number): Promise<void> {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    if (await isOpen(port)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nobody listened on port ${port} after ${patience / 1000} s.`)
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })
}

async function stop(child: ChildProcess): Promise<void> {
  const { pid, exitCode, signalCode } = child
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  const gone = once(child, "exit")
  process.kill(-pid, "SIGKILL")
  await gone
}
