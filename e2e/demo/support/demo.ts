/** Starts the demo by the command of the README and stops it as Ctrl-C does. */
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const patience = 120_000
/** Warnings of npm about the settings of this machine. */
const ofNpm = /^npm warn .*\n/gim

/** A running demo. */
export interface Demo {
  /** The address that it prints. */
  readonly origin: string
  /** Everything it has written so far. */
  output(): string
  /** What it has written to its error stream so far. */
  errors(): string
  /** Presses Ctrl-C and waits until no process of it is left. Throws when one stays. */
  stop(): Promise<void>
}

/** What a start may say. */
export interface DemoOptions {
  readonly strategy: string
  /** Folder of its data. */
  readonly data: string
  readonly port: number
  /** What the shell says of its surroundings. @default nothing */
  readonly nodeEnv?: string
}

/** Runs `npm start` and waits for the address it prints. */
export async function startDemo({ data, nodeEnv = "", port, strategy }: DemoOptions): Promise<Demo> {
  const child = spawn("npm", ["start"], {
    cwd: root,
    // A process group of its own: Ctrl-C goes to all of a group.
    detached: true,
    env: {
      ...process.env,
      DEMO_STRATEGY: strategy,
      DEMO_DATA: data,
      // A database of the developer must not be used by the tests.
      DATABASE_URL: "",
      PORT: String(port),
      NODE_ENV: nodeEnv,
      FORCE_COLOR: "0",
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const said = { out: "", err: "" }
  child.stdout.on("data", (chunk: Buffer) => {
    said.out += chunk.toString()
  })
  child.stderr.on("data", (chunk: Buffer) => {
    said.err += chunk.toString()
  })
  const origin = await addressOf(child, said)
  return {
    origin,
    output: () => said.out,
    errors: () => said.err.replace(ofNpm, ""),
    stop: () => stop(child),
  }
}

async function stop({ pid }: ChildProcess): Promise<void> {
  if (pid === undefined || !signal(pid, "SIGINT")) return
  for (const end = Date.now() + 10_000; Date.now() < end; ) {
    if (!signal(pid, 0)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  signal(pid, "SIGKILL")
  throw new Error("The demo did not stop within ten seconds.")
}

/** Sends a signal to the whole group; `false` when nobody is left in it. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, name)
  } catch {
    return false
  }
}

function addressOf(child: ChildProcess, said: { out: string; err: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (): void => {
      clearInterval(look)
      clearTimeout(limit)
      void stop(child).catch(() => {})
      reject(new Error(`The demo did not start.\n${said.out}\n${said.err}`))
    }
    const look = setInterval(() => {
      const [, origin] = /Open\s+(http:\/\/\S+)/.exec(said.out) ?? []
      if (!origin || !said.out.includes("Ctrl-C")) return
      clearInterval(look)
      clearTimeout(limit)
      child.off("exit", fail)
      resolve(origin)
    }, 50)
    const limit = setTimeout(fail, patience)
    child.once("exit", fail)
  })
}
