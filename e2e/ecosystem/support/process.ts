/** Commands and servers of the applications, each in a process group of its own so that nothing outlives the tests. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"

const patience = 60_000

/** The exit of a command, and its output. */
export interface Finished {
  readonly code: number
  readonly output: string
}

/** Where and with what it runs. */
export interface RunOptions {
  readonly folder: string
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** A server that answers. */
export interface Served {
  readonly origin: string
  /** Its output so far. */
  output(): string
  stop(): Promise<void>
}

function start([program = "", ...args]: readonly string[], { folder, env }: RunOptions): ChildProcess {
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...inherited(), FORCE_COLOR: "0", NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1", ...env },
  })
  // Also when the tests are broken off.
  const end = (): void => signal(child, "SIGKILL")
  process.once("exit", end)
  child.once("close", () => process.off("exit", end))
  return child
}

/** Signals the whole group; one that has ended already is ignored. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    // Nobody is left.
  }
}

/** Variables of the test runner are not passed to the applications. */
function inherited(): Record<string, string | undefined> {
  const strange = /^(?:VITEST|NODE_ENV|TEST|MODE|DEV|PROD|SSR|BASE_URL|AUTH_|NEXTAUTH_|npm_)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !strange.test(name)))
}

/** Runs a command to its end. */
export async function run(args: readonly string[], options: RunOptions): Promise<Finished> {
  const child = start(args, options)
  const output = listen(child)
  const [code] = (await once(child, "close")) as [number | null]
  return { code: code ?? 1, output: output() }
}

/** Starts a server and waits until it answers at `origin`. Throws with its output when it ends before. */
export async function serve(
  args: readonly string[],
  { origin, ...options }: RunOptions & { readonly origin: string },
): Promise<Served> {
  const child = start(args, options)
  const output = listen(child)
  for (const end = Date.now() + patience; ; ) {
    if (await answers(origin)) return { origin, output, stop: () => stop(child) }
    if (child.exitCode === null && Date.now() < end) continue
    await stop(child)
    throw new Error(`${args.join(" ")} does not answer at ${origin}:\n${output()}`)
  }
}

function listen(child: ChildProcess): () => string {
  let said = ""
  const hear = (chunk: Buffer): void => {
    said += chunk.toString()
  }
  child.stdout?.on("data", hear)
  child.stderr?.on("data", hear)
  child.on("error", (error) => {
    said += error.message
  })
  return () => said
}

async function answers(origin: string): Promise<boolean> {
  try {
    await (await fetch(origin, { redirect: "manual" })).text()
    return true
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return false
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, "close")
  signal(child, "SIGTERM")
  const force = setTimeout(() => signal(child, "SIGKILL"), 5_000)
  await closed
  clearTimeout(force)
}

/** An origin nobody listens at yet. */
export async function freeOrigin(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return `http://localhost:${port}`
}
