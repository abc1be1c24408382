/** Starts the demo's program as a person does, and stops it as Ctrl-C does. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const program = fileURLToPath(new URL("../../../../../examples/demo/start.js", import.meta.url))

/** What a start may say. */
export interface DemoSettings {
  readonly data: string
  /** `DATABASE_URL`. */
  readonly url: string | undefined
  readonly port: number
}

/** A running demo. */
export interface RunningDemo {
  readonly origin: string
  output(): string
  errors(): string
  stop(): Promise<void>
}

interface Begun {
  readonly child: ChildProcess
  readonly said: { out: string; err: string }
}

function begin({ data, url, port }: DemoSettings): Begun {
  const { DATABASE_URL: _, ...env } = process.env
  const child = spawn(process.execPath, [program], {
    env: {
      ...env,
      ...(url !== undefined && { DATABASE_URL: url }),
      DEMO_DATA: data,
      DEMO_STRATEGY: "database",
      PORT: String(port),
      NODE_ENV: "",
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
  return { child, said }
}

/** Starts it and waits until it tells its address. */
export async function startDemo(settings: DemoSettings): Promise<RunningDemo> {
  const { child, said } = begin(settings)
  const ended = once(child, "close")
  const isUp = new Promise<void>((resolve) => {
    child.stdout?.on("data", () => said.out.includes("Ctrl-C") && resolve())
  })
  await Promise.race([isUp, ended])
  const [, origin] = /Open\s+(http:\/\/\S+)/.exec(said.out) ?? []
  if (!origin) {
    child.kill("SIGKILL")
    throw new Error(`The demo did not start.\n${said.out}\n${said.err}`)
  }
  return {
    origin,
    output: () => said.out,
    errors: () => said.err,
    async stop() {
      child.kill("SIGINT")
      await ended
    },
  }
}

/** Starts it where it cannot start; answers its exit code and all it said. */
export async function refusalOfDemo(settings: DemoSettings): Promise<{ code: number | null; said: string }> {
  const { child, said } = begin(settings)
  const [code] = (await once(child, "close")) as [number | null]
  return { code, said: said.out + said.err }
}
